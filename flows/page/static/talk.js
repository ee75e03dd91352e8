// Talks to the API, and to people.

export class Trouble extends Error {}

export async function post(address, body, headers = {}) {
  let response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Trouble("The council's server does not answer. Is `council serve` still running?");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Trouble([answer.detail, answer.next].filter(Boolean).join(" ") || `The server answered ${response.status}.`);
  return answer;
}

export function say(text) {
  const said = document.getElementById("said");
  if (said) said.textContent = text;
}

export function showProblem(place, error) {
  place.textContent = error instanceof Trouble ? error.message : "Something went wrong on this page. Reload it.";
  place.hidden = false;
  if (!(error instanceof Trouble)) console.error(error);
}

export function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}
