// The verdict card: voice, copies, outcome, replay.
import { startReflect } from "./reflect.js";
import { Trouble, post, say, showProblem } from "./talk.js";

export function startCard(root) {
  const card = root.querySelector("[data-verdict]");
  if (!card) return;
  startVoice(card);
  startTools(root);
  startOutcome(root);
  startReflect(root);
}

function startVoice(card) {
  const voice = window.speechSynthesis;
  if (!voice) return;
  const [speak, hush] = [card.querySelector("[data-speak]"), card.querySelector("[data-hush]")];
  card.querySelector(".voice").hidden = false;
  const speaking = (is) => {
    speak.hidden = is;
    hush.hidden = !is;
  };
  speak.addEventListener("click", () => {
    voice.cancel();
    const words = new SpeechSynthesisUtterance(card.querySelector("#foreman").textContent);
    words.onend = words.onerror = () => speaking(false);
    speaking(true);
    hush.focus();
    voice.speak(words);
  });
  hush.addEventListener("click", () => {
    voice.cancel();
    speaking(false);
    speak.focus();
  });
  window.addEventListener("pagehide", () => voice.cancel());
}

function startTools(root) {
  const problem = root.querySelector("#tools-problem");
  const on = (name, act) => {
    const button = root.querySelector(`[${name}]`);
    button?.addEventListener("click", () => act(button).catch((error) => showProblem(problem, error)));
  };
  on("data-copy", copy);
  on("data-print", async () => {
    for (const fold of document.querySelectorAll("details.fold")) fold.open = true;
    window.print();
  });
  on("data-again", again);
}

async function copy(button) {
  const response = await fetch(button.dataset.copy);
  if (!response.ok) throw new Trouble("The verdict could not be fetched.");
  try {
    await navigator.clipboard.writeText(await response.text());
  } catch {
    throw new Trouble("The browser does not allow copying here; the Markdown button saves a file.");
  }
  const before = button.textContent;
  button.textContent = "Copied ✓";
  say("Copied as Markdown.");
  setTimeout(() => (button.textContent = before), 2000);
}

async function again(button) {
  const base = button.dataset.again;
  const silent = [...document.querySelectorAll(".verdict .chip.silent")];
  const seats = silent.length ? silent : [...document.querySelectorAll(".verdict .chip")];
  const jurors = seats.map((chip) => chip.dataset.juror);
  button.disabled = true;
  try {
    const accepted = await post(`/api${base}/replay`, { jurors }, { Prefer: "respond-async" });
    window.location.assign(accepted.address);
  } finally {
    button.disabled = false;
  }
}

function startOutcome(root) {
  const form = root.querySelector("#outcome");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = root.querySelector("#outcome-said");
    try {
      const { id } = form.dataset;
      const kept = await post("/api/outcome", { deliberation_id: id, right: form.elements.right.value, note: form.elements.note.value });
      said.textContent = `Recorded: ${kept.right_option} was right.`;
    } catch (error) {
      showProblem(said, error);
    }
  });
}
