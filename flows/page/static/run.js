// Watches a run: each chip fills as its juror answers; at the end the card takes its place.
import { startCard } from "./card.js";
import { make, say } from "./talk.js";

const COLOURS = 6;
const RETRY_MS = 1500;

export function startRun() {
  const run = document.getElementById("run");
  if (run && !run.hasAttribute("data-over")) watch(run);
}

function watch(run) {
  const id = run.dataset.run;
  const source = new EventSource(`/api/runs/${encodeURIComponent(id)}/events`);
  const on = (kind, take) => source.addEventListener(kind, (event) => take(JSON.parse(event.data)));
  let options = [];
  on("waiting", (data) => data.ahead && stage(run, `${data.ahead} ${data.ahead === 1 ? "question is" : "questions are"} before yours`));
  on("started", (data) => {
    options = data.options;
    step(run, "1", "The jurors answer, each alone");
  });
  on("opinion", (data) => fill(run, data, options));
  on("debate", (data) => {
    step(run, "2", "They split: each reads the others and answers again");
    if (data.round === 2) unfill(run);
  });
  on("verdict", () => step(run, "judge", "The judge weighs what was said"));
  on("arena", (data) => step(run, "arena", `The arena: ${data.text}`));
  on("bout", (data) => document.getElementById("bouts").append(make("li", "", `${data.subject}: ${data.text}`)));
  on("done", () => {
    source.close();
    step(run, "done", "The verdict");
    showCard(id);
  });
  on("failed", (data) => {
    source.close();
    fail(run, `${data.problem.detail} ${data.problem.next}`, data.problem.title);
  });
  source.addEventListener("error", () => {
    stage(run, "The server does not answer; trying again");
    if (source.readyState === EventSource.CLOSED) setTimeout(() => lookAgain(run, id), RETRY_MS);
  });
}

// The stream is refused: the server is gone, or it is a new one that may know the verdict.
async function lookAgain(run, id) {
  const address = `/verdicts/${encodeURIComponent(id)}`;
  try {
    const state = await fetch(`/api/runs/${encodeURIComponent(id)}`);
    if (state.ok) return watch(run);
    const card = await fetch(`${address}/card`);
    if (card.ok) return showCard(id);
    if (card.status === 404) return fail(run, "The server was started anew and does not know this run. Ask again.", "This run was lost");
  } catch {
    // still away
  }
  setTimeout(() => lookAgain(run, id), RETRY_MS);
}

function fill(run, data, options) {
  const chip = chipOf(run, data.juror);
  if (!chip) return;
  const badge = chip.querySelector(".badge");
  const camp = options.indexOf(data.stance);
  clearCamp(chip, badge);
  chip.classList.remove("waiting", "silent");
  chip.classList.add(data.stance === null ? "silent" : "heard", "just");
  if (camp >= 0) {
    chip.classList.add(`in-${camp % COLOURS}`);
    badge.classList.add(`camp-${camp % COLOURS}`);
  }
  badge.textContent = data.stance === null ? "–" : (data.letter ?? "∗");
  chip.querySelector(".chip-said").textContent = data.stance ?? `No opinion: ${data.silent}`;
  say(`${data.juror}: ${data.stance ?? data.silent}`);
}

function unfill(run) {
  for (const chip of run.querySelectorAll(".chip.heard")) {
    chip.classList.remove("just");
    chip.classList.add("waiting");
  }
}

function clearCamp(chip, badge) {
  for (let camp = 0; camp < COLOURS; camp += 1) {
    chip.classList.remove(`in-${camp}`);
    badge.classList.remove(`camp-${camp}`);
  }
}

function chipOf(run, juror) {
  return [...run.querySelectorAll(".chip")].find((chip) => chip.dataset.juror === juror);
}

function step(run, name, words) {
  let passed = true;
  for (const one of run.querySelectorAll(".steps li")) {
    const now = one.dataset.step === name;
    if (now) {
      one.hidden = false;
      passed = false;
    }
    one.classList.toggle("now", now);
    one.classList.toggle("past", passed);
  }
  stage(run, words);
}

function stage(run, words) {
  const place = run.querySelector("#stage");
  if (place) place.textContent = words;
  say(words);
}

function fail(run, words, title) {
  stage(run, title);
  const problem = run.querySelector("#run-problem");
  problem.textContent = words;
  problem.hidden = false;
  run.querySelector("#run-note").hidden = true;
}

async function showCard(id) {
  const address = `/verdicts/${encodeURIComponent(id)}`;
  const response = await fetch(`${address}/card`);
  if (!response.ok) return window.location.reload();
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const outlet = document.getElementById("outlet");
  outlet.replaceChildren(...page.body.childNodes);
  startCard(outlet);
  const headline = outlet.querySelector("#headline");
  document.title = `${headline.textContent} · Council`;
  say(`The verdict: ${headline.textContent}. ${outlet.querySelector(".fold-line").textContent}`);
}
