"""The council's plots as SVG text. One implementation for the report and the page."""

import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Rows = Sequence[Mapping[str, Any]]
"""Records of a named query."""

COLOURS = ("#4269d0", "#ff725c", "#3ca951", "#a463f2", "#efb118", "#6cc5b0", "#9c6b4e", "#97bbf5")
ALL_TOPICS = "*"
DARK = 0.35
"""Distance from the middle of the colour map at which black figures cannot be read."""
MOST_ROWS = 40
LONGEST = 28
"""Characters of a name on an axis."""


def reliability(rows: Rows) -> str | None:
    """Draw how often each juror was right on each topic, with its 95 % interval.

    Of many rows those over all topics and those with the most outcomes are drawn.
    """
    if not rows:
        return None
    most = sorted(rows, key=lambda row: (row["topic"] != ALL_TOPICS, -row["n"]))[:MOST_ROWS]
    ordered = sorted(most, key=lambda row: (row["juror"], row["topic"]))
    with _figure(6.4, 0.9 + 0.24 * len(ordered)) as (figure, axes):
        for place, row in enumerate(ordered):
            low, high = row["reliability"] - row["low"], row["high"] - row["reliability"]
            axes.errorbar(
                row["reliability"],
                -place,
                xerr=[[max(low, 0)], [max(high, 0)]],
                fmt="o",
                color=_colour(row["juror"], ordered),
                capsize=2,
            )
        names = [f"{_short(r['juror'])} · {_topic(r['topic'])} ({r['n']})" for r in ordered]
        axes.set_yticks([-place for place in range(len(ordered))], names)
        axes.set_ylim(0.5 - len(ordered), 0.5)
        axes.set_xlim(0, 1.02)
        axes.axvline(0.5, color="0.8", linewidth=0.8)
        axes.set_xlabel("share of recorded outcomes in which the juror was right")
        return _svg(figure)


def agreement(rows: Rows) -> str | None:
    """Draw how often each two jurors agree, as a heat map."""
    if not rows:
        return None
    names = sorted({row["juror_a"] for row in rows} | {row["juror_b"] for row in rows})
    shares = {(row["juror_a"], row["juror_b"]): row["agreement"] for row in rows}
    shares |= {(b, a): share for (a, b), share in shares.items()}
    size = 1.6 + 0.5 * len(names)
    with _figure(size, size - 0.4) as (figure, axes):
        grid = [[shares.get((a, b), float("nan")) for b in names] for a in names]
        places = range(len(names))
        axes.pcolormesh(places, places, grid, vmin=0, vmax=1, cmap="RdYlBu", shading="nearest")
        axes.invert_yaxis()
        for y, line in enumerate(grid):
            for x, share in enumerate(line):
                if share == share:  # noqa: PLR0124 - NaN, of a juror with itself
                    ink = "white" if abs(share - 0.5) > DARK else "black"
                    axes.text(x, y, f"{share:.2f}", ha="center", va="center", color=ink, fontsize=8)
        axes.set_xticks(places, map(_short, names), rotation=40, ha="right")
        axes.set_yticks(places, map(_short, names))
        return _svg(figure)


def calibration(rows: Rows) -> str | None:
    """Draw the share of verdicts that were right against the confidence they were given with."""
    if not rows:
        return None
    with _figure(4.6, 4.2) as (figure, axes):
        axes.plot([0, 1], [0, 1], color="0.7", linestyle="--", linewidth=1)
        for row in rows:
            low, high = row["share_right"] - row["low"], row["high"] - row["share_right"]
            axes.errorbar(
                row["mean_confidence"],
                row["share_right"],
                yerr=[[max(low, 0)], [max(high, 0)]],
                fmt="o",
                color=COLOURS[0],
                markersize=4 + min(row["n"], 100) / 20,
                capsize=2,
            )
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1.02)
        axes.set_xlabel("confidence")
        axes.set_ylabel("share that was right")
        first = rows[0]
        axes.set_title(f"Brier {first['brier']:.3f} · ECE {first['ece']:.3f}", fontsize=9)
        return _svg(figure)


def drift(rows: Rows) -> str | None:
    """Draw each juror's reliability over the last four weeks, week by week."""
    if not rows:
        return None
    jurors = sorted({row["juror"] for row in rows})
    with _figure(6.4, 3.2) as (figure, axes):
        for juror in jurors:
            mine = [row for row in rows if row["juror"] == juror]
            weeks = [row["week"] for row in mine]
            shares = [row["reliability"] for row in mine]
            colour = COLOURS[jurors.index(juror) % len(COLOURS)]
            axes.plot(weeks, shares, "o-", markersize=3, label=_short(juror), color=colour)
        axes.set_ylim(0, 1.02)
        axes.set_ylabel("right, last four weeks")
        axes.legend(fontsize=8, frameon=False)
        axes.tick_params(axis="x", rotation=30)
        return _svg(figure)


def debate_gain(rows: Rows) -> str | None:
    """Draw how many verdicts were right before the debate and after it, by topic."""
    if not rows:
        return None
    with _figure(5.6, 1.2 + 0.4 * len(rows)) as (figure, axes):
        for place, row in enumerate(rows):
            n = max(row["n"], 1)
            axes.barh(-place + 0.18, row["n_right_before"] / n, 0.34, color="0.75")
            axes.barh(-place - 0.18, row["n_right_after"] / n, 0.34, color=COLOURS[0])
        names = [f"{_topic(row['topic'])} ({row['n']})" for row in rows]
        axes.set_yticks([-place for place in range(len(rows))], names)
        axes.set_xlim(0, 1)
        axes.set_xlabel("share right: before the debate (grey), after it (blue)")
        return _svg(figure)


def cost(rows: Rows) -> str | None:
    """Draw calls and dollars per verdict, by topic."""
    if not rows:
        return None
    with _figure(5.6, 1.1 + 0.3 * len(rows)) as (figure, axes):
        places = [-place for place in range(len(rows))]
        axes.barh(places, [row["mean_calls"] or 0 for row in rows], 0.6, color=COLOURS[0])
        for place, row in zip(places, rows, strict=True):
            axes.text(row["mean_calls"] or 0, place, f" ${row['mean_usd'] or 0:.4f}", va="center")
        axes.set_yticks(places, [f"{_topic(row['topic'])} ({row['n']})" for row in rows])
        axes.set_xlabel("calls per verdict; mean US dollars beside")
        return _svg(figure)


PLOTS: Mapping[str, tuple[str, str, Callable[[Rows], str | None]]] = {
    "reliability": ("Reliability by juror and topic", "juror_reliability", reliability),
    "agreement": ("Who agrees with whom", "pairwise_agreement", agreement),
    "calibration": ("What the confidence is worth", "calibration", calibration),
    "debate": ("What the debate brought", "debate_gain", debate_gain),
    "drift": ("Reliability over time", "reliability_drift", drift),
    "cost": ("What a verdict costs", "cost_per_verdict", cost),
}
"""Name → title, the named query that it draws, the drawing."""


@contextmanager
def _figure(width: float, height: float) -> "Iterator[tuple[Figure, Axes]]":
    import matplotlib as mpl  # noqa: PLC0415 - slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415

    style = {
        "text.parse_math": False,  # a juror may be named "$x$"
        "svg.fonttype": "none",
        "svg.hashsalt": "council",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "figure.constrained_layout.use": True,
    }
    with mpl.rc_context(style):  # type: ignore[arg-type]  # its stubs want a literal in place
        figure = Figure(figsize=(width, min(height, 40)))
        yield figure, figure.subplots()


def _svg(figure: "Figure") -> str:
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    whole = text.getvalue()
    return whole[whole.index("<svg") :]


def _colour(juror: str, rows: Rows) -> str:
    jurors = sorted({row["juror"] for row in rows})
    return COLOURS[jurors.index(juror) % len(COLOURS)]


def _topic(name: str) -> str:
    return "all topics" if name == ALL_TOPICS else _short(name)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
