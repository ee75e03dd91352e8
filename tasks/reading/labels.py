"""The names under which jurors file the parts of an answer, whatever words and case they choose."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

Role = Literal["choice", "either", "position", "reasons", "confidence", "changed", "moved_by"]

_CHOICE = """
    choice option letter selection selected pick picked chosen selected_option chosen_option
    option_letter option_id answer_letter answer_choice selected_answer chosen_answer
    selected_choice preferred_option best_option recommended_option vote_for opción opcion opção
    choix wahl auswahl scelta opzione keuze wybór выбор вариант 选择 選択 選項 选项 선택
"""
_EITHER = """
    answer final_answer correct_answer best_answer ans solution verdict vote ballot decision
    stance recommendation recommend recommended winner preference preferred judgment judgement
    conclusion final_decision final_verdict final_choice final_option réponse reponse décision
    antwort entscheidung urteil empfehlung respuesta decisión veredicto resposta decisão
    risposta decisione antwoord odpowiedź ответ решение вердикт 答案 回答 决定 結論 结论
    投票 解答 답 답변 결정 결론
"""
_POSITION = """
    position statement claim opinion view thesis summary posición posição posizione posicion
    haltung standpunkt позиция мнение 立场 立場 意見 观点 입장 의견
"""
_REASONS = """
    reasons reason reasoning rationale rationales justification justifications explanation
    arguments argument why because evidence key_points key_reasons main_reasons
    supporting_reasons grounds raisons raison razones razón motivos razões ragioni motivi gründe
    grund begründung redenen powody причины причина обоснование аргументы 理由
    原因 依据 根拠 이유 근거
"""
_CONFIDENCE = """
    confidence conf confidence_score confidence_level confidence_value certainty certainty_level
    probability likelihood credence sureness how_confident confianza confiance confiança fiducia
    konfidenz zuversicht sicherheit vertrouwen pewność уверенность 置信度 信心 自信
    确信度 確信度 신뢰도 확신 확신도
"""
_CHANGED = """
    changed changed_mind changed_my_mind mind_changed changed_position switched
"""
_MOVED_BY = """
    moved_by changed_by persuaded_by convinced_by what_changed what_moved_you moved change_reason
    reason_for_change
"""

_LONGEST = 80
"""Characters of a key that are looked at."""


def plain_name(name: str) -> str:
    """Return a key or label as it is compared: letters and digits in lower case."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", name[:_LONGEST]).casefold())


def _table() -> dict[str, Role]:
    rows: Iterable[tuple[Role, str]] = (
        ("choice", _CHOICE),
        ("either", _EITHER),
        ("position", _POSITION),
        ("reasons", _REASONS),
        ("confidence", _CONFIDENCE),
        ("changed", _CHANGED),
        ("moved_by", _MOVED_BY),
    )
    return {plain_name(word): role for role, words in rows for word in words.split()}


_ROLES = MappingProxyType(_table())
_OWNER = re.compile(r"^(?:my|your|our|the|this|juror|final|overall|updated|revised)+")
_UNIT = re.compile(r"(?:percent(?:age)?|pct|inpercent|outof\d+|\d+)$")


def role_of(name: str) -> Role | None:
    """Return which part of an answer a key or label announces; None for any other word."""
    return _role_of(name[:_LONGEST])


@lru_cache(maxsize=1024)
def _role_of(name: str) -> Role | None:
    plain = plain_name(name)
    role = _ROLES.get(plain) or _ROLES.get(_OWNER.sub("", plain))
    measured = _ROLES.get(_UNIT.sub("", plain))
    return role or (measured if measured == "confidence" else None)


def label_words() -> tuple[str, ...]:
    """Return every known label as it is written in prose, longest first."""
    every = f"{_CHOICE} {_EITHER} {_POSITION} {_REASONS} {_CONFIDENCE} {_MOVED_BY}".split()
    return tuple(sorted({word.replace("_", " ") for word in every}, key=lambda w: (-len(w), w)))
