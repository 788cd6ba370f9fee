# Python 3.11, pip and make are enough: every target makes its own .venv first, and only when the
# lock files have changed since. These say for every file of every package, ours and those that ours need, by which
# hash it is known: what was changed on its way is not installed.
PYTHON ?= python3
PORT ?= 8501
BIN := .venv/bin
# For all systems and processors, and for Python from 3.11 on.
LOCK := .venv-release/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command "make lock"

LAYOUT = $(BIN)/ruff check . && $(BIN)/ruff format --check .
TYPES = $(BIN)/mypy
CONTRACTS = $(BIN)/lint-imports --no-logo
LANGUAGE = $(BIN)/python -m bench.plain_english
# Every test that starts a process would compile the program anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := run
.PHONY: run workshop server mcp test check quick one fix bench hosted lock audit clean

run: .venv/runtime
	$(BIN)/python -m streamlit run app.py --server.port $(PORT)

# For everybody in this network: prints the address, a picture of it for phones, and the code for whoever hosts.
workshop: .venv/runtime
	$(BIN)/python -m debate_core workshop --port $(PORT)

# What a server with PostgreSQL and workers needs beside all that.
server: .venv/server

# What seats need to call tools of MCP servers.
mcp: .venv/mcp

# Four workers for two cores, because tests often wait for something; types and contracts are looked at meanwhile. What
# these find is shown after the tests, so that pytest's closing line is the last line of a passing run.
test: .venv/tools
	@$(LAYOUT)
	@{ nice -n 5 $(TYPES) && nice -n 5 $(CONTRACTS) && nice -n 5 $(LANGUAGE); } >.venv/checks.log 2>&1 & checks=$$!; \
	$(BIN)/python -m pytest -q -n 4 -p tests.side_by_side; tests=$$?; \
	wait $$checks || { cat .venv/checks.log; exit 1; }; exit $$tests

# While working: what can be known within seconds. The tests of the core look at a tenth of their examples here.
quick: .venv/tools
	@$(BIN)/ruff check --quiet .
	@$(TYPES) & types=$$!; \
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
	@$(LAYOUT)
	@$(TYPES)
	@$(CONTRACTS)
	@$(LANGUAGE)

bench: .venv/runtime
	@$(BIN)/python -m debate_core bench

# With keys of vendors in the environment: one short debate in each dialect, for 0.05 USD at most.
hosted: .venv/runtime
	@$(BIN)/python -m bench.hosted

# After a change of the requirements: what is locked stays as it is where the change allows it.
lock: .venv-release/tools
	$(LOCK) requirements.txt -o requirements.lock
	$(LOCK) -c requirements.lock requirements-server.txt -o requirements-server.lock
	$(LOCK) -c requirements.lock requirements-mcp.txt -o requirements-mcp.lock
	$(LOCK) -c requirements-server.lock -c requirements-mcp.lock requirements-dev.txt -o requirements-dev.lock

# What is known to be weak in what is installed. Needs a network; a package that nobody could look up is a failure too.
audit: .venv-release/tools
	.venv-release/bin/pip-audit --strict --require-hashes --disable-pip -r requirements-dev.lock

clean:
	rm -rf .venv .venv-release .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# No pip inside the environment: systems that ship Python in parts often lack what would put it there.
.venv/bin/python:
	$(PYTHON) -m venv --without-pip .venv

.venv/runtime: requirements.lock | .venv/bin/python
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --require-hashes -r requirements.lock
	@touch $@

.venv/server: requirements-server.lock requirements.lock | .venv/bin/python
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --require-hashes -r requirements-server.lock
	@touch $@ .venv/runtime

.venv/mcp: requirements-mcp.lock requirements.lock | .venv/bin/python
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --require-hashes -r requirements-mcp.lock
	@touch $@ .venv/runtime

# Most of what the packages bring is never imported: a module is compiled when somebody needs it.
.venv/tools: requirements-dev.lock requirements-server.lock requirements-mcp.lock requirements.lock | .venv/bin/python
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --no-compile --require-hashes -r requirements-dev.lock
	@git config --get core.hooksPath >/dev/null 2>&1 || git config core.hooksPath .githooks 2>/dev/null || true
	@touch $@ .venv/runtime .venv/server .venv/mcp

# An environment of its own: what looks after the packages is none of them.
.venv-release/tools: Makefile
	$(PYTHON) -m venv --without-pip .venv-release
	$(PYTHON) -m pip --python .venv-release/bin/python install --quiet uv==0.13.9 pip-audit==2.10.1
	@touch $@
