"""The verdict in words, from a template over the record."""

from contracts.verdict import Verdict

REHEARSAL = "Stand-ins answered in place of models: this is a rehearsal."


def word_verdict(verdict: Verdict, reason: str = "") -> str:
    """Return the verdict in plain sentences: what, by what split, who dissented, how sure.

    `reason` is the lead reason of the winning side, where there is one.
    """
    sentences = [_decision(verdict)]
    if verdict.decided and reason:
        sentences.append(f"What carried it: {_sentence(reason)}")
    sentences += [
        f"{dissent.juror} dissents for {dissent.option}: {_sentence(dissent.reason)}"
        for dissent in verdict.dissents
    ]
    for change in verdict.changed_minds:
        why = f", moved by this: {_sentence(change.moved_by)}" if change.moved_by else "."
        sentences.append(f"{change.juror} went from {change.before} to {change.after}{why}")
    sentences += [
        f"{seat.juror} gave no opinion ({seat.reason.replace('_', ' ')})."
        for seat in verdict.failed_seats
    ]
    if verdict.decided:
        known = "calibrated" if verdict.calibrated else "not calibrated"
        sentences.append(f"Confidence {verdict.confidence:.0%}, {known}.")
    if verdict.simulated:
        sentences.append(REHEARSAL)
    return " ".join(sentences)


def _decision(verdict: Verdict) -> str:
    if verdict.status == "no_quorum":
        return "There is no verdict: too few seats gave an opinion to decide anything."
    if verdict.status == "hung":
        return f"The council is hung, {verdict.split}: there is no verdict."
    if verdict.status == "unanimous":
        return f"The council says {verdict.option}, unanimously."
    return f"The council says {verdict.option}, {verdict.split}."


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
