"""Hermes is installed once, where the home is, and a failure is told in the installer's words."""

import pytest

from contracts.errors import EngineError, NetworkForbidden
from contracts.settings import settings
from tasks import hermes_install
from tasks.hermes_install import REQUIREMENTS, install, installed
from tasks.providers.hermes_run import find_hermes, own_hermes


def plant(home):
    program = own_hermes(home)
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


async def test_what_is_installed_is_left_alone_and_found(home, monkeypatch):
    monkeypatch.delenv("COUNCIL_HERMES_BIN", raising=False)
    monkeypatch.setattr(hermes_install.sys, "executable", "/nowhere/python")
    program = plant(home)
    (program.parents[1] / "council-ready").write_text(" ".join(REQUIREMENTS))
    settings.cache_clear()
    assert installed(home)
    assert await install(home) is False
    assert find_hermes(home) == program


async def test_half_an_installation_is_none(home, monkeypatch):
    plant(home)
    assert not installed(home)


async def test_offline_is_offline(home, monkeypatch):
    monkeypatch.setenv("COUNCIL_OFFLINE", "1")
    settings.cache_clear()
    with pytest.raises(NetworkForbidden, match="COUNCIL_OFFLINE"):
        await install(home)
    assert not own_hermes(home).parent.exists()


async def test_a_failure_is_told_in_the_installers_own_words(home, monkeypatch, tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho 'no space left for venv' >&2\nexit 3\n")
    python.chmod(0o755)
    monkeypatch.setattr(hermes_install.sys, "executable", str(python))
    with pytest.raises(EngineError, match="no space left for venv"):
        await install(home)
    assert not installed(home)
