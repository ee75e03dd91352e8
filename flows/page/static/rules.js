// Approved rules of a council that keeps nothing: they live here and are sent with each question.
const KEY = "council.rules";
const DISMISSED = "council.dismissed";
const MOST = 20;

export const stateless = document.body.hasAttribute("data-stateless");

export function rules() {
  if (!stateless) return [];
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRule).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function keep(rule) {
  const others = rules().filter((other) => other.juror !== rule.juror || other.topic !== rule.topic);
  store([...others, { juror: rule.juror, topic: rule.topic, weight: rule.weight, evidence: rule.evidence ?? "" }]);
}

export function drop(rule) {
  store(rules().filter((other) => other.juror !== rule.juror || other.topic !== rule.topic));
}

export function dismissed() {
  try {
    const ids = JSON.parse(localStorage.getItem(DISMISSED) ?? "[]");
    return Array.isArray(ids) ? ids : [];
  } catch {
    return [];
  }
}

export function forget(proposal) {
  localStorage.setItem(DISMISSED, JSON.stringify([...dismissed(), proposal].slice(-200)));
}

export function watchRules(changed) {
  window.addEventListener("storage", (event) => event.key === KEY && changed());
  window.addEventListener("council-rules", changed);
}

function store(list) {
  localStorage.setItem(KEY, JSON.stringify(list.slice(-MOST)));
  window.dispatchEvent(new Event("council-rules"));
}

function isRule(rule) {
  return rule !== null && typeof rule === "object" && typeof rule.juror === "string" && typeof rule.topic === "string" && typeof rule.weight === "number";
}
