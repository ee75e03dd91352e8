"""The sample generator makes as many different questions as are wanted."""

import pytest

from tasks.batch_file import read_batch_file
from tasks.sample_questions import write_sample


@pytest.mark.parametrize("count", [1, 1000])
def test_a_sample_reads_as_so_many_different_questions(home, count):
    found = read_batch_file(write_sample(home, count))
    assert (len(found.items), found.faults) == (count, ())
    assert len({item.question.question_id for item in found.items}) == count
