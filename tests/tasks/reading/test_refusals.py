"""Refusals in the words of many models and languages, and answers that only sound like one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.question import Option, Question
from tasks.reading.refusals import unwilling

LEDGER = Question(
    text="Which database should hold the billing ledger?",
    options=(Option(name="PostgreSQL"), Option(name="MongoDB")),
)
OPEN = Question(text="What should we do about refunds?")
REFUSED = """
I can't help with that request.
I’m sorry, but I can’t assist with that.
Sorry, I can't help with that.
I cannot answer this
I am unable to comply with this request.
I won't be able to help with that.
I must decline to answer.
I apologize, but I cannot fulfill this request.
As an AI language model, I cannot provide a recommendation.
I'm not able to provide advice on this matter.
I'm afraid I can't do that.
Unfortunately, I cannot provide that.
Your request was flagged by our policy.
This request violates our usage policies.
I can't help choose between PostgreSQL and MongoDB.
Je suis désolé, mais je ne peux pas répondre à cette question.
Je ne peux pas vous aider avec cette demande.
Es tut mir leid, aber dabei kann ich nicht helfen.
Ich kann diese Frage nicht beantworten.
Lo siento, pero no puedo ayudar con eso.
No puedo ayudarte con eso.
Desculpe, não posso ajudar com isso.
Mi dispiace, ma non posso rispondere.
Het spijt me, maar ik kan hier niet bij helpen.
Przepraszam, nie mogę pomóc.
Tyvärr kan jag inte hjälpa till med det.
Üzgünüm, bu konuda yardımcı olamam.
Извините, я не могу помочь с этим.
К сожалению, я не могу ответить на этот вопрос.
抱歉，我无法回答这个问题。
對不起，我不能提供協助。
申し訳ありませんが、お答えできません。
죄송합니다. 도와드릴 수 없습니다.
عذراً، لا أستطيع المساعدة في ذلك.
माफ़ करें, मैं इसमें मदद नहीं कर सकता।
Xin lỗi, tôi không thể giúp.
Maaf, saya tidak bisa membantu.
"""
DECLINED = """
Don't know
I don't know.
I'm not sure
I cannot decide.
Any of these could be argued; I cannot decide.
I abstain.
No opinion
As an AI, I don't have personal opinions.
There is not enough information to decide.
It cannot be determined from the given information.
I can't choose between the two.
Undecided
Ich weiß es nicht.
Je ne sais pas.
No lo sé
Я воздерживаюсь
不知道
わかりません
모르겠습니다
"""
ANSWERED = """
We should not offer refunds.
It is not ethical to sell it.
I cannot support the migration; PostgreSQL it is.
I can't recommend MongoDB for money, use PostgreSQL.
I would not choose MongoDB.
We can't provide refunds after 30 days.
I won't pick MongoDB: PostgreSQL.
PostgreSQL. I cannot choose MongoDB for a ledger.
I'm sorry to say MongoDB loses.
I can't provide a guarantee, but PostgreSQL is the safest.
MongoDB cannot help with joins.
I don't have personal opinions, but PostgreSQL is the better fit.
No, because it is not possible to share the schema.
I'm not sure about scale, however PostgreSQL is my choice.
I refuse to believe MongoDB is safe.
Police power cannot support it.
"""


def lines(block):
    return block.strip().split("\n")


@pytest.mark.parametrize("question", [LEDGER, OPEN], ids=["closed", "open"])
@pytest.mark.parametrize("text", lines(REFUSED))
def test_a_refusal_is_known_in_many_languages(text, question):
    assert unwilling(text, question) == "refused"


@pytest.mark.parametrize("question", [LEDGER, OPEN], ids=["closed", "open"])
@pytest.mark.parametrize("text", lines(DECLINED))
def test_a_juror_that_takes_no_side_is_known(text, question):
    assert unwilling(text, question) == "declined"


@pytest.mark.parametrize("text", lines(ANSWERED))
def test_an_answer_that_sounds_like_a_refusal_is_none(text):
    assert unwilling(text, LEDGER) is None


@pytest.mark.parametrize(
    "text",
    [
        "I don't have personal preferences, but a monolith suits small teams better.",
        "I can't give a guarantee, but the two-phase rollout is the safest of all.",
        "We should not share customer data.",
        "It is not right to charge for it.",
    ],
)
def test_an_open_question_is_answered_with_a_but_and_with_a_judgment(text):
    assert unwilling(text, OPEN) is None


def test_words_of_refusal_far_down_in_an_answer_are_none():
    text = "PostgreSQL holds money well. " * 20 + "I cannot help with the rest."
    assert unwilling(text, OPEN) is None


@settings(deadline=None)
@given(st.text())
def test_any_text_is_judged(text):
    assert unwilling(text, LEDGER) in (None, "refused", "declined")
