"""The first cell of a notebook that readers get: it installs the library of the book, if need be.

Nothing of the environment is imported here: `make test-install` runs the cell in an empty one.
"""

INSTALL = """\
# Installs the library of the book from where the book is, if anything that this notebook needs is missing here.
import subprocess
import sys
from importlib import invalidate_caches, util
from pathlib import Path

BOOK = "{address}"  # {meaning}
needed = "mtlbook_lib", "torch", "sklearn", "matplotlib", "ipywidgets", "tqdm", "yaml", "sympy"
if not all(map(util.find_spec, needed)):
{source}
    if not util.find_spec("torch"):
        print("This brings torch: several GB where it is built for a GPU. A CPU build is enough, and much smaller:")
        print("to have that one, stop this cell, install torch as its own page says for a CPU, and run the cell again.")
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", library, "sympy"], check=True)
    invalidate_caches()
"""
EXTRAS = "[simulation,data,notebook]"
FROM_FOLDER = f'''\
    folders = [Path(BOOK).absolute(), *Path(BOOK).absolute().parents]
    found = [one for one in folders if (one / "mtlbook_lib").is_dir() and (one / "pyproject.toml").is_file()]
    if not found:
        raise FileNotFoundError(f"The book is not in {{folders[0]}}, nor in a folder above it: set BOOK to its folder.")
    library = f"{{found[0]}}{EXTRAS}"'''
FROM_ADDRESS = f'    library = f"mtlbook-lib{EXTRAS} @ git+{{BOOK}}"'


def install_cell(address: str = "") -> str:
    """The first cell: it installs from the book's folder or address, never by a name that an index would look up."""
    meaning = "the address of the book" if address else "the folder of the book, if this notebook lies outside of it"
    source = FROM_ADDRESS if address else FROM_FOLDER
    return INSTALL.format(address=address.rstrip("/"), meaning=meaning, source=source).rstrip()
