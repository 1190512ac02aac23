"""`python -m infra.cost`: write the tables of docs/explanation/cost.md again."""

from infra.cost.page import PAGE, write_page

if __name__ == "__main__":
    PAGE.write_text(write_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
