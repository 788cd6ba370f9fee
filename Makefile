# Python 3.11, pip and make are enough: every target makes its own .venv first, and only when the
# requirement files have changed since.
PYTHON ?= python3
PORT ?= 8501
BIN := .venv/bin

.DEFAULT_GOAL := run
.PHONY: run workshop test check quick one fix bench clean

run: .venv/runtime
	$(BIN)/python -m streamlit run app.py --server.port $(PORT)

# Pytest comes last, so its closing line is the last line of a passing run.
# For everybody in this network: prints the address, a picture of it for phones, and the code for whoever hosts.
workshop: .venv/runtime
	$(BIN)/python -m debate_core workshop --port $(PORT)

test: check
	@$(BIN)/python -m pytest -q -n 2 -p tests.side_by_side

# While working: what can be known within seconds. The tests of the core look at a tenth of their examples here.
quick: .venv/tools
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy & types=$$!; \
	HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -q -x -n 2 tests/core -m "not slow and not nightly and not alone"; \
	tests=$$?; wait $$types && exit $$tests

# One file, folder or test: make one T=tests/core/test_x.py
one: .venv/tools
	@$(BIN)/python -m pytest -q -x $(T)

# What a tool can mend by itself.
fix: .venv/tools
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format .

check: .venv/tools
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

bench: .venv/runtime
	@$(BIN)/python -m debate_core bench

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# No pip inside the environment: systems that ship Python in parts often lack what would put it there.
.venv/bin/python:
	$(PYTHON) -m venv --without-pip .venv

.venv/runtime: requirements.txt | .venv/bin/python
	$(PYTHON) -m pip --python $(BIN)/python install --quiet -r requirements.txt
	@touch $@

.venv/tools: requirements-dev.txt requirements.txt | .venv/bin/python
	$(PYTHON) -m pip --python $(BIN)/python install --quiet -r requirements-dev.txt
	@touch $@ .venv/runtime
