"""LangChain's own tests of models, for each of its models over each backend; a row for each test that is not skipped."""

import sys

import pytest
from langchain_tests.integration_tests import ChatModelIntegrationTests

from checks import BACKENDS, report
from langchain_models import MODELS

# What each class is for, by its name.
CASES: dict[str, tuple[str, str]] = {}


def case_of(name: str, backend: str) -> type[ChatModelIntegrationTests]:
    made, options = MODELS[name]

    class Case(ChatModelIntegrationTests):
        chat_model_class = property(lambda _: made)
        chat_model_params = property(lambda _: {"model": f"{backend}-plain", **options})
        model_override_value = property(lambda _: f"{backend}-other")

    Case.__name__ = Case.__qualname__ = f"Test{len(CASES)}"
    CASES[Case.__name__] = (f"langchain-tests, {name.removeprefix('langchain-')}", backend)
    return Case


for _name in MODELS:
    for _backend in BACKENDS:
        _case = case_of(_name, _backend)
        globals()[_case.__name__] = _case
del _case


class Reporter:
    """Turns what pytest says of a test into a row."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped or (report.when != "call" and report.passed):
            return
        _, case, check = report.nodeid.split("::")
        line = (report.longreprtext.strip().splitlines() or [""])[-1]
        told = next((line for line in report.longreprtext.splitlines() if line.startswith("E ")), line)
        tell(*CASES[case], check, f"{told} {line}"[:600] if report.failed else None)


tell = report

if __name__ == "__main__":
    import standard_tests

    plugin = standard_tests.Reporter()
    words = ["-p", "no:cacheprovider", "-p", "no:terminal", "-o", "asyncio_mode=auto", "-o", "asyncio_default_test_loop_scope=session", "--disable-socket", "--allow-hosts=127.0.0.1"]
    # 1: some tests fell, which the rows say.
    code = pytest.main([*words, "standard_tests.py"], plugins=[plugin])
    sys.exit(0 if code in (0, 1) else int(code))
