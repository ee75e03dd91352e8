// Makes the pages move. Every page is whole without it.
import { startAsk } from "./ask.js";
import { startCard } from "./card.js";
import { startRun } from "./run.js";

document.documentElement.classList.add("js");
startAsk();
startRun();
startCard(document);
