# make demo    set everything up, run the quickstart evaluation, say where the report is
# make test    set everything up, run every check and test
# make lint    only the checks that run nothing
# make soak    the tests that take long
# make bench   the comparison of speed with other tools
#
# All that is needed first: Python 3.11 or newer, with its venv module.

PYTHON ?= python3
BIN := .venv/bin
STAMPS := .venv/stamps
QUICKSTART := configs/quickstart.yaml
PIP := $(BIN)/python -m pip --disable-pip-version-check

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint soak bench clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

# A PDF that the system cannot make is left out, and said so, rather than failing the demo.
demo: $(STAMPS)/project
	@if $(BIN)/python -m rageval.cli.system; then formats=html,pdf; else formats=html; fi; \
	$(BIN)/rageval run $(QUICKSTART) --out reports --formats $$formats

test: lint
	$(BIN)/python -m pytest -m "not soak"

lint: $(STAMPS)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports

soak: $(STAMPS)/test
	$(BIN)/python -m pytest -m soak

bench: $(STAMPS)/bench
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.paired_tests

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# Installed once, and again when pyproject.toml changes. A stamp is written last, so that an
# installation that broke off is taken up again.
$(STAMPS)/python: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is older than Python 3.11; try: make PYTHON=python3.12" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || \
	  { rm -rf .venv; echo "Python cannot make a virtual environment; on Debian and Ubuntu: sudo apt-get install python3-venv" >&2; exit 1; }
	$(PIP) install --quiet --upgrade 'pip>=25.1'
	@mkdir -p $(STAMPS)
	@touch $@

$(STAMPS)/project: $(STAMPS)/python
	$(PIP) install --quiet --editable .
	@touch $@

$(STAMPS)/test: $(STAMPS)/python
	$(PIP) install --quiet --editable . --group test
	@touch $@ $(STAMPS)/project

$(STAMPS)/bench: $(STAMPS)/test
	$(PIP) install --quiet --group bench
	@touch $@
