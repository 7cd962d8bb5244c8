# make generate: set everything up and write the first questions.   make test: set everything up and test it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN_STAMP := $(VENV)/.psygen-run
DEV_STAMP := $(VENV)/.psygen-dev
# Many tests wait for processes and servers of their own, so two share a core.
WORKERS   ?= $(shell $(PYTHON) -c 'import os; print(2 * (os.cpu_count() or 1))')

.DEFAULT_GOAL := help
.PHONY: help setup dev generate test lint bench test-peers clean

help: ## show these targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1  \t/p' $(MAKEFILE_LIST)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "psygen needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)

$(RUN_STAMP): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(DEV_STAMP): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(RUN_STAMP)

setup: $(RUN_STAMP) ## make .venv and install psygen
dev: $(DEV_STAMP) ## the same with the development tools

generate: $(RUN_STAMP) ## write questions for every concept of statistics, without key or network
	$(BIN)/psygen generate --subject statistics --engine offline

test: $(DEV_STAMP) ## run all tests
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
	@echo 'All tests passed. Next: make lint, or make generate to see psygen at work.'

lint: $(DEV_STAMP) ## style and strict types
	$(BIN)/ruff check psygen tests
	$(BIN)/ruff format --check psygen tests
	$(BIN)/mypy

bench: $(DEV_STAMP) ## speed, as ratios measured in one run
	$(BIN)/python -m tests.benchmarks

test-peers: $(DEV_STAMP) ## the exports in the real lm-eval and Inspect, from fresh environments (needs a package index)
	$(BIN)/python -m tests.peers

clean: ## remove .venv and caches (outputs/ stays)
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .hypothesis
