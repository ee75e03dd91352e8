"""A real model with no key, no server and no network: SmolLM2-135M, asked what it finds likely.

It writes nothing. It scores each option by log p(option | question) − log p(option | no question):
the pointwise mutual information of question and option, which keeps an option from winning because
it is a common phrase (Holtzman et al. 2021, arXiv 2104.08315). Each option is scored by itself, so
the order in which options are listed cannot matter.

Measured on two-choice facts (`facts_two_choice.json` of its tests): 32 of 40 that nothing was
chosen on. On judgment calls it beats no coin, its confidence is a softmax of scores and no
probability of being right, and its only reason is its margin. It reads the question alone: with
material to read it was right on 9 of 16 questions about that material, as without it, and shown
another juror's answer it repeats that (right on 57 of 60 facts after a right answer, 14 after a
wrong one; listing the options in the question brings it down to 36).
"""

import asyncio
import json
import math
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple

from contracts.errors import BadRequest, ContextOverflow, ModelNotFound, ProviderTimeout
from contracts.juror import Endpoint
from contracts.opinion import Usage
from contracts.question import letter
from tasks.providers.base import Completion, Request
from tasks.providers.smollm import Check, pack
from tasks.providers.smollm_weights import PACKAGE, SHA256, VERSION, Loaded, load

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MODEL = "smollm2-135m"
FULL_NAME = "smollm2-135m-instruct Q4_1"
MIN_MARGIN = 0.25
"""Nats between the two likeliest options below which the juror abstains: within what rounding the
activations would change. Of the 60 facts that it was chosen on, 3 lay below (1 right) and 57 above
(50 right); of the 40 held out, 5 (2 right) and 35 (30 right)."""

# The model's own chat template and system text; the opening that did best on those 60 facts.
_SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
_OPENING = "The correct answer is"
_LEADS = (
    "A likelihood, not an argument: the question raises it {:.2f} nats more than the next option "
    "(score: log p with the question minus log p without; uncalibrated)."
)
_TOO_LOW = (
    "A likelihood, not an argument: the margin of {:.2f} nats between the two likeliest options is "
    "too low; below {:g} it says nothing."
)

_loaded = cache(load)


class Scored(NamedTuple):
    """The score of each option in nats, in the order asked, and the tokens that it took."""

    scores: tuple[float, ...]
    tokens: int


class LocalModel:
    """Provider `local`: opt in with `provider = "local"`, `model = "smollm2-135m"`.

    Weights are loaded once per process. One worker thread does all the arithmetic, call by call.
    """

    def __init__(self, min_margin: float = MIN_MARGIN) -> None:
        """Abstain below `min_margin` nats between the two likeliest options."""
        self._min_margin = min_margin

    async def complete(self, endpoint: Endpoint, request: Request) -> Completion:
        """Return an opinion on `request.options`, or an abstention where the margin is low.

        The question is `request.facts["question"]`, else `request.user`. Temperature, token limit
        and seed do not apply: the same question and options give the same opinion.

        Raises:
            BadRequest: for an open question: without options there is nothing to score.
            ContextOverflow: for a question that does not fit the model's window. It is not cut:
                half a question is another question.
            Misconfigured: where the extra or the weights are not installed, with the commands.
            ModelNotFound: for another model than `smollm2-135m`.
            ProviderTimeout: after `endpoint.timeout_seconds`, waiting for the worker included.
        """
        _refuse(endpoint, request)
        began = time.perf_counter()
        question = str(request.facts.get("question") or request.user)
        scored = await _in_worker(question, request.options, endpoint.timeout_seconds)
        answer = opinion(request.options, scored.scores, self._min_margin)
        latency_ms = (time.perf_counter() - began) * 1000
        return Completion(
            text=json.dumps({**answer, **_changed(answer, request)}, ensure_ascii=False),
            finish_reason="stop",
            usage=Usage(
                prompt_tokens=scored.tokens,
                completion_tokens=0,
                cost_usd=0.0,
                latency_ms=latency_ms,
                calls=1,
            ),
            model=FULL_NAME,
            via="local",
            provider_version=f"{PACKAGE} {VERSION} sha256:{SHA256[:12]}",
            flags=("likelihood",),
        )


def opinion(
    options: Sequence[str], scores: Sequence[float], min_margin: float = MIN_MARGIN
) -> dict[str, Any]:
    """Return the answer, in the form that prompts ask for, that `scores` (nats) amount to.

    Two or more options. The confidence is the softmax of the scores, uncalibrated. Below
    `min_margin` the answer abstains and names no option.
    """
    best, rival = sorted(range(len(options)), key=lambda i: (-scores[i], options[i]))[:2]
    margin = scores[best] - scores[rival]
    if margin < min_margin:
        return {
            "choice": None,
            "position": f"I cannot judge this: a margin of {margin:.2f} nats is too low.",
            "reasons": [_TOO_LOW.format(margin, min_margin)],
            "confidence": None,
        }
    return {
        "choice": letter(best),
        "position": options[best],
        "reasons": [_LEADS.format(margin)],
        "confidence": round(softmax(scores)[best], 3),
    }


def softmax(scores: Sequence[float]) -> list[float]:
    """Return exp(score), scaled to add up to 1."""
    top = max(scores)
    odds = [math.exp(score - top) for score in scores]
    return [each / sum(odds) for each in odds]


def _refuse(endpoint: Endpoint, request: Request) -> None:
    if endpoint.model != MODEL:
        raise ModelNotFound(
            f"the provider 'local' has the model {MODEL!r} and not {endpoint.model!r}; "
            "correct the seat's model in the roster"
        )
    if not request.options:
        raise BadRequest(
            "the local model scores options and cannot answer an open question: ask with options, "
            "or hear it in round 2, when the other jurors' answers have become the options"
        )
    if len(request.options) == 1:
        raise BadRequest("the local model compares options, and there is one option only")


def _changed(answer: Mapping[str, Any], request: Request) -> dict[str, Any]:
    """Return what round 2 asks for beyond round 1: no argument ever moves this juror."""
    if "own" not in request.facts:
        return {}
    own = request.facts["own"]
    held = own is None or answer["choice"] is None or answer["position"] == own
    return {"changed": not held, "moved_by": None}


async def _in_worker(question: str, options: Sequence[str], seconds: float) -> Scored:
    stop = Event()
    job = partial(_score, question, options, stop)
    try:
        async with asyncio.timeout(seconds):
            return await asyncio.get_running_loop().run_in_executor(_worker(), job)
    except TimeoutError:
        raise ProviderTimeout(
            f"the local model gave no answer within {seconds:g} s; raise the seat's "
            "timeout_seconds, or shorten the question"
        ) from None
    finally:
        stop.set()


@cache
def _worker() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="local-model")


class _Stopped(Exception):
    """Nobody waits for the answer any more."""


def _score(question: str, options: Sequence[str], stop: Event) -> Scored:
    def check() -> None:
        if stop.is_set():
            raise _Stopped

    check()
    return score(_loaded(), question, options, check)


def score(
    loaded: Loaded, question: str, options: Sequence[str], check: Check = lambda: None
) -> Scored:
    """Return log p(option | question) − log p(option | no question) of each option.

    Raises:
        ContextOverflow: where question and options are more tokens than the model's window.
    """
    model, words = loaded.model, loaded.words
    names = sorted({option.strip() for option in options})  # one packing for every listed order
    prompts = [_prompt(loaded, question.strip()), _prompt(loaded, "")]
    packed = pack(prompts, [_tokens(words, f" {name}") for name in names])
    if len(packed.tokens) > model.context_length:
        raise ContextOverflow(
            f"question and options are {len(packed.tokens):,} tokens; the local model takes "
            f"{model.context_length:,}. Shorten the question."
        )
    with loaded.threads.limit(limits=1, user_api="blas"):
        with_question, without = model.log_likelihood(packed, check)
    by_name = dict(zip(names, (with_question - without).tolist(), strict=True))
    return Scored(tuple(by_name[option.strip()] for option in options), len(packed.tokens))


def _prompt(loaded: Loaded, question: str) -> list[int]:
    def opened(turn: str) -> list[int]:
        return [loaded.turn_start, *_tokens(loaded.words, turn)]

    closed = [loaded.turn_end, *_tokens(loaded.words, "\n")]
    asked = [*opened(f"system\n{_SYSTEM}"), *closed, *opened(f"user\n{question}"), *closed]
    return [*asked, *opened(f"assistant\n{_OPENING}")]


def _tokens(words: "Tokenizer", text: str) -> list[int]:
    # The tokenizer takes no lone surrogates.
    ids: list[int] = words.encode(text.encode("utf-8", "replace").decode()).ids
    return ids
