# One virtual environment, one stamp for each step; `make help` lists what there is.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
HTML := _build/html/index.html
# What makes a chapter in JupyterLab look like its page; lab/ says how.
LAB := $(wildcard lab/*.* lab/extension/*.* lab/extension/static/*)
LAB_EXTENSION := $(VENV)/share/jupyter/labextensions/mtlbook-lab
# A worker for each core; bookbuild/pytest_plugin.py keeps a chapter, a page or a file of tests on one of them.
PYTEST := $(BIN)/python -m pytest -n auto
AS_MACHINE = $(if $(MACHINE),env $$($(BIN)/python -m bookbuild.trials.machines --environment $(MACHINE)))

.DEFAULT_GOAL := help
.PHONY: help install book quick test test-paper test-install test-extras dist machines measure pdf handouts lab check bench results references
.PHONY: clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /  make \1\t/' | expand -t 20

install: $(INSTALLED)  ## create the virtual environment and install the pinned requirements

$(INSTALLED): requirements.txt constraints.txt pyproject.toml $(LAB)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; choose one with: make PYTHON=python3.11 ..."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	mkdir -p $(VENV)/share/jupyter/lab/settings $(LAB_EXTENSION)
	rm -f $(VENV)/etc/jupyter/jupyter_server_config.py
	cp lab/overrides.json $(VENV)/share/jupyter/lab/settings/
	cp -r lab/extension/. $(LAB_EXTENSION)/
	@touch $@

book: $(INSTALLED)  ## execute the chapters that changed and build the HTML
	@$(BIN)/python -m bookbuild
	@echo "The book is at $(abspath $(HTML))"

quick: $(INSTALLED)  ## a first look: the whole book at its smallest sizes, in _build/quick
	@MTLBOOK_PROFILE=quick $(BIN)/python -m bookbuild
	@echo "The small book is at $(abspath _build/quick/html/index.html)"

# MACHINE=plain (haswell, zen, skylakex, threads, float32) tests as on another machine.
test: book  ## all tests: the library, every chapter at its small size, what `make book` printed, the built site
	$(AS_MACHINE) $(PYTEST) $(TESTS)

test-paper: $(INSTALLED)  ## every chapter executed again at the paper's sizes, and compared cell by cell
	$(AS_MACHINE) $(PYTEST) --book-profile paper book

machines: $(INSTALLED)  ## run the book as on other machines and keep what differs (OPTIONS="--seeds 1 2 3": with other seeds)
	$(BIN)/python -m bookbuild.trials.machines $(OPTIONS)

measure: $(INSTALLED)  ## time the commands in a fresh clone, and put the numbers into the texts
	$(BIN)/python -m bookbuild.trials.measure

test-install:  ## an empty environment for every install line of the texts, and all their examples in there
	$(PYTHON) -m tests.install

test-extras:  ## the optional packages in an environment of their own, and the tests that skip without them
	$(PYTHON) -m tests.install.extras

dist:  ## the wheel and the source archive, in dist/, and each of them tried in an empty environment
	$(PYTHON) -m tests.install.dist

pdf: book  ## the whole book as one PDF, printed by Chromium: _build/book.pdf
	$(BIN)/python -m bookbuild.pdf

handouts: book  ## for who teaches: slides, problem sets, and problem sets with solutions, as PDF in _build
	$(BIN)/python -m bookbuild.pdf.handouts

$(HTML):
	@$(MAKE) book

lab: $(INSTALLED) $(HTML)  ## open the executed chapters in JupyterLab, as copies of your own in _build/lab
	@$(BIN)/python -m bookbuild.lab
	$(BIN)/jupyter lab --notebook-dir=_build/lab

check: $(INSTALLED)  ## ruff and mypy on the library, ruff on the chapters
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m bookbuild.lint

bench: $(INSTALLED)  ## the performance figures, each against a baseline in the same run
	OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks

results: $(INSTALLED)  ## renew what is too long for a build and no longer as stored (NAMES="part6/images ..."; without: list it)
	OMP_NUM_THREADS=1 $(BIN)/python -m mtlbook_lib results $(NAMES)

references: $(INSTALLED)  ## rewrite the reference outputs (all, or CHAPTERS="part1/noise-spectrum ...")
	$(BIN)/python -m bookbuild.references $(CHAPTERS)

clean:  ## remove what was built; the virtual environment stays (remove .venv for a clean start), and so does _build/lab
	rm -rf .pytest_cache .mypy_cache .ruff_cache
	test ! -d _build || find _build -mindepth 1 -maxdepth 1 ! -name lab -exec rm -rf {} +
