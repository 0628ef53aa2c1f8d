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

.DEFAULT_GOAL := help
.PHONY: help install book test test-install lab check bench mutants results references notebooks clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /  make \1\t/' | expand -t 18

install: $(INSTALLED)  ## create the virtual environment and install the pinned requirements

$(INSTALLED): requirements.txt constraints.txt pyproject.toml setup.py $(LAB)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; choose one with: make PYTHON=python3.11 ..."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	mkdir -p $(VENV)/etc/jupyter $(VENV)/share/jupyter/lab/settings $(LAB_EXTENSION)
	cp lab/jupyter_server_config.py $(VENV)/etc/jupyter/
	cp lab/overrides.json $(VENV)/share/jupyter/lab/settings/
	cp -r lab/extension/. $(LAB_EXTENSION)/
	@touch $@

book: $(INSTALLED)  ## execute the chapters that changed and build the HTML
	@$(BIN)/python -m bookbuild
	@echo "The book is at $(abspath $(HTML))"

test: book  ## unit tests, every chapter re-executed and compared, architecture, and the built site
	$(PYTEST) $(TESTS)

test-install:  ## an empty environment for every install line of the README, and all its examples in there
	$(PYTHON) -m tests.install

lab: $(INSTALLED)  ## open the chapters as notebooks in JupyterLab
	$(BIN)/jupyter lab --notebook-dir=book

check: $(INSTALLED)  ## ruff and mypy on the library, ruff on the chapters
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m bookbuild.lint

bench: $(INSTALLED)  ## the performance figures, each against a baseline in the same run
	OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks

mutants: $(INSTALLED)  ## how many small errors in the code the tests notice (OPTIONS="--seed 1 --count 300 --package theory")
	nice $(BIN)/python -m mutants $(OPTIONS)

results: $(INSTALLED)  ## train again what is too long for a build, and rewrite results/
	OMP_NUM_THREADS=1 $(BIN)/python results/part3/nonlinear_transfer.py
	OMP_NUM_THREADS=1 $(BIN)/python results/part4/auxiliary_tasks.py
	OMP_NUM_THREADS=1 $(BIN)/python results/part4/auxiliary_data.py
	OMP_NUM_THREADS=1 $(BIN)/python results/part4/auxiliary_data_further.py
	OMP_NUM_THREADS=1 $(BIN)/python results/part5/capacity.py
	OMP_NUM_THREADS=1 $(BIN)/python results/part5/covariance_alignment.py
	OMP_NUM_THREADS=1 $(BIN)/python results/part5/svd_reweighting.py
	OMP_NUM_THREADS=1 $(BIN)/python results/part6/images.py
	OMP_NUM_THREADS=1 $(BIN)/python results/part6/multi_task_penalty.py
	OMP_NUM_THREADS=1 $(BIN)/python results/part6/nested_features.py
	OMP_NUM_THREADS=1 $(BIN)/python results/part6/sample_efficiency.py
	OMP_NUM_THREADS=1 $(BIN)/python results/part7/scaling.py
	OMP_NUM_THREADS=1 $(BIN)/python results/part7/should_i_train_together.py

references: $(INSTALLED)  ## rewrite the reference outputs (all, or CHAPTERS="part1/noise-spectrum ...")
	$(BIN)/python -m bookbuild.references $(CHAPTERS)

notebooks: $(INSTALLED)  ## write the executed chapters as .ipynb files to _build/notebooks
	$(BIN)/python -m bookbuild.execute
	$(BIN)/python -m bookbuild.notebooks

clean:  ## remove what was built (the virtual environment stays; remove .venv for a clean start)
	rm -rf _build .pytest_cache .mypy_cache .ruff_cache
