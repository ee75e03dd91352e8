// The question box.
import { drop, rules, stateless, watchRules } from "./rules.js";
import { make, post, say, showProblem } from "./talk.js";

const MAX_FILE = 150_000;

export function startAsk() {
  const form = document.getElementById("ask");
  if (!form) return;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(form);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  // A page that is shown again by the Back button must not stay busy.
  window.addEventListener("pageshow", () => busy(form, false));
  form.elements.file.addEventListener("change", () => takeFile(form));
  if (stateless) {
    showRules();
    watchRules(showRules);
  }
}

async function submit(form) {
  const problem = document.getElementById("ask-problem");
  problem.hidden = true;
  busy(form, true);
  const field = form.elements;
  const options = field.options.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const ask = {
    question: field.question.value,
    options,
    topic: field.topic.value.trim() || null,
    context: field.context.value || null,
    arena: field.arena.checked ? "always" : "auto",
    rules: rules(),
  };
  try {
    const accepted = await post("/api/convene", ask, { Prefer: "respond-async" });
    window.location.assign(accepted.address);
  } catch (error) {
    busy(form, false);
    showProblem(problem, error);
  }
}

function busy(form, is) {
  const button = form.querySelector("button[type=submit]");
  button.disabled = is;
  button.textContent = is ? "Convening …" : "Ask the council";
}

async function takeFile(form) {
  const [file] = form.elements.file.files;
  const name = document.getElementById("file-name");
  if (!file) return;
  if (file.size > MAX_FILE) {
    name.textContent = `${file.name} is too large: ${MAX_FILE / 1000} kB at most.`;
    return;
  }
  const text = await file.text();
  const context = form.elements.context;
  context.value = `${context.value}${context.value ? "\n\n" : ""}--- ${file.name} ---\n${text}`;
  name.textContent = `${file.name} was added to the context.`;
  form.elements.file.value = "";
}

function showRules() {
  const list = document.getElementById("rule-list");
  const kept = rules();
  list.replaceChildren(...kept.map(ruleLine));
  document.getElementById("rules").hidden = kept.length === 0;
  document.getElementById("riding").textContent = kept.length ? `${kept.length} ${kept.length === 1 ? "rule rides" : "rules ride"} along` : "";
}

function ruleLine(rule) {
  const line = make("li");
  const juror = make("b", "", rule.juror);
  const button = make("button", "button quiet", "Dismiss");
  button.type = "button";
  button.setAttribute("aria-label", `Dismiss the rule for ${rule.juror} on ${rule.topic}`);
  button.addEventListener("click", () => {
    drop(rule);
    say("The rule is gone.");
  });
  line.append(juror, ` on ${rule.topic === "*" ? "all topics" : rule.topic}`, make("span", "tag", `× ${rule.weight}`), make("span", "dim", rule.evidence ?? ""), button);
  return line;
}
