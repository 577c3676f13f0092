/** What the page knows: what it was told, and what the person has in mind. One object, one way to change it. */

import type { Keeps } from "./files";
import type { Look } from "./look";
import type { Ask, Clock, GameFacts, GuidePage, Line, Loading, Menu, Options, Read, Said, Start, Table, Told, Waits } from "./said";

export type Panel =
  | { kind: "read"; read: Read }
  | { kind: "guide"; page: GuidePage }
  | { kind: "choose"; title: string; choices: Line[] }
  | { kind: "menus" }
  | { kind: "options" }
  | { kind: "look" }
  | { kind: "sheet" }
  | { kind: "last" }
  | { kind: "log" }
  | { kind: "chat" }
  | { kind: "react" }
  | { kind: "files" }
  | { kind: "home" }
  | { kind: "replace"; lines: string[] };

export interface Bubble {
  text: string;
  at: number;
}

export interface Model {
  lost: string;
  screen: "wait" | "start" | "table";
  start: Start | null;
  facts: GameFacts | null;
  /** How much of the page has come, null where that is not told. */
  loading: Loading | null;
  opening: string;
  refused: string;
  waits: Waits | null;
  /** Who listens on this network, null before that was asked. */
  nearby: [address: string, name: string][] | null;
  table: Table | null;
  /** Who acted last, and who takes the trick that goes. */
  actor: number | null;
  taker: number | null;
  prompt: string;
  clock: Clock;
  status: { text: string; wrong: boolean; next: string } | null;
  told: (Told & { number: number })[];
  unread: number;
  /** By seat: the last words said there, and when. */
  bubbles: { readonly [seat: number]: Bubble };
  records: Read | null;
  panels: Panel[];
  asks: Ask[];
  menus: Menu[];
  options: Options | null;
  fits: { text: string; lines: Line[] };
  offers: { places: number[]; offers: Line[]; prompt: string } | null;
  thinks: boolean;
  keys: Record<string, string>;
  marked: ReadonlySet<number>;
  at: number | null;
  talk: string | null;
  look: Look;
  /** Everything runs in the page. */
  inPage: boolean;
  /** Of all files of the page, "" where its server is this machine's own. */
  hash: string;
  /** Whether the page itself is kept, as a sentence, "" while that is not known. */
  offline: string;
  /** That the page has changed where it came from, "" where it has not. */
  older: string;
  /** How what is written here is kept. */
  kept: string;
  /** Whether the browser lets it stay. */
  keeps: Keeps;
  /** The link by which somebody has come or which they have pasted, and whether they have said who they are. */
  invited: { link: string; name: string | null } | null;
  /** What was pasted last. */
  pasted: string;
  /** A reloaded page goes back to its table. */
  returns: boolean;
}

export function firstModel(look: Look): Model {
  return {
    lost: "", screen: "wait", start: null, facts: null, loading: null, opening: "", refused: "", waits: null, nearby: null, table: null, actor: null, taker: null,
    prompt: "", clock: ["", ""], status: null, told: [], unread: 0, bubbles: {}, records: null, panels: [], asks: [], menus: [], options: null,
    fits: { text: "", lines: [] }, offers: null, thinks: false, keys: {}, marked: new Set(), at: null, talk: null, look, inPage: false, hash: "", offline: "", older: "", kept: "", keeps: { lasting: false, used: 0, room: 0 }, invited: null, pasted: "", returns: false,
  };
}

/** What an answer is about that concerns a file: it stays though the page goes back to what can be begun. */
export const FILES = "files";

const MOST_TOLD = 400;
/** Of the guide, one behind the other, and what lies below them. */
const MOST_PAGES = 30;
let counted = 0;

/** The model when something has been told. */
export function after(model: Model, said: Said): Model {
  switch (said.is) {
    case "start":
      return { ...firstModel(model.look), screen: "start", start: said, facts: model.screen === "table" ? null : model.facts, refused: model.refused, keys: model.keys, inPage: model.inPage, hash: model.hash, offline: model.offline, older: model.older, kept: model.kept, keeps: model.keeps, invited: model.invited, pasted: model.pasted, panels: model.panels.filter((panel) => panel.kind === "read" && panel.read.about === FILES) };
    case "game":
      return { ...model, facts: said };
    case "keys":
      return { ...model, keys: said.keys };
    case "loading":
      return { ...model, loading: said };
    case "opening":
      return { ...model, opening: said.text };
    case "refused":
      return model.screen === "table" ? { ...model, status: { text: said.text, wrong: true, next: "" } } : { ...model, refused: said.text, opening: "" };
    case "waits":
      return { ...model, waits: said };
    case "table":
      return seen(model, said);
    case "prompt":
      return { ...model, prompt: said.text, clock: said.clock };
    case "told": {
      if (said.ink === "answer" || said.ink === "wrong") return { ...model, status: { text: said.text, wrong: said.ink === "wrong", next: said.next ?? "" } };
      counted += 1;
      const open = model.panels.some((panel) => panel.kind === "chat" || panel.kind === "log");
      const unread = said.ink === "chat" && !said.earlier && !open ? model.unread + 1 : model.unread;
      const told = [...model.told, { ...said, number: counted }].slice(-MOST_TOLD);
      const bubbles = said.seat === undefined || said.earlier ? model.bubbles : { ...model.bubbles, [said.seat]: { text: said.said ?? "", at: performance.now() } };
      return { ...model, unread, told, bubbles };
    }
    case "read":
      return withRead(model, said);
    case "page":
      return { ...model, panels: [...model.panels.filter((panel) => panel.kind !== "menus" && panel.kind !== "choose"), { kind: "guide", page: said }].slice(-MOST_PAGES) as Panel[] };
    case "records":
      return { ...model, records: said };
    case "ask":
      return { ...model, asks: [...model.asks, said] };
    case "answered":
      return { ...model, asks: model.asks.filter((one) => one.number !== said.number) };
    case "choose":
      return { ...model, panels: [...model.panels.filter((panel) => panel.kind !== "menus" && panel.kind !== "choose"), { kind: "choose", title: said.title, choices: said.choices }] };
    case "offers":
      return same(said.places, model.marked) ? { ...model, offers: said } : model;
    case "menus":
      return { ...model, menus: said.menus };
    case "options": {
      const open = model.panels.some((panel) => panel.kind === "options");
      const panels: Panel[] = open ? model.panels : [...model.panels.filter((panel) => panel.kind !== "menus"), { kind: "options" }];
      return { ...model, options: said, panels };
    }
    case "fits":
      return { ...model, fits: said };
    case "kept":
      return { ...model, kept: said.text };
    case "hash":
      return { ...model, hash: said.text };
    case "older":
      return { ...model, older: said.text };
    case "wrong_page":
    case "gone":
      return { ...model, lost: said.text };
    case "verdict":
    case "brought":
      return withRead(model, { is: "read", title: said.name || "Import", lines: said.lines, about: FILES });
    case "replace":
      return { ...model, panels: [...model.panels, { kind: "replace", lines: said.lines }] };
    case "thinks":
      return { ...model, thinks: true };
    case "beside":
      return { ...model, panels: [...model.panels, { kind: "log" }] };
    case "ended":
      return { ...model, refused: "" };
    case "nearby":
      return { ...model, nearby: said.people };
    case "ring":
      return model;
  }
}

function withRead(model: Model, read: Read): Model {
  return { ...model, panels: [...model.panels.filter((panel) => panel.kind !== "read"), { kind: "read", read }] };
}

function same(places: readonly number[], marked: ReadonlySet<number>): boolean {
  return places.length === marked.size && places.every((place) => marked.has(place));
}

/** Another table is seen. */
function seen(model: Model, table: Table): Model {
  const before = model.table;
  const actor = before?.seats?.find((seat) => seat.turn)?.seat ?? null;
  const lay = before?.trick?.cards ?? [];
  const lies = new Set((table.trick?.cards ?? []).map((one) => `${one.seat} ${one.card}`));
  const gone = lay.length > 0 && lay.some((one) => !lies.has(`${one.seat} ${one.card}`));
  const taker = gone ? (before?.trick?.won ?? table.seats?.find((seat) => seat.turn)?.seat ?? null) : null;
  const hand = (one: Table | null) => (one?.hand ?? []).map((card) => card.card + card.can).join(" ");
  const stays = hand(before) === hand(table) && before?.takes === table.takes && before?.myTurn === table.myTurn;
  return {
    ...model,
    screen: "table",
    table,
    actor,
    taker,
    prompt: table.prompt,
    clock: table.clock,
    opening: "",
    refused: "",
    thinks: stays ? model.thinks : false,
    status: stays || model.status === null ? model.status : null,
    marked: stays ? model.marked : new Set(),
    offers: stays ? model.offers : null,
    at: stays ? model.at : null,
  };
}
