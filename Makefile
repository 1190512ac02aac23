.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= $(shell infra/python)
PORT ?= 8000
UPLOADS ?= examples
ENV ?= dev
BIN := .venv/bin
TRACED := $(BIN)/pytest $(if $(PYTEST),,--cov --cov-report=)
# Hundreds of processes start in a run of the tests: what one has compiled, tests and templates too, is kept for the others.
export PYTHONDONTWRITEBYTECODE :=
.PHONY: help install docs reference screenshots attack serve smoke test test-deep quick check coverage functional command others end-to-end unit format lint types imports template catalogues openapi guides cost cost-measure bench bench-edge bench-ingest bench-peers bench-scale bench-search edge build emulate deploy clean

help: ## what can be made here
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1	/'

# Installed again only when the content of a lock file changes.
define install
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@if ! cmp -s $< .venv/$<; then \
	  echo "installing into .venv what $< names" && \
	  $(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement $< && \
	  cp $< .venv/$<; fi
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@
endef

.venv/installed: requirements.lock pyproject.toml
	$(install)

# The stack needs a third of what its checks need.
.venv/serving: requirements-serve.lock pyproject.toml
	$(install)

install: .venv/installed ## install into .venv what the lock file names

serve: .venv/serving ## the whole stack on http://127.0.0.1:$(PORT); UPLOADS= names another folder than examples/
	@exec $(BIN)/python -m infra.local --port $(PORT) --uploads $(UPLOADS)

smoke: .venv/serving ## ask a stack for what infra/smoke/requests.toml says; STACK= registers that first, URL= only asks
	@$(BIN)/python -m infra.smoke $(URL) $(if $(STACK),--stack $(STACK)) $(SMOKE)

test: install format lint ## every check: format, lint, types, imports, template, tests with branch coverage
	@$(MAKE) --no-print-directory --jobs=6 --output-sync=target end-to-end coverage types imports template

test-deep: install ## what must hold for every input, on twenty times as many and other ones than in make test
	@GINURI_EXAMPLES=deep $(BIN)/pytest --numprocesses=auto --dist=loadfile tests/property $(PYTEST)

quick: install format lint ## what takes less than a minute: format, lint, types, unit tests
	@$(MAKE) --no-print-directory --jobs=2 types unit

check: install format lint types imports template

# With words for pytest, it is neither complete nor asked for.
coverage: functional command others
	@$(if $(PYTEST),,$(BIN)/coverage combine --quiet && $(BIN)/coverage report --fail-under=98)

# Runs of one process, each with tests of its own: several workers would each gather all and start each store.
functional command: # the handlers; what stewards and operators type
	@COVERAGE_FILE=.coverage.$@ $(TRACED) tests/$@ $(PYTEST)

others: # whatever else needs no running stack
	@COVERAGE_FILE=.coverage.$@ $(TRACED) --ignore=tests/functional --ignore=tests/command --ignore=tests/end_to_end $(PYTEST)

# A running stack waits for itself a third of the time: beside the others, nothing is lost.
end-to-end:
	@$(BIN)/pytest --numprocesses=2 --max-worker-restart=0 --dist=loadfile --no-loadscope-reorder tests/end_to_end $(PYTEST)

unit:
	@$(BIN)/pytest --quiet tests/unit layers/library $(PYTEST)

format:
	@$(BIN)/ruff format --check --quiet .

lint:
	@$(BIN)/ruff check --quiet .

types:
	@$(BIN)/mypy layers/library functions infra tests

imports:
	@PYTHONPATH=functions $(BIN)/lint-imports

template: # in the regions that .cfnlintrc.yaml names
	@$(BIN)/cfn-lint

catalogues: install ## gather the messages, update and compile each language; LANGUAGES=de begins another
	@$(BIN)/python -m infra.catalogues $(LANGUAGES)

guides: install ## the guides that are served below /docs/, from docs/ and the interface
	@$(BIN)/python -m infra.guides

bench: install ## resolve and describe beside a bare handler: CPU, cold start and calls, as ratios
	@infra/runtime_environment >/dev/null
	@$(BIN)/python -m infra.bench $(BENCH)

bench-ingest: install ## what a record costs to take in, by the size of the file; BENCH="--strict 1000 10000"
	@infra/runtime_environment >/dev/null
	@$(BIN)/python -m infra.bench.ingest $(BENCH)

PEERS := .venv-peers
$(PEERS)/installed: infra/peers.lock
	@test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	@touch $@

bench-peers: install $(PEERS)/installed ## Apache (Debian's apache2-utils) and FastAPI beside the handler; BENCH="1000"
	@$(BIN)/python -m infra.bench.peers $(BENCH)

bench-scale: install ## what a request costs among 1,000 and among 1,000,000 identifiers in DynamoDB Local
	@$(BIN)/python -m infra.bench.scale $(BENCH)

bench-edge: install ## what the function of the edge costs a call, and how often the edge need not ask
	@$(BIN)/python -m infra.bench.edge $(BENCH)

DOCS := .venv-docs
$(DOCS)/installed: infra/docs.lock
	@test -x $(DOCS)/bin/python || $(PYTHON) -m venv $(DOCS)
	@$(DOCS)/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	@touch $@

docs: install $(DOCS)/installed ## the site in build/site; checks every link and runs every command block of docs/
	@$(BIN)/python -m infra.docs $(CHECK)
	@$(DOCS)/bin/zensical build --strict --clean

reference: install ## docs/reference: commands and Python API, written from the code
	@$(BIN)/python -m infra.docs.reference

screenshots: install ## docs/screenshots/*.png: six pages of the examples, in Debian's chromium
	@$(BIN)/python -m infra.screenshots

cost: install ## docs/explanation/cost.md: its tables, from counted calls, measured CPU and list prices
	@PYTHONPATH=functions $(BIN)/python -m infra.cost

cost-measure: install ## CPU for that page, measured anew into infra/cost/measured.json; takes minutes
	@infra/runtime_environment >/dev/null
	@$(BIN)/python -m infra.cost.measure
	@$(MAKE) --no-print-directory cost

attack: install ## random attacks on all of it; MINUTES=30 SEED=a repeats them, KIND=edge is one kind, URL= only reads
	@PYTHONPATH=functions $(BIN)/python -m infra.attack $(URL) --minutes $(or $(MINUTES),5) $(if $(SEED),--seed $(SEED)) $(if $(KIND),--kind $(KIND)) $(ATTACK)

openapi: install ## web/openapi.json, which is served, from web/openapi.yaml
	@$(BIN)/python -m infra.openapi

bench-search: install ## what publishing costs a record, and what a search reads, by size; BENCH="1000 100000"
	@$(BIN)/python -m infra.bench.search $(BENCH)

edge: install ## functions/edge/function.js into template.yaml, where CloudFront takes it
	@$(BIN)/python -m infra.edge_function

build: ## sam validate --lint and sam build, without Docker
	@infra/build

emulate: install build ## the built functions under AWS's emulator and the runtime's Python, beside the local stack
	@infra/emulate

deploy: build ## deploy to AWS what samconfig.toml says of ENV=dev or ENV=prod, and ask nothing
	@overrides=$$(.venv-sam/bin/python -m infra.deployment $(ENV)) && \
	  SAM_CLI_TELEMETRY=0 .venv-sam/bin/sam deploy --config-env $(ENV) --parameter-overrides $$overrides

clean: ## forget what was installed and built
	@rm -rf .venv .venv-docs .venv-peers .venv-runtime .venv-sam .aws-sam build/site .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
