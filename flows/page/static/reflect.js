// "Should the council reweight itself?": proposals, each approved or dismissed by a person.
import { dismissed, forget, keep, rules, stateless } from "./rules.js";
import { make, post, say, showProblem } from "./talk.js";

export function startReflect(root) {
  const button = root.querySelector("[data-reflect]");
  const place = root.querySelector("#proposals");
  button?.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const { proposals, personas } = await post("/api/reflect", {});
      const open = proposals.filter(undecided).map((offer) => ({ ...offer.proposal, ...offer }));
      const cards = [...open.map(proposal), ...personas.map(persona)];
      place.replaceChildren(...(cards.length ? cards : [make("p", "empty", "The evidence speaks for no change.")]));
    } catch (error) {
      showProblem(place, error);
    } finally {
      button.disabled = false;
    }
  });
}

// What this browser decided where the server keeps nothing.
function undecided({ proposal_id: id, proposal: { juror, topic, weight } }) {
  const approved = rules().some((rule) => rule.juror === juror && rule.topic === topic && rule.weight === weight);
  return !approved && !dismissed().includes(id);
}

function proposal(one) {
  const card = make("section", "proposal");
  const head = make("h3", "", `${one.juror} on ${onTopic(one)}: weight × ${one.weight}`);
  const words = make("p", "", one.words);
  const turned = one.counterfactual.turned.length;
  const effect = make("p", "dim", `Replayed over ${one.counterfactual.replayed} past verdicts: ${turned} would have been another` + (turned ? `, ${one.counterfactual.better} better and ${one.counterfactual.worse} worse by what turned out.` : "."));
  card.append(head, words, effect, evidence(one), actions(one, card));
  return card;
}

// A critic of the arena: its rule stands in a file, so no browser can keep it.
function persona({ proposal_id, proposal: one }) {
  const card = make("section", "proposal");
  const head = make("h3", "", `${one.persona} on ${onTopic(one)}: ${one.cast} cast`);
  const decide = stateless ? make("p", "dim", "To approve or dismiss it, it takes a server that may write: this one keeps nothing.") : actions({ proposal_id }, card);
  card.append(head, make("p", "", one.words), decide);
  return card;
}

function onTopic(one) {
  return one.topic === "*" ? "all topics" : one.topic;
}

function evidence(one) {
  const fold = make("details", "fold small");
  fold.append(make("summary", "", `The evidence: ${one.evidence.length} rows`));
  const list = make("ul");
  for (const row of one.evidence) {
    const line = make("li");
    const link = make("a", "", row.question);
    link.href = `/verdicts/${encodeURIComponent(row.deliberation_id)}`;
    line.append(link, `: held ${row.stance}, the verdict was ${row.verdict}` + (row.right ? `, right was ${row.right}` : ""));
    list.append(line);
  }
  fold.append(list);
  return fold;
}

function actions(one, card) {
  const line = make("p", "act");
  const said = make("p", "", "");
  said.setAttribute("role", "status");
  for (const [decision, words] of [["approve", "Approve"], ["dismiss", "Dismiss"]]) {
    const button = make("button", decision === "approve" ? "button" : "button quiet", words);
    button.type = "button";
    button.addEventListener("click", async () => {
      try {
        const done = await post("/api/reflect", { [decision]: one.proposal_id });
        if (done.kept === "browser") done.rule ? keep(done.rule) : forget(one.proposal_id);
        const approved = done.kept === "browser" ? "Approved. This browser keeps it and sends it with each question." : "Approved and written to the skill.";
        card.replaceChildren(make("p", "", done.rule || done.casting ? approved : "Dismissed; it is not offered again on the same evidence."));
        say(card.textContent);
      } catch (error) {
        showProblem(said, error);
      }
    });
    line.append(button);
  }
  line.append(said);
  return line;
}
