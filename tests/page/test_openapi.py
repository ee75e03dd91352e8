"""The OpenAPI document holds: what fits it, and what does not, is answered as it says; no 500."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import one_of

from contracts.settings import Settings
from flows.page.app import create_app
from flows.page.guard import Rules
from flows.page.rates import Rate, Rates
from tests.data.making import deliberation, keep

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

MODES = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def api(tmp_path_factory):
    house = Settings(home=tmp_path_factory.mktemp("home"))
    freely = Rate(1e6, 1e6)
    rates = Rates({"read": freely, "write": freely, "login": freely})
    app = create_app(house, rules=Rules(more_names=frozenset({"testserver"})), rates=rates)
    keep(app.state.page.store.journal, deliberation("d1", {"A": "yes", "B": "no"}))
    return schemathesis.openapi.from_asgi("/api/openapi.json", app)


def operations():
    """Every path with its method, from the document itself."""
    paths = create_app(Settings()).openapi()["paths"]
    return [(path, method) for path, known in paths.items() for method in known]


@pytest.mark.parametrize(("path", "method"), operations())
def test_whatever_is_sent_is_answered_as_the_document_says(api, path, method):
    @settings(
        max_examples=40,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=one_of(*(api[path][method].as_strategy(generation_mode=mode) for mode in MODES)))
    def answered(case):
        case.call_and_validate(checks=CHECKS)

    answered()
