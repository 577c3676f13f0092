/** What the page is told, and says: as the table at the head of p2pcards/web/front.py has it. */

export type Line = [line: string, label: string];

export interface HandCard {
  card: string;
  can: boolean;
  alone: boolean;
  gap: boolean;
  laid: boolean;
  melds: boolean;
}
export interface Lies {
  name: string;
  kind: "held" | "tricks" | "open";
  cards: string[];
}
export type Place = "below" | "left" | "above" | "right";
export interface Seat {
  seat: number;
  place: Place;
  name: string;
  /** Who plays there for a computer or stands for a person, by name. */
  character: string;
  you: boolean;
  partner: boolean;
  dealer: string;
  turn: boolean;
  score: number;
  cards: number;
  note: string;
  counts: string[];
  status: string;
  level: string;
  won: number;
  winner: boolean;
  lies: Lies[];
  /** Of my own seat, at a table with other people: what a tap says to them. */
  reactions: Line[];
}
export interface Pile {
  name: string;
  count: number;
  spread: boolean;
  kind: string;
  cards: string[];
  lines: Line[];
}
export interface Button {
  label: string;
  key: string;
  line: string;
  several: Line[];
  begins: string;
}
export interface Played {
  seat: number;
  card: string;
}
export interface ScoreRow {
  names: string;
  mine: boolean;
  score: number;
  last: string;
  items: string[];
}
export interface Sheet {
  title: string;
  names: string[];
  rows: { what: string; points: string[]; strong: boolean }[];
}
export interface Counting {
  seat: number;
  what: string;
  said: string[];
  cards: string[];
}
/** What is left of my turn, "" where no clock runs, and how far it has run. */
export type Clock = [left: string, pressing: "" | "half" | "last"];
export interface Table {
  is: "table";
  phase: string;
  role: string;
  game: string;
  title: string;
  /** Of the game; and of how far it is. Together they are the title where the rules are the usual ones. */
  name: string;
  counters: string;
  hand_number: [number, number];
  me: number | null;
  watches: boolean;
  over: boolean;
  pause: number | null;
  myTurn: boolean;
  prompt: string;
  clock: Clock;
  facts: string[];
  own: string[];
  trump: { suit: string; maker: string; bid: string; card: string } | null;
  lobby: { chosen: string[]; people: [name: string, facts: string][]; code: string; link: string; watching: string; qr: string[] } | null;
  buttons: Button[];
  takes: number;
  several: boolean;
  /** Of "hint" and "undo" those that help now. */
  assists: string[];
  seats?: Seat[];
  hand?: HandCard[];
  trick?: { called: string; row: boolean; plays: boolean; cards: Played[]; won: number | null };
  piles?: Pile[];
  scores?: { title: string; rows: ScoreRow[] };
  board?: { rows: string[]; whose: string[] } | null;
  counting?: Counting[];
  sheet?: Sheet;
  last?: Played[];
  held: boolean;
  moving: number;
  pace: number;
  look: Record<string, boolean>;
  on: string[];
}
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };
export interface Start {
  is: "start";
  said: string;
  name: string;
  login: string;
  character: string;
  games: [key: string, name: string][];
  tables: [name: string, line: string][];
  saves: [log: string, line: string, ours: boolean][];
  peers: [name: string, address: string][];
  characters: Line[];
  requests: Record<string, { [key: string]: Plain }>;
}
export interface GameFacts {
  is: "game";
  key: string;
  name: string;
  brief: string;
  presets: [key: string, words: string][];
  opponents: number;
  question: string;
  answers: [setting: string, words: string][];
}
export interface MenuItem {
  line: string;
  label: string;
  meaning: string;
  on: boolean | null;
  asks: boolean;
  letter: string;
}
export interface Menu {
  title: string;
  items: MenuItem[];
}
export interface OptionRow {
  key: string;
  label: string;
  value: string;
  shown: string;
  meaning: string;
  takes: string;
  effect: string;
  values: string[];
  typed: boolean;
  usual: boolean;
}
export interface Options {
  is: "options";
  page: string;
  title: string;
  groups: { title: string; rows: OptionRow[] }[];
}
export interface Read {
  is: "read" | "records";
  title: string;
  lines: string[];
  about: string;
}
export type Span = [text: string, code: boolean, to: string];
export interface GuidePage {
  is: "page";
  address: string;
  title: string;
  /** The number of the block that is meant, 0 for the title. */
  at: number;
  blocks: { level: number; mark: string; spans: Span[] }[];
}
export interface Ask {
  is: "ask";
  number: number;
  question: string;
  answers: string[];
  about: string;
}
export interface Waits {
  is: "waits";
  table: string;
  port: number;
  code: string;
  addresses: string[];
}
export interface Told {
  is: "told";
  text: string;
  ink: "log" | "chat" | "answer" | "wrong";
  earlier: boolean;
  /** A line that may be said next, "" for none. */
  next?: string;
  /** What a person said or did, without the name, and their seat. */
  seat?: number;
  said?: string;
}
/** part: what is being loaded, "" once all has come. percent: of the bytes of all parts. */
export interface Loading {
  is: "loading";
  part: string;
  percent: number;
}
export type Said =
  | Table
  | Start
  | GameFacts
  | Options
  | Read
  | GuidePage
  | Ask
  | Waits
  | Told
  | { is: "keys"; keys: Record<string, string> }
  | Loading
  | { is: "opening"; text: string }
  | { is: "prompt"; text: string; clock: Clock }
  | { is: "answered"; number: number }
  | { is: "choose"; title: string; choices: Line[] }
  | { is: "offers"; places: number[]; offers: Line[]; prompt: string }
  | { is: "menus"; menus: Menu[] }
  | { is: "fits"; text: string; lines: Line[] }
  | { is: "kept"; text: string }
  | { is: "gone"; text: string }
  | { is: "older"; text: string }
  | { is: "wrong_page"; text: string; there: boolean }
  | { is: "hash"; text: string; space: boolean }
  | { is: "verdict"; name: string; lines: string[] }
  | { is: "brought"; name: string; lines: string[]; anew: boolean }
  | { is: "replace"; name: string; lines: string[] }
  | { is: "thinks" }
  | { is: "beside" }
  | { is: "nearby"; people: [address: string, name: string][] }
  | { is: "ring" }
  | { is: "ended"; result: string; text: string }
  | { is: "refused"; text: string };

export type Say = (kind: string, more?: { [key: string]: Plain }) => void;
