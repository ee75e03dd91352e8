"""The expectation suites, as code. Imported only where a gate runs: Great Expectations is slow."""

from collections.abc import Sequence

import great_expectations.expectations as gxe
from great_expectations.expectations.expectation import Expectation
from great_expectations.expectations.metadata_types import FailureSeverity

MAX_QUESTION_CHARACTERS = 200_000


def batch_in() -> Sequence[Expectation]:
    """Return what a batch must be before any juror is asked; one row a question.

    Columns: key, question_id, question_chars, n_options, topic. Between and in-set checks pass
    nulls, so each is paired with not-null.
    """
    return [
        gxe.ExpectTableRowCountToBeBetween(min_value=1),
        gxe.ExpectColumnValuesToNotBeNull(column="key"),
        gxe.ExpectColumnValuesToBeUnique(column="key"),
        gxe.ExpectColumnValuesToNotBeNull(column="question_id"),
        gxe.ExpectColumnValuesToNotBeNull(column="question_chars"),
        gxe.ExpectColumnValuesToBeBetween(
            column="question_chars", min_value=1, max_value=MAX_QUESTION_CHARACTERS
        ),
        gxe.ExpectColumnValuesToNotBeNull(column="topic"),
        gxe.ExpectColumnValuesToNotBeNull(column="n_options"),
        gxe.ExpectColumnValuesToNotBeInSet(column="n_options", value_set=[1]),
        # Half a batch saying the same thing is more often a broken export than a wish.
        gxe.ExpectColumnProportionOfUniqueValuesToBeBetween(
            column="question_id", min_value=0.5, severity=FailureSeverity.WARNING
        ),
    ]


def deliberations() -> Sequence[Expectation]:
    """Return what the view `deliberation_audit` must show; one row a deliberation."""
    zero = ("n_double_opinions", "n_unclear_opinions", "n_double_votes", "n_unfounded_dissents")
    return [
        gxe.ExpectTableRowCountToBeBetween(min_value=1),
        gxe.ExpectColumnValuesToBeUnique(column="deliberation_id"),
        gxe.ExpectColumnValuesToBeInSet(column="n_deliberations", value_set=[1]),
        gxe.ExpectColumnValuesToBeInSet(column="n_verdicts", value_set=[1]),
        gxe.ExpectColumnValuesToBeBetween(column="n_opinions", min_value=1),
        *(gxe.ExpectColumnValuesToBeInSet(column=name, value_set=[0]) for name in zero),
        gxe.ExpectColumnValuesToNotBeNull(column="confidence"),
        gxe.ExpectColumnValuesToBeBetween(
            column="confidence", min_value=0, max_value=1, strict_min=True, strict_max=True
        ),
        # Null where nobody chose: then there is no ballot to add up.
        gxe.ExpectColumnValuesToBeBetween(
            column="share_sum", min_value=1 - 1e-9, max_value=1 + 1e-9
        ),
        gxe.ExpectColumnPairValuesToBeEqual(column_A="decided", column_B="has_option"),
        gxe.ExpectColumnValuesToBeInSet(column="is_orphan", value_set=[False]),
    ]


SUITES = {"batch_in": batch_in, "batch_out": deliberations, "store": deliberations}
