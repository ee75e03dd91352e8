"""The page in this process over ASGI, and as the real `council serve` in its own."""

import os
import re
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest

from contracts.settings import Settings, settings
from flows.page.app import create_app

COUNCIL = [sys.executable, "-c", "from flows.console.cli import main; main()"]
ORIGIN = "http://127.0.0.1:8788"


@pytest.fixture
def make_client():
    """Makes a client of an application in this process, with what `create_app` takes."""

    def make(house=None, origin=ORIGIN, **given):
        app = create_app(house or settings(), **given)
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=origin, timeout=30)

    return make


@pytest.fixture
async def client(make_client):
    """A client of a council of stand-ins."""
    async with make_client() as client:
        yield client


@pytest.fixture
def locked():
    """Settings with a token."""
    return Settings(token="correct horse")


@contextmanager
def serving(home, *arguments, port=0, **environ):
    """Run `council serve`; yield its process and its address."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COUNCIL_", "PREFECT_"))}
    env |= {"COUNCIL_HOME": str(home), "PYTHONUNBUFFERED": "1", **environ}
    command = [*COUNCIL, "serve", "--port", str(port), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "council serve did not start"
        yield process, found.group()
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


@pytest.fixture
def serve():
    """`council serve` as a process."""
    return serving
