// The words that two people compare by voice (first-contact.md). began: the nonce of the person who began.
import { readFileSync } from "node:fs";
import { sha256 } from "./wire.mjs";

export function wordsOf(hash, began, answered) {
  const lists = [...readFileSync(new URL("../vectors/words.txt", import.meta.url), "utf8").matchAll(/ list: (.*)/g)];
  const numbers = sha256("p2pcards words 1", hash, began, answered).subarray(0, 3);
  return [...numbers].map((number, i) => lists[i % 2][1].split(" ")[number]);
}
