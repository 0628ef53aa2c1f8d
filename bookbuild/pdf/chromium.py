"""Where Chromium and its driver are, for all that opens pages: the PDF and the tests of the site."""

import os
import shutil
from collections.abc import Iterable, Mapping

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
CHROMEDRIVER = os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")


def absent() -> list[str]:
    """What of the two is not installed."""
    return [path for path in (CHROMIUM, CHROMEDRIVER) if shutil.which(path) is None]


def start(flags: Iterable[str] = (), logs: Mapping[str, str] | None = None) -> webdriver.Chrome:
    """Chromium without a window, with these flags besides; `logs` names what it writes down, and how much of it."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, *flags):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", dict(logs or {}))
    return webdriver.Chrome(options=options, service=Service(CHROMEDRIVER))
