# Two commands are enough: `make verify` decides every claim, `make test` runs all tests but the long ones.
# Everything is installed into .venv, at the versions that constraints.txt names.
# Another Python: make PYTHON=python3.12 verify      More options: make verify ARGS="--topic langevin"

.DEFAULT_GOAL := help
.PHONY: help verify test lint notebooks carry book browser lab bench constraints clean
.DELETE_ON_ERROR:

PYTHON ?=
ARGS ?=
RUN := .venv/bin/python -m
# A file of tests runs on one core, and its tests in their order.
SPREAD := --numprocesses auto --maxprocesses 4 --dist loadfile
# Without what tests/long.txt names, unless everything is asked for.
SHORT := $(if $(DPBOOK_FULL),,-m "not long")
INSTALL := $(RUN) pip install --quiet --constraint constraints.txt --editable

export PIP_DISABLE_PIP_VERSION_CHECK := 1

# An environment that was copied or moved still points to the old folder: it is installed again.
ifneq ($(shell cat .venv/.made 2>/dev/null),$(CURDIR))
$(shell rm -f .venv/.made .venv/.core .venv/.dev .venv/.book .venv/.lab .venv/.browser)
endif

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /make \1#/p' Makefile | awk -F'#' '{ printf "%-18s%s\n", $$1, $$2 }'

verify: .venv/.core ## decide every claim and compare with the record
	@$(RUN) dpbook verify $(ARGS)

test: .venv/.dev ## run the tests and the notebooks; DPBOOK_FULL=1: the long tests too
	@$(RUN) pytest $(SPREAD) $(SHORT) --nbval --nbval-current-env --nbval-sanitize-with .ci/nbval.ini $(ARGS)

lint: .venv/.dev ## style, layers, types
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .
	@.venv/bin/python -c "from importlinter.cli import lint_imports_command; lint_imports_command()"
	@$(RUN) mypy

notebooks: .venv/.dev ## make the notebooks whose chapters changed
	@$(RUN) dpbook.teaching.notebooks build $(ARGS)

carry: .venv/.dev ## carry edits back: make carry NOTEBOOK=notebooks/NAME.ipynb
	@$(RUN) dpbook.teaching.notebooks carry-back $(or $(NOTEBOOK),$(error name it: make carry NOTEBOOK=notebooks/NAME.ipynb))

book: .venv/.book ## build the HTML book into build/book
	@echo "building the book (some minutes)"
	@$(RUN) dpbook book $(ARGS)

browser: .venv/.browser book ## look at the book and the live widgets in a browser
	@DPBOOK_BOOK=build/book DPBOOK_BROWSER=required $(RUN) pytest $(SPREAD) $(SHORT) tests/book tests/browser

lab: .venv/.lab ## copy the notebooks to build/lab and open JupyterLab
	@$(RUN) dpbook lab build/lab $(ARGS)

bench: .peers/.made ## measure against the peers, in an environment of their own
	@status=0; for name in import_time accounting training_run profiles audit engine figure_1 langevin_chain posterior_adversary contamination depth unknown_sample_size calibration growth compile; do \
		printf '\n== %s\n' $$name; .peers/bin/python benchmarks/$$name.py || status=1; \
	done; exit $$status

constraints: .venv/.made ## renew constraints.txt from a fresh environment
	@.ci/constraints .venv/bin/python

clean: ## remove .venv and all that was built
	rm -rf .venv .peers build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.made:
	@for python in $(PYTHON) $(if $(PYTHON),,python3 python3.14 python3.13 python3.12 python3.11); do \
		if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			$$python -m venv .venv && echo "$(CURDIR)" > $@ && exit 0; exit 1; \
		fi; \
	done; \
	echo "dpbook needs Python 3.11 or later, found: $$($(or $(PYTHON),python3) --version 2>&1)." \
		"Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1

.venv/.core: .venv/.made pyproject.toml constraints.txt
	@echo "installing dpbook into .venv (once, about a minute)"
	@$(INSTALL) .
	@$(RUN) compileall -q dpbook # where PYTHONDONTWRITEBYTECODE is set, each start would do that
	@touch $@

.venv/.dev: .venv/.core
	@echo "installing the tools for the tests into .venv (once)"
	@$(INSTALL) ".[dev]"
	@touch $@

.venv/.book: .venv/.core
	@echo "installing Sphinx into .venv (once)"
	@$(INSTALL) ".[book]"
	@touch $@

.venv/.lab: .venv/.core
	@echo "installing JupyterLab into .venv (once)"
	@$(INSTALL) ".[lab]"
	@touch $@

# A peer may need other versions than constraints.txt names.
.peers/.made: .venv/.core pyproject.toml
	@echo "installing the peers into .peers (once)"
	@.venv/bin/python -m venv .peers && .peers/bin/python -m pip install --quiet --editable ".[peers]"
	@touch $@

.venv/.browser: .venv/.dev
	@echo "installing what drives a browser into .venv (once)"
	@$(INSTALL) ".[browser,lab]"
	@touch $@
