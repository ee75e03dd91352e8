"""A real Chromium for the tests of the page."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
AXE = Path(os.environ.get("COUNCIL_AXE", "/nonexistent"))
SHOTS = os.environ.get("COUNCIL_SHOTS")
"""A directory to keep the screenshots in."""
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium():
    """A browser, or a skip that says what is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no chromium; .ci/browser installs one")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def tab(browser, *, expected=(), **options):
    """A page in a context of its own; what its console complains of fails the test at the end."""
    context = browser.new_context(**({"viewport": {"width": 1180, "height": 900}} | options))
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints = []
    for each in (page,):
        listen(each, complaints)
    yield page
    context.close()
    assert [one for one in complaints if not any(word in one for word in expected)] == []


def listen(page, complaints):
    """Collect what goes wrong in a page: errors, refused scripts, and dialogs, which XSS opens."""
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))

    def opened(dialog):
        complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.on("dialog", opened)


def axe(page):
    """What axe-core finds that is serious or worse: rule and place."""
    if not AXE.is_file():
        pytest.skip("COUNCIL_AXE names no axe.min.js; .ci/browser prints its path")
    # Evaluated by the debugger, which the page's own policy does not bind.
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    grave = [one for one in found["violations"] if one["impact"] in {"serious", "critical"}]
    return [(one["id"], node["target"]) for one in grave for node in one["nodes"]]


def shoot(page, name):
    """Keep a screenshot where COUNCIL_SHOTS says."""
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=True)
