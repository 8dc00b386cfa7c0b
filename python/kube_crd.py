"""Starts `kube-crd serve` for tests: an API server for CRDs in the time of a process.

Copy this file beside your tests. In conftest.py:

    from kube_crd import cluster_fixture
    cluster = cluster_fixture("--crds", "config/crd")

The program is that of the environment variable KUBE_CRD (several words, or one), otherwise kube-crd on the PATH. Nothing but
the standard library is needed; the fixture needs pytest.
"""

import json
import os
import shlex
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Cluster:
    """A server that runs."""

    address: str
    kubeconfig: str
    token: str
    certificate_authority: str
    kubernetes: str


@contextmanager
def serve(*options):
    """Runs `kube-crd serve` with options such as "--crds", "config/crd" while its block runs."""
    program = shlex.split(os.environ.get("KUBE_CRD", "")) or ["kube-crd"]
    with subprocess.Popen(
        [*program, "serve", "--until-eof", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            line = server.stdout.readline()
            if not line:
                raise RuntimeError("kube-crd serve did not start: see what it has printed")
            ready = json.loads(line)
            authority = ready.pop("certificateAuthority")
            yield Cluster(certificate_authority=authority, **ready)
        finally:
            server.stdin.close()


def cluster_fixture(*options, scope="session"):
    """A fixture of pytest that gives a running server."""
    import pytest

    @pytest.fixture(scope=scope)
    def cluster():
        with serve(*options) as running:
            yield running

    return cluster
