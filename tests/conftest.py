"""Isolation for every test: a home of its own, no foreign settings, no network beyond loopback."""

import ipaddress
import os
import socket

import pytest

from contracts import settings as settings_module


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A fresh council home; COUNCIL_* and the vendors' keys are unset."""
    kept = {"COUNCIL_HERMES_BIN"}
    for name in list(os.environ):
        vendor = name.endswith(("_API_KEY", "_BASE_URL")) or name.upper().endswith("_PROXY")
        if (name.startswith("COUNCIL_") and name not in kept) or vendor:
            monkeypatch.delenv(name)
    path = tmp_path / "home"
    monkeypatch.setenv("COUNCIL_HOME", str(path))
    settings_module.settings.cache_clear()
    yield path
    settings_module.settings.cache_clear()


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch):
    """A test cannot reach the network by accident."""
    connect = socket.socket.connect

    def guarded(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6):
            host = address[0]
            try:
                local = ipaddress.ip_address(host).is_loopback
            except ValueError:
                local = host == "localhost"
            if not local:
                pytest.fail(f"a test tried to reach {host}; only loopback is allowed")
        return connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
