.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= $(shell infra/python)
PORT ?= 8000
UPLOADS ?= layers/library/ginuri/examples
ENV ?= dev
BIN := .venv/bin
TRACED := $(BIN)/pytest $(if $(PYTEST),,--cov --cov-report=)
# A run of the tests starts hundreds of processes: they share the bytecode of modules, tests and templates.
export PYTHONDONTWRITEBYTECODE :=
.PHONY: help install docs wheels reference screenshots attack serve smoke test test-deep quick check coverage functional functional-a functional-i command others end-to-end unit format lint types imports template catalogues openapi guides cost cost-measure bench bench-api bench-edge bench-ingest bench-machine bench-peers bench-scale bench-search edge build emulate preflight deploy deploy-global first-run back forward drill clean

help: ## the list of targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1	/'

# Installed again only when the content of a lock file changes.
define install
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@if ! cmp -s $< .venv/$<; then \
	  echo "installing $< into .venv" && \
	  $(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps --requirement $< && \
	  cp $< .venv/$<; fi
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@
endef

.venv/installed: requirements.lock pyproject.toml
	$(install)

# The stack needs a third of the packages of its checks.
.venv/serving: requirements-serve.lock pyproject.toml
	$(install)

install: .venv/installed ## install the packages of the lock file into .venv

serve: .venv/serving ## the whole stack on http://127.0.0.1:$(PORT); UPLOADS= names another folder than the examples
	@exec $(BIN)/python -m infra.local --port $(PORT) --uploads $(UPLOADS)

smoke: .venv/serving ## send the requests of infra/smoke/requests.toml to a stack; STACK= registers their names first, URL= does not
	@$(BIN)/python -m infra.smoke $(URL) $(if $(STACK),--stack $(STACK)) $(SMOKE)

test: install format lint ## every check: format, lint, types, imports, template, tests with branch coverage
	@$(MAKE) --no-print-directory --jobs=7 --output-sync=target end-to-end coverage types imports template

test-deep: install ## the property tests, with twenty times as many examples as make test, drawn again
	@GINURI_EXAMPLES=deep $(BIN)/pytest --numprocesses=auto --dist=loadfile tests/property $(PYTEST)

wheels: install ## the built wheel in an empty environment of Python 3.11, 3.12 and 3.13, from a package index
	@GINURI_PYTHONS="3.11-oldest 3.11 3.12 3.13" $(BIN)/pytest -v tests/infrastructure/test_built_wheel.py $(PYTEST)

quick: install format lint ## checks of less than a minute: format, lint, types, unit tests
	@$(MAKE) --no-print-directory --jobs=2 types unit

check: install format lint types imports template

# With PYTEST= only some tests run, so the coverage would be incomplete.
coverage: functional command others
	@$(if $(PYTEST),,$(BIN)/coverage combine --quiet && $(BIN)/coverage report --fail-under=98)

# Each run has one process and its own tests: several workers would each collect all tests and start each store.
functional: functional-a functional-i # the handlers and one machine: the longest run, so in two parts

functional-a:
	@COVERAGE_FILE=.coverage.$@ $(TRACED) tests/functional/test_[a-h]*.py $(PYTEST)

functional-i:
	@COVERAGE_FILE=.coverage.$@ $(TRACED) tests/functional/test_[i-z]*.py $(PYTEST)

command: # the commands of stewards and operators
	@COVERAGE_FILE=.coverage.$@ $(TRACED) tests/$@ $(PYTEST)

others: # all other tests without a running stack
	@COVERAGE_FILE=.coverage.$@ $(TRACED) --ignore=tests/functional --ignore=tests/command --ignore=tests/end_to_end $(PYTEST)

# A running stack is idle a third of the time, so these tests run beside the others.
end-to-end:
	@$(BIN)/pytest --numprocesses=2 --max-worker-restart=0 --dist=loadfile --no-loadscope-reorder tests/end_to_end $(PYTEST)

unit:
	@$(BIN)/pytest --quiet tests/unit layers/library $(PYTEST)

format:
	@$(BIN)/ruff format --check --quiet .

lint:
	@$(BIN)/ruff check --quiet .
	@$(BIN)/python -m infra.claims

types:
	@$(BIN)/mypy layers/library functions infra tests

imports:
	@PYTHONPATH=functions $(BIN)/lint-imports

template: # the stack in the regions of .cfnlintrc.yaml; the one of the edge is only in us-east-1
	@$(BIN)/cfn-lint
	@$(BIN)/cfn-lint global.yaml --regions us-east-1
	@$(BIN)/cfn-lint --regions us-east-1 -- infra/deployment/workflow-role.yaml  # roles are the same everywhere

catalogues: install ## collect the messages, update and compile each language; LANGUAGES=de begins another
	@$(BIN)/python -m infra.catalogues $(LANGUAGES)

guides: install ## the guides that are served below /docs/, from docs/ and the interface
	@$(BIN)/python -m infra.guides

bench: install ## resolve and describe beside a bare handler: CPU, cold start and calls, as ratios
	@infra/runtime_environment >/dev/null
	@$(BIN)/python -m infra.bench $(BENCH)

bench-api: install ## registrations and reads by the client over HTTP, on one machine and on the local stack; BENCH="100"
	@$(BIN)/python -m infra.bench.api $(BENCH)

bench-ingest: install ## the CPU to ingest a record, by the size of the file; BENCH="--strict 1000 10000"
	@infra/runtime_environment >/dev/null
	@$(BIN)/python -m infra.bench.ingest $(BENCH)

PEERS := .venv-peers
$(PEERS)/installed: infra/peers.lock
	@test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/pip install --quiet --disable-pip-version-check --require-hashes --no-deps --requirement $<
	@touch $@

bench-peers: install $(PEERS)/installed ## Apache (Debian's apache2-utils) and FastAPI beside the handler; BENCH="1000"
	@$(BIN)/python -m infra.bench.peers $(BENCH)

bench-machine: install $(PEERS)/installed ## ginuri serve beside FastAPI, nginx and Apache (Debian's wrk, nginx-light, apache2-utils); BENCH="1000"
	@$(BIN)/python -m infra.bench.one_machine $(BENCH)

bench-scale: install ## the time of a request among 1,000 and 1,000,000 identifiers, and among 10 and 1,000,000 rules, in DynamoDB Local
	@$(BIN)/python -m infra.bench.scale $(BENCH)
	@$(BIN)/python -m infra.bench.many_rules $(BENCH)

bench-edge: install ## the CPU of a call of the edge's function, and the hit rate of the edge
	@$(BIN)/python -m infra.bench.edge $(BENCH)

DOCS := .venv-docs
$(DOCS)/installed: infra/docs.lock
	@test -x $(DOCS)/bin/python || $(PYTHON) -m venv $(DOCS)
	@$(DOCS)/bin/pip install --quiet --disable-pip-version-check --require-hashes --no-deps --requirement $<
	@touch $@

docs: install $(DOCS)/installed ## the site in build/site; checks every link and runs every command block of docs/
	@$(BIN)/python -m infra.docs $(CHECK)
	@$(DOCS)/bin/zensical build --strict --clean

reference: install ## docs/reference: commands and Python API, and the checks of the first run, written from the code
	@$(BIN)/python -m infra.docs.reference
	@$(BIN)/python -m infra.first_run.page

screenshots: install ## docs/screenshots/*.png: six pages of the examples, in Debian's chromium
	@$(BIN)/python -m infra.screenshots

cost: install ## docs/explanation/cost.md: its tables, from counted calls, measured CPU and list prices
	@PYTHONPATH=functions $(BIN)/python -m infra.cost

cost-measure: install ## measure the CPU for that page into infra/cost/measured.json; takes minutes
	@infra/runtime_environment >/dev/null
	@$(BIN)/python -m infra.cost.measure
	@$(MAKE) --no-print-directory cost

attack: install ## random attacks on the service; MINUTES=30 SEED=a repeats them, KIND=edge is one kind, URL= only reads
	@PYTHONPATH=functions $(BIN)/python -m infra.attack $(URL) --minutes $(or $(MINUTES),5) $(if $(SEED),--seed $(SEED)) $(if $(KIND),--kind $(KIND)) $(ATTACK)

openapi: install ## write web/openapi.json, which the service returns, from web/openapi.yaml
	@$(BIN)/python -m infra.openapi

bench-search: install ## the CPU to publish a record, and the reads of a search, by size; BENCH="1000 100000"
	@$(BIN)/python -m infra.bench.search $(BENCH)

edge: install ## write functions/edge/function.js into template.yaml, for CloudFront
	@$(BIN)/python -m infra.edge_function

build: ## sam validate --lint and sam build, without Docker
	@infra/build

emulate: install build ## compare the built functions, under AWS's emulator and the runtime's Python, with the local stack
	@infra/emulate

# Run by the Python of the SAM CLI, which needs no installation of the project.
DEPLOYMENT := PYTHONPATH=layers/library .venv-sam/bin/python -m infra.deployment

deploy: build ## deploy to AWS, without questions, with the values of site.toml for ENV=dev or ENV=prod; a new stack publishes
	@arguments=$$($(DEPLOYMENT) $(ENV)) && \
	  SAM_CLI_TELEMETRY=0 .venv-sam/bin/sam deploy --config-env $(ENV) $$arguments && \
	  $(DEPLOYMENT).before $(ENV) && $(DEPLOYMENT).publication $(ENV)

preflight: ## check what a first deployment fails on, for ENV=dev or ENV=prod; PROBE=1 makes and deletes a distribution
	@test -x .venv-sam/bin/python || infra/build
	@$(DEPLOYMENT).preflight $(ENV) $(if $(PROBE),--probe) $(PREFLIGHT)

first-run: .venv/serving ## check on AWS what the tests cannot show, and write first-run-REGION.json; DISRUPTIVE=1 checks all
	@$(BIN)/python -m infra.first_run $(ENV) $(if $(DISRUPTIVE),--disruptive) $(FIRST_RUN)

back: ## make the previous version of every function live, within seconds, for ENV=dev or ENV=prod
	@test -x .venv-sam/bin/python || infra/build
	@$(DEPLOYMENT).back $(ENV)

forward: ## make the version of the stack live again after make back
	@test -x .venv-sam/bin/python || infra/build
	@$(DEPLOYMENT).back $(ENV) --forward

deploy-global: ## deploy global.yaml, the alarms of the edge, to us-east-1, for ENV=dev or ENV=prod, after make deploy
	@test -x .venv-sam/bin/python || infra/build
	@arguments=$$($(DEPLOYMENT).global_stack $(ENV)) && \
	  SAM_CLI_TELEMETRY=0 .venv-sam/bin/sam deploy --config-env $(ENV) $$arguments

drill: .venv/serving ## replay all uploads of a stack into an empty table beside its own, compare, remove it; STACK=
	@$(BIN)/ginuri replay --drill $(if $(STACK),--stack $(STACK))

clean: ## remove installed and built files
	@rm -rf .venv .venv-docs .venv-peers .venv-runtime .venv-sam .aws-sam build/site .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
