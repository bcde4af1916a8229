"""The server of forked children is ended after the last test."""

import sys

import pytest


@pytest.fixture(scope="session", autouse=True)
def _ended():
    yield
    if client := sys.modules.get("agents.agent_client"):  # which is skipped without the package mcp
        client.OPEN.close()
