"""Debian's Chromium without a network, driven by selenium, and what it says about a page."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from bookbuild.pdf import chromium

WIDE, NARROW = (1280, 900), (375, 800)
PAPER = (718, 1000)  # the text of a sheet of A4
PATIENCE = 30  # seconds for a page that the driver waits for
HERE = Path(__file__).parent
REMEDY = "On Debian: apt-get install chromium chromium-driver; elsewhere set CHROMIUM and CHROMEDRIVER to their paths."

FLAGS = [
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    # One process for all pages, none in reserve, none kept for a way back: to start one takes long.
    "--process-per-site",
    "--disable-site-isolation-trials",
    "--disable-features=SpareRendererForSitePerProcess,BackForwardCache,ProactivelySwapBrowsingInstance,"
    "IsolateOrigins,site-per-process",
    # What fades in, for a reader who wants no motion, is there at once.
    "--force-prefers-reduced-motion",
    # Nothing but this machine can be reached, so that a page which needs the network shows it.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


def require_browser() -> None:
    """Skip the test where no page can be opened; in CI fail it."""
    absent = chromium.absent()
    if absent and os.environ.get("CI", "").lower() == "true":
        pytest.fail(f"The tests of the site need Chromium; not installed: {', '.join(absent)}.")
    if absent:
        pytest.skip(f"no Chromium: {', '.join(absent)}. {REMEDY}")


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """A request is no news."""


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve `folder` on a free port of this machine; yields the address, without a slash at its end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_QuietHandler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Browser:
    """One Chromium for the whole test session."""

    def __init__(self, profile: Path) -> None:
        logs = {"performance": "ALL", "browser": "ALL"}
        self.driver = chromium.start([*FLAGS, f"--user-data-dir={profile}"], logs)
        self.driver.set_script_timeout(60)
        self.driver.set_page_load_timeout(PATIENCE)
        self._probe = (HERE / "probe.js").read_text()
        self._sound: set[str] = set()  # looks of text whose contrast was enough
        self._axe = (HERE / "vendor/axe.min.js").read_text()

    def open(self, address: str, unfold: bool = True, size: tuple[int, int] = WIDE) -> None:
        """Load a page in a window, wait for its scripts and fonts, and unfold what a reader may unfold."""
        self.driver.get("about:blank")
        self._set_size(size)
        for kind in ("performance", "browser"):
            self.driver.get_log(kind)  # reading empties it: what follows belongs to this page
        self._go(address)
        self.driver.execute_script(self._probe)
        self.ask("loaded")
        if unfold:
            self.ask("unfolded")

    @contextmanager
    def without_layout(self) -> Iterator[None]:
        """Load pages with all that belongs to them, and run their scripts, but do not lay them out."""
        hide = """new MutationObserver((_, watch) => {
          if (!document.head) return;
          watch.disconnect();
          const style = document.createElement("style");
          style.textContent = "html { display: none !important }";
          document.head.prepend(style);
        }).observe(document, { childList: true, subtree: true });"""
        added = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": hide})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)

    def visit(self, address: str, size: tuple[int, int] = WIDE) -> None:
        """Load a page as a reader finds it, with nothing unfolded."""
        self.driver.get("about:blank")
        self._set_size(size)
        self._go(address)

    def _go(self, address: str) -> None:
        """Load a page to its end.

        The driver may take the end of the blank page for that of the next, or wait for an end that has been: a page
        that changes its address while it loads confuses it.
        """
        try:
            self.driver.get(address)
        except TimeoutException:
            self.driver.get(address)
        here = "return location.protocol !== 'about:' && document.readyState === 'complete'"
        WebDriverWait(self.driver, PATIENCE).until(lambda driver: driver.execute_script(here))

    @contextmanager
    def without_scripts(self) -> Iterator[None]:
        """Let pages run no script, neither one that is loaded nor the open one."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

    @contextmanager
    def on_paper(self) -> Iterator[None]:
        """Show the open page as it is printed, drawn in the window as it is."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self._set_size(PAPER)
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
            self._set_size(WIDE)

    @contextmanager
    def slow(self) -> Iterator[None]:
        """Load pages as a slow machine does over a slow line: in pieces, with nothing stored.

        It is the line that takes them to pieces. The machine waits for nothing: to be slow it works twice.
        """
        limits = {"offline": False, "latency": 50, "downloadThroughput": 1e6, "uploadThroughput": 1e6}
        free = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        command = self.driver.execute_cdp_cmd
        command("Network.enable", {})
        command("Network.setCacheDisabled", {"cacheDisabled": True})
        try:
            command("Network.emulateNetworkConditions", limits)
            command("Emulation.setCPUThrottlingRate", {"rate": 2})
            yield
        finally:
            command("Emulation.setCPUThrottlingRate", {"rate": 1})
            command("Network.emulateNetworkConditions", free)
            command("Network.setCacheDisabled", {"cacheDisabled": False})

    def ask(self, probe: str, *arguments: Any) -> Any:
        """Answer of one function of probe.js."""
        script = (
            "const [name, args, done] = arguments;"
            "Promise.resolve().then(() => window.probe[name](...args))"
            ".then(value => done({value}), error => done({error: String(error.stack)}));"
        )
        answer = self.driver.execute_async_script(script, probe, arguments)
        if "error" in answer:
            raise RuntimeError(f"{probe} on {self.driver.current_url}: {answer['error']}")
        return answer["value"]

    def resize(self, size: tuple[int, int]) -> None:
        """Give the open page another width and height, and wait until it has settled."""
        self.ask("hurry")
        self._set_size(size)
        self.ask("resized", size[0])

    def _set_size(self, size: tuple[int, int]) -> None:
        # In CSS pixels; the window itself cannot be made as narrow as a phone.
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def press(self, key: str) -> None:
        """Press a key where the focus is."""
        self.driver.switch_to.active_element.send_keys(getattr(Keys, key))

    def violations(self, allowed: list[tuple[str, str]]) -> list[dict[str, str]]:
        """What all rules of axe-core find, less what is `allowed` by rule and selector outside the article."""
        return self._ask_axe("violations", allowed)

    def accessibility(self, allowed: list[tuple[str, str]], contrast_alone: bool = False) -> list[dict[str, str]]:
        """The same, of contrast in one element of each look, and of a thinned page soon; or contrast alone.

        A look is the colours, the size and all that lies behind, so one that was sound is not judged on the next page.
        """
        answer = self._ask_axe("accessibility", allowed, sorted(self._sound), contrast_alone)
        if not answer["found"]:
            self._sound.update(answer["looks"])
        return answer["found"]

    def _ask_axe(self, probe: str, *arguments: Any) -> Any:
        if not self.driver.execute_script("return Boolean(window.axe)"):
            self.driver.execute_script(self._axe)
        return self.ask(probe, *arguments)

    def requests(self) -> list[str]:
        """Addresses asked for since the page was opened."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        return sent + [m["params"]["url"] for m in messages if m["method"] == "Network.webSocketCreated"]

    def errors(self) -> list[str]:
        """Severe console messages since the page was opened."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def close(self) -> None:
        """End the browser."""
        self.driver.quit()
