"""Data gates: Great Expectations over what goes into a batch and what comes out of it."""

from datetime import datetime
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from contracts.base import sha256_text
from contracts.batch import Batch
from contracts.errors import GateFailed, UsageError
from contracts.gate import GateCheck, GateResult
from contracts.settings import export
from data.journal import Journal
from data.store import Store

if TYPE_CHECKING:
    import pandas as pd
    from great_expectations.core import ExpectationSuiteValidationResult

Gate = Literal["batch_in", "batch_out", "store"]
KEY = {"batch_in": "key", "batch_out": "deliberation_id", "store": "deliberation_id"}
"""The column that names a row in what a suite reports."""
EXAMPLES = 5


def gate_in(home: Path, batch: Batch, *, ran_at: datetime) -> GateResult:
    """Judge a batch before any juror is asked, and record the result."""
    import pandas as pd  # noqa: PLC0415 - slow to import

    frame = pd.DataFrame(
        [
            {
                "key": item.key,
                "question_id": item.question.question_id,
                "question_chars": len(item.question.text),
                "n_options": len(item.question.options),
                "topic": item.question.topic,
            }
            for item in batch.items
        ]
    )
    return _judge(home, "batch_in", frame, batch.batch_id, ran_at)


def gate_out(
    home: Path, batch_id: str | None, *, ran_at: datetime, docs: Path | None = None
) -> GateResult:
    """Judge what a batch wrote, or the whole store where no batch is named; record the result.

    Args:
        home: where it stands.
        batch_id: the batch; None is the whole store.
        ran_at: when it is judged.
        docs: where to write Great Expectations' own page of the result, if anywhere.

    Raises:
        UsageError: when the page cannot be written; nothing is judged then.
    """
    import pandas as pd  # noqa: PLC0415 - slow to import

    found = Store(home).query("deliberation_audit", batch=batch_id)
    frame = pd.DataFrame(list(found.rows), columns=list(found.columns))
    return _judge(home, "batch_out" if batch_id else "store", frame, batch_id, ran_at, docs)


def require(result: GateResult) -> None:
    """Stop where a gate did not pass.

    Raises:
        GateFailed: naming each expectation that broke, and the first rows that broke it.
    """
    if result.passed:
        return
    broken = [
        f"{check.expectation}({check.column or 'table'}): {check.unexpected} rows"
        + (f", first {', '.join(check.examples)}" if check.examples else "")
        + (f" [{check.detail}]" if check.detail else "")
        for check in result.checks
        if not check.passed and check.severity == "critical"
    ]
    raise GateFailed(f"gate {result.gate} did not pass: {'; '.join(broken)}")


def _judge(
    home: Path,
    gate: Gate,
    frame: "pd.DataFrame",
    batch_id: str | None,
    ran_at: datetime,
    docs: Path | None = None,
) -> GateResult:
    if docs is not None:
        # Its page shows the values as they are, whatever tags are in them.
        frame = frame.map(lambda value: escape(value) if isinstance(value, str) else value)
        _write(docs, "", "a")
    ran = _run(gate, frame)
    if docs is not None:
        _write(docs, _page(ran), "w")
    checks = tuple(_check(result, KEY[gate]) for result in ran.results)
    result = GateResult(
        gate_id=sha256_text(f"{gate}:{batch_id}:{ran_at.isoformat()}")[:16],
        gate=gate,
        batch_id=batch_id,
        passed=all(check.passed for check in checks if check.severity == "critical"),
        rows=len(frame),
        checks=checks,
        ran_at=ran_at,
    )
    Journal(home).put("gate", result.gate_id, result)
    return result


def _run(gate: Gate, frame: "pd.DataFrame") -> "ExpectationSuiteValidationResult":
    """Run the suite in an ephemeral context: no files, no telemetry, no progress bars."""
    export("GX_ANALYTICS_ENABLED", "False")
    import great_expectations as gx  # noqa: PLC0415 - seconds to import
    from great_expectations.data_context.types.base import ProgressBarsConfig  # noqa: PLC0415

    from data.expectations import SUITES  # noqa: PLC0415

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    suite = context.suites.add(gx.ExpectationSuite(name=gate, expectations=list(SUITES[gate]())))
    asset = context.data_sources.add_pandas("frame").add_dataframe_asset(gate)
    whole = asset.add_batch_definition_whole_dataframe("all")
    definition = context.validation_definitions.add(
        gx.ValidationDefinition(name=gate, data=whole, suite=suite)
    )
    shape = {"result_format": "COMPLETE", "unexpected_index_column_names": [KEY[gate]]}
    return definition.run(batch_parameters={"dataframe": frame}, result_format=shape)


def _page(ran: "ExpectationSuiteValidationResult") -> str:
    """Return the result as a page of Data Docs, which takes its looks from the network."""
    from great_expectations.render.renderer import (  # noqa: PLC0415
        ValidationResultsPageRenderer,
    )
    from great_expectations.render.view import DefaultJinjaPageView  # noqa: PLC0415

    renderer: Any = ValidationResultsPageRenderer(run_info_at_end=True)
    view: Any = DefaultJinjaPageView()
    return str(view.render(renderer.render(ran)))


def _write(docs: Path, page: str, mode: Literal["a", "w"]) -> None:
    try:
        with docs.open(mode, encoding="utf-8") as file:
            file.write(page)
    except OSError as error:
        raise UsageError(f"{docs} cannot be written: {error.strerror or error}") from error


def _check(result: Any, key: str) -> GateCheck:
    config, found = result.expectation_config, result.result or {}
    broken = found.get("unexpected_index_list") or []
    raised = [
        str(info.get("exception_message"))
        for info in (result.exception_info or {}).values()
        if isinstance(info, dict) and info.get("raised_exception")
    ]
    return GateCheck(
        expectation=config.type,
        column=config.kwargs.get("column") or config.kwargs.get("column_A"),
        passed=bool(result.success),
        severity=str(getattr(config.severity, "value", config.severity) or "critical"),
        unexpected=int(found.get("unexpected_count") or 0),
        examples=tuple(str(row.get(key)) for row in broken[:EXAMPLES] if isinstance(row, dict)),
        detail="; ".join(raised)[:500] or _observed(found),
    )


def _observed(found: dict[str, Any]) -> str:
    value = found.get("observed_value")
    return "" if value is None else f"observed {value}"
