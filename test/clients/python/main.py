"""Asks the gateway with every client over every backend, and prints a row for each check."""

import subprocess
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor

import langchain_models
import loops
import official
from checks import BACKENDS, Client, checks_of, report

# Most checks wait for a slow backend.
AT_ONCE = 24


def row(client: Client, backend: str, check: str, run) -> None:
    try:
        run()
        why = None
    except BaseException as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__} at {where.name}: {error}"[:600]
    report(client.name, backend, check, why)


def main() -> int:
    # A process of its own, which has another core.
    standard = subprocess.Popen([sys.executable, "-B", "standard_tests.py"])
    clients = [*official.CLIENTS, *langchain_models.CLIENTS, *loops.CLIENTS]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for client in clients:
            for backend in BACKENDS:
                for check, run in checks_of(client, backend).items():
                    pool.submit(row, client, backend, check, run)
    return standard.wait()


sys.exit(main())
