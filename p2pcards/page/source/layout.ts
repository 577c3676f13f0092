/** Where everything lies on a table of some size: pure geometry. It knows seats, piles, a trick and a hand, and no game. */

import type { HandCard, Lies, Pile, Place, Seat, Table } from "./said";
import { BACK, clamp, faceOf } from "./words";

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}
/** A card that lies somewhere. s: its width in hundredths, as cards are drawn 100 by 140; r: turned by degrees. */
export interface Placed {
  zone: string;
  card: string;
  x: number;
  y: number;
  s: number;
  r: number;
  mood: "" | "dim" | "can" | "marked" | "won" | "counts" | "tint";
  place?: number;
}
export interface Label {
  text: string;
  x: number;
  y: number;
  w: number;
  align: "left" | "center" | "right";
  kind: "pile" | "group" | "row";
}
export interface Laid {
  cards: Placed[];
  plates: { seat: Seat; box: Box; narrow: boolean; stacked: boolean }[];
  labels: Label[];
  hits: { place: number; box: Box }[];
  piles: { pile: Pile; box: Box }[];
  /** Where tricks lie that were won, as large as a finger. */
  won: Box[];
  board: Box | null;
  controls: number;
  /** Where cards come from and go to, by the zone, as their middle. */
  anchors: Record<string, { x: number; y: number }>;
}
export interface Chosen {
  marked: ReadonlySet<number>;
  at: number | null;
  counts: ReadonlySet<string>;
}

const RATIO = 1.4;
const EDGE = 8;
/** The least part of a card in a fan that shows its rank and suit. */
const INDEX = 0.33;
const GAP = 0.14;
/** Pixels across up to which a table that is higher than wide is laid out in rows. */
const NARROW = 640;
/** The least width of a card that a finger meets. */
const FINGER = 44;
/** The part of a card's height that its rank and suit take. */
const CORNER = 0.42;

/** By how much words are larger where there is much room. */
export function unit(w: number, h: number): number {
  return clamp(Math.min(w / 1250, h / 780), 1, 1.75);
}

/** Whether a table in a window of this size is laid out in rows, as on a telephone. */
export function isUpright(w: number, h: number): boolean {
  return w < NARROW && h > w;
}

/** The width of a text, in pixels, at this size. */
export type Measure = (text: string, size: number, bold: boolean) => number;

/** upright: in rows; controls: how high the part is that tells what there is to do. */
export function layout(table: Table, w: number, h: number, upright: boolean, controls: number, chosen: Chosen, measure: Measure): Laid {
  let found = laidOut(table, w, h, upright, controls, chosen, measure, 1);
  for (const part of SMALLER) if (!found.fits) found = laidOut(table, w, h, upright, controls, chosen, measure, part);
  return found.laid;
}

/** How much smaller the cards of the hand become where what lies in the middle lacks room. */
const SMALLER = [0.88, 0.76];

function laidOut(table: Table, w: number, h: number, upright: boolean, controls: number, chosen: Chosen, measure: Measure, part: number): { laid: Laid; fits: boolean } {
  const laid: Laid = { cards: [], plates: [], labels: [], hits: [], piles: [], won: [], board: null, controls: 0, anchors: {} };
  const seats = table.seats ?? [];
  const hand = table.hand ?? [];
  const cardWidth = clamp(Math.min(w * (upright ? 0.21 : 0.172), h * 0.16), 54, 250);
  const wanted = upright ? clamp(Math.min(w * 0.19, h * (hand.length > 7 ? 0.11 : 0.13)), 52, 100) : cardWidth;
  const { top, lift } = layHand(laid, table, hand, w, h, Math.max(wanted * part, FINGER), upright, chosen);
  // Where room is short, cards that cannot be raised get none to rise into.
  const raised = part === 1 || hand.some((card) => card.can) ? lift : 0;
  laid.controls = top - raised - controls - 4;
  const area: Box = { x: EDGE, y: 4, w: w - 2 * EDGE, h: laid.controls - 6 };
  if (!seats.length) return { laid, fits: true };
  layBoard(laid, table, area);
  const small = clamp(Math.min(area.w * 0.115, area.h * 0.135), 36, 130);
  const middle = upright ? layRows(laid, table, seats, area, chosen, measure) : laySeats(laid, seats, area, small, chosen, unit(w, h), measure);
  layMiddle(laid, table, middle, cardWidth, seats.length, chosen);
  // A name that is wider than what lies under it stays on the table.
  for (const label of laid.labels) if (label.kind === "row") label.x = Math.min(label.x, w - EDGE - label.text.length * 7.4 * unit(w, h));
  return { laid, fits: middle.h >= leastMiddle(table, seats.length) };
}

// --- the hand of the person, as a fan ---------------------------------------------------------------------------------

/** Where its upper edge is, and how far a marked card rises above it. */
function layHand(laid: Laid, table: Table, hand: HandCard[], w: number, h: number, wanted: number, upright: boolean, chosen: Chosen): { top: number; lift: number } {
  if (!hand.length) return { top: h, lift: 0 };
  const edge = upright ? 6 : EDGE;
  const room = w - 2 * edge;
  const lap = upright ? 0.78 : 0.62;
  const { rows, width } = upright ? rowsForFingers(hand, room, wanted) : rowsOfFan(hand, room, wanted);
  const tall = width * RATIO;
  // On a low screen the lower edge of the cards lies below that of the screen: what they are stands above.
  const bends = rows.length === 1 && !upright && hand.length > 2 ? Math.min(hand.length, 13) / 13 : 0;
  const sunk = upright ? -4 : h < LOW_SCREEN ? tall * 0.17 : -EDGE - bends * (tall * 0.05 + width * Math.sin((3.2 * Math.PI) / 180));
  const pitch = upright ? Math.max(tall * (rows.length > 2 ? 0.5 : 0.56), FINGER) : tall * 0.56;
  const lift = rows.length > 1 ? Math.min(tall * 0.11, (pitch - tall * CORNER) / 2.1) : tall * 0.11;
  const top = h - tall + sunk - (rows.length - 1) * pitch;
  const most = Math.max(...rows.map((row) => row.length));
  const playable = table.myTurn && hand.some((card) => card.can);
  let first = 0;
  rows.forEach((part, row) => {
    const inRow = part.filter((card, number) => card.gap && number > 0).length;
    const count = rows.length === 1 ? part.length : most;
    const free = room - width - (upright ? FINGER : width * INDEX) * (count - 1);
    const gap = inRow ? clamp(free / inRow, 0, width * GAP) : 0;
    const step = count < 2 ? width : Math.min(Math.max(width * lap, upright ? FINGER + 1 : 0), (room - width - gap * inRow) / (count - 1));
    const total = width + step * (part.length - 1) + inRow * gap;
    let x = (w - total) / 2;
    const middle = (part.length - 1) / 2;
    part.forEach((card, number) => {
      if (card.gap && number > 0) x += gap;
      const place = first + number;
      const off = part.length > 1 ? (number - middle) / middle : 0;
      const marked = chosen.marked.has(place);
      const up = marked ? lift * 2.1 : chosen.at === place ? lift * 1.5 : playable && card.can ? lift * 0.75 : 0;
      const y = top + row * pitch + off * off * bends * tall * 0.05 - up;
      const counts = chosen.counts.has(faceOf(card.card));
      const mood = counts ? "counts" : marked ? "marked" : playable ? (card.can ? "can" : "dim") : card.laid || (card.melds && table.look["tint"]) ? "tint" : "";
      laid.cards.push({ zone: "hand", card: card.card, x, y, s: width / 100, r: off * bends * 3.2, mood, place });
      const last = number === part.length - 1;
      const next = part[number + 1];
      const seen = last ? width : step + (next?.gap ? gap : 0);
      const below = row < rows.length - 1 ? pitch : tall - Math.max(sunk, 0) + up;
      laid.hits.push({ place, box: { x, y, w: seen, h: below } });
      x += step;
    });
    first += part.length;
  });
  laid.anchors["hand"] = { x: w / 2, y: h - tall / 2 };
  return { top, lift: lift * 2.1 };
}

/** A window so low that the hand may sink below its edge. */
const LOW_SCREEN = 480;

interface Rows {
  rows: HandCard[][];
  width: number;
}

/** One row as a fan, or two where too little of each card would be seen. */
function rowsOfFan(hand: HandCard[], room: number, wanted: number): Rows {
  const gaps = hand.filter((card) => card.gap).length;
  const step = (room - wanted - gaps * wanted * GAP) / Math.max(hand.length - 1, 1);
  if (step >= wanted * INDEX) return { rows: [hand], width: wanted };
  const half = Math.ceil(hand.length / 2);
  return { rows: [hand.slice(0, half), hand.slice(half)], width: wanted * 0.94 };
}

/** As few rows, three at the most, as leave a finger's width of each card; a row ends with a suit where that is near. */
function rowsForFingers(hand: HandCard[], room: number, wanted: number): Rows {
  const most = Math.floor((room - wanted) / FINGER) + 1;
  const count = Math.min(Math.ceil(hand.length / most), 3);
  const longest = Math.max(most, Math.ceil(hand.length / count));
  const rows: HandCard[][] = [];
  for (let start = 0; start < hand.length; ) {
    const left = count - rows.length;
    const even = start + Math.ceil((hand.length - start) / left);
    const ends = [even, even + 1, even - 1].filter((end) => end === hand.length || (hand[end]?.gap && end - start <= longest && hand.length - end <= (left - 1) * longest));
    const end = left === 1 ? hand.length : (ends[0] ?? even);
    rows.push(hand.slice(start, end));
    start = end;
  }
  return { rows, width: wanted };
}

// --- the board on which the score is pegged ---------------------------------------------------------------------------

function layBoard(laid: Laid, table: Table, area: Box): void {
  if (!table.board) return;
  const columns = Math.max(...table.board.rows.map((row) => row.length), 1);
  const rows = table.board.rows.length;
  const width = Math.min(area.w, 900, ((area.h * 0.2) / rows) * columns * 0.92 + 24);
  const high = ((width - 16) / columns) * rows * 1.12 + 12;
  laid.board = { x: area.x + (area.w - width) / 2, y: area.y, w: width, h: high };
  area.y += high + 6;
  area.h -= high + 6;
}

// --- the seats of a window that is higher than wide: in rows, so that nothing lies under anything ------------------------

/** What lies before a seat on a telephone: the plate with a back beside it for what is held and won, open cards below. */
interface Strip {
  seat: Seat;
  room: number;
  plate: { w: number; h: number; stacked: boolean };
  held: Lies[];
  back: number;
  open: Lies[];
  flow: Flow | null;
  /** The open cards lie beside the plate, and not in lines of their own. */
  beside: boolean;
  high: number;
}
/** The width of a back that stands for all cards that somebody holds, on a table so wide. */
function backOn(area: Box): number {
  return area.w < 330 ? 22 : 28;
}

/** The seats across at the top, those at the sides below them, mine at the bottom. What is left is for the middle. */
function layRows(laid: Laid, table: Table, seats: Seat[], area: Box, chosen: Chosen, measure: Measure): Box {
  const half = (area.w - 8) / 2;
  const strips = seats.map((seat) => stripOf(seat, isAside(seat) ? half : area.w, backOn(area), measure));
  const rowsOf = (place: Place[]) => strips.filter((strip) => place.includes(strip.seat.place));
  const bands = [rowsOf(["above"]), rowsOf(["left", "right"]), rowsOf(["below"])].filter((band) => band.length);
  const highOf = (band: Strip[]) => Math.max(...band.map((strip) => strip.high)) + 6;
  const fixed = bands.reduce((sum, band) => sum + highOf(band), 0);
  const open = bands.filter((band) => band.some((strip) => strip.open.length));
  const room = (area.h - fixed - leastMiddle(table, seats.length)) / Math.max(open.length, 1) - 6;
  for (const strip of open.flat().filter((one) => one.open.length)) {
    const across = isAside(strip.seat) ? 0 : strip.room - taken(strip) - 16;
    const lines = [1, 0.85, 0.7].map((size) => flowed(strip.open, strip.room, FINGER * size, INDEX + 0.04)).filter((one) => one.lines.length === 1 && (one.lines[0]?.wide ?? 0) <= across);
    const line = lines.find((one) => one.high - strip.high <= room) ?? lines[lines.length - 1];
    const below = flow(strip.open, strip.room, FINGER * 1.3, Math.max(room, 40));
    strip.beside = !!line && line.width >= below.width * 0.8;
    strip.flow = strip.beside && line ? line : below;
    strip.high = strip.beside ? Math.max(strip.high, strip.flow.high) : strip.high + strip.flow.high + 6;
  }
  let y = area.y;
  let bottom = area.y + area.h;
  for (const band of bands) {
    const below = band[0]?.seat.place === "below";
    if (below) bottom -= highOf(band);
    for (const strip of band) layStrip(laid, strip, area, below ? bottom + 6 : y, chosen);
    if (!below) y += highOf(band);
  }
  return { x: area.x, y, w: area.w, h: bottom - y };
}

/** How high the middle has to be for what lies there. */
function leastMiddle(table: Table, seats: number): number {
  const piles = (table.piles ?? []).filter((pile) => pile.spread || pile.count);
  const trick = table.trick?.plays ? (seats > 2 ? 2.1 : 1.5) * FINGER * RATIO : 0;
  const rows = (piles.some((pile) => !pile.spread) ? 1 : 0) + piles.filter((pile) => pile.spread).length;
  const wraps = piles.some((pile) => linesOf(pileText(pile), 104) > 1) ? LINE : 0;
  return Math.max(trick, rows * (FINGER * RATIO + LABEL) + wraps);
}

function stripOf(seat: Seat, room: number, back: number, measure: Measure): Strip {
  const held = seat.lies.filter((group) => group.kind !== "open");
  const open = seat.lies.filter((group) => group.kind === "open");
  const most = room - held.length * (back + 4);
  const tags = (seat.partner ? measure("partner", 11.5, false) + 18 : 0) + (seat.dealer ? 26 : 0) + (seat.turn ? 18 : 0) + (seat.reactions.length ? 24 : 0);
  const name = measure(seat.name, 13.5, true) + PADDING;
  const score = measure(String(seat.score), 15, true) + 12;
  const told = told_of(seat);
  const line = measure(told, 12, false) + PADDING;
  const least = Math.max(104, isAside(seat) ? 0 : line > 2 * 240 ? most : Math.min(line, 240));
  const stacked = name + tags + score > most;
  const w = Math.min(most, Math.max(stacked ? Math.max(name, tags + score + PADDING) : name + tags + score, least));
  const inside = w - PADDING;
  const h = (stacked ? 28 + linesIn(seat.name, inside, 13, true, measure) * 15 : 32) + (told ? linesIn(told, inside, 12, false, measure) * 15 + 2 : 0);
  return { seat, room, plate: { w, h, stacked }, held, back, open, flow: null, beside: false, high: Math.max(h, held.length ? back * RATIO : 0) };
}

/** What a plate takes beside its words. */
const PADDING = 20;

/** How many lines a text takes that is broken between words, or within one that is too long. */
function linesIn(text: string, width: number, size: number, bold: boolean, measure: Measure): number {
  const space = measure(" ", size, bold);
  let lines = 1;
  let used = 0;
  for (const word of text.split(" ")) {
    const wide = measure(word, size, bold);
    if (used && used + space + wide > width) {
      lines += 1;
      used = 0;
    }
    used += (used ? space : 0) + wide;
    lines += Math.max(Math.ceil(used / width) - 1, 0);
    used %= width;
  }
  return lines;
}

/** How wide a plate is with what lies beside it. */
function taken(strip: Strip): number {
  return strip.plate.w + strip.held.length * (strip.back + 4);
}

function isAside(seat: Seat): boolean {
  return seat.place === "left" || seat.place === "right";
}

function layStrip(laid: Laid, strip: Strip, area: Box, y: number, chosen: Chosen): void {
  const { seat, plate, held, back, flow, beside } = strip;
  const right = seat.place === "right";
  const below = seat.place === "below";
  const line = beside ? (flow?.lines[0]?.wide ?? 0) + 16 : 0;
  const total = taken(strip) + line;
  const left = right ? area.x + area.w - strip.room : area.x;
  const x = left + (isAside(seat) ? (right ? strip.room - total : 0) : (strip.room - total) / 2);
  const high = strip.high - (flow && !beside ? flow.high + 6 : 0);
  const top = y + (below && flow && !beside ? flow.high + 6 : 0);
  const at = right ? x + total - plate.w : x;
  laid.plates.push({ seat, box: { x: at, y: top + (high - plate.h) / 2, w: plate.w, h: plate.h }, narrow: true, stacked: plate.stacked });
  laid.anchors[`seat ${seat.seat}`] = { x: at + plate.w / 2, y: top + high / 2 };
  held.forEach((group, number) => {
    const place = right ? x + number * (back + 4) : x + plate.w + 4 + number * (back + 4);
    layGroup(laid, seat, group, place, top + (high - back * RATIO) / 2, back, 0, chosen, false);
    if (group.kind === "tricks") laid.won.push({ x: place + (back - FINGER) / 2, y: top + (high - FINGER) / 2, w: FINGER, h: FINGER });
  });
  if (!flow) return;
  if (beside) drawFlow(laid, seat, flow, x + taken(strip) + 12, top + (high - flow.high) / 2, line, "left", chosen);
  else drawFlow(laid, seat, flow, left, below ? y : top + high + 6, strip.room, isAside(seat) ? (right ? "right" : "left") : "center", chosen);
}

// --- the seats, and what lies before them -----------------------------------------------------------------------------

/** Of a table so low, others sit beside the trick and not above it. */
const LOW = 250;

function laySeats(laid: Laid, seats: Seat[], area: Box, small: number, chosen: Chosen, u: number, measure: Measure): Box {
  const narrow = area.w < 640;
  const wing = seats.length > 2 ? clamp(area.w * 0.27, 88, 300 * u) : 0;
  const middle = { ...area };
  for (const seat of seats.filter((one) => one.place === "above")) {
    const used = layAcross(laid, seat, area, small, chosen, narrow, "above", u, measure);
    middle.y += used;
    middle.h -= used;
  }
  for (const seat of seats.filter((one) => one.place === "below")) {
    middle.h -= layAcross(laid, seat, area, small, chosen, narrow, "below", u, measure);
  }
  const aside = seats.filter((one) => one.place === "left" || one.place === "right");
  for (const seat of aside) layAside(laid, seat, area, middle, wing, small, chosen, narrow, u, measure);
  if (area.h < LOW && area.w > 480) return { ...area, x: area.x + area.w * 0.32, w: area.w * 0.36 };
  return aside.length ? { ...middle, x: middle.x + wing, w: middle.w - 2 * wing } : middle;
}

/** How high what is told of a seat is. */
function plateHigh(seat: Seat, width: number, u: number, measure: Measure, stacked = false): number {
  const told = told_of(seat);
  const inside = width - 26;
  const name = stacked ? 36 + 15 * linesIn(seat.name, inside, 13, true, measure) : 34 * u;
  return told ? name + linesIn(told, inside, 12.5 * u, false, measure) * 15 * u + 2 : name;
}

/** How wide its name and score are. */
function nameWide(seat: Seat, u: number, measure: Measure): number {
  const tags = (seat.partner ? measure("partner", 11.5 * u, false) + 20 : 0) + (seat.dealer ? 20 * u + 8 : 0) + (seat.turn ? 12 * u + 8 : 0) + (seat.reactions.length ? 18 * u + 8 : 0);
  return measure(seat.name, 15 * u, true) + tags + measure(String(seat.score), 15 * u, true) + 42;
}

/** How wide it has to be, at the most so wide. */
function plateWide(seat: Seat, most: number, u: number, measure: Measure): number {
  return Math.min(most, Math.max(nameWide(seat, u, measure), Math.min(measure(told_of(seat), 12.5 * u, false) + 30, 250 * u), 112 * u));
}

export function told_of(seat: Seat): string {
  return [seat.note, ...seat.counts, seat.status].filter(Boolean).join("; ");
}

/** Above or below the middle: the plate with what is held and won beside it, and open cards in lines nearer the middle.
 *  How high all of it is. */
function layAcross(laid: Laid, seat: Seat, area: Box, small: number, chosen: Chosen, narrow: boolean, place: "above" | "below", u: number, measure: Measure): number {
  const held = seat.lies.filter((group) => group.kind !== "open");
  const open = seat.lies.filter((group) => group.kind === "open");
  const heldWidth = held.reduce((sum, group) => sum + groupWidth(group, small, heldStep(group, small)) + 8, 0);
  const width = plateWide(seat, Math.max(Math.min(narrow ? 210 : 320 * u, area.w - heldWidth - 10), 120), u, measure);
  const high = plateHigh(seat, width, u, measure);
  const total = width + (heldWidth ? heldWidth + 6 : 0);
  const low = area.h < LOW && area.w > 480;
  const x = low ? area.x + Math.max(area.w * 0.38 - total, 0) : area.x + Math.max((area.w - total) / 2, 0);
  const tall = small * RATIO;
  const row = held.length ? Math.max(high, tall) : high;
  const top = place === "above" ? area.y : area.y + area.h - row;
  laid.plates.push({ seat, box: { x, y: top + (row - high) / 2, w: width, h: high }, narrow, stacked: false });
  laid.anchors[`seat ${seat.seat}`] = { x: x + width / 2, y: top + row / 2 };
  let at = x + width + 8;
  for (const group of held) {
    at += layGroup(laid, seat, group, at, top + (row - tall) / 2, small, heldStep(group, small), chosen, false) + 8;
  }
  if (!open.length) return row + 6;
  const beside = flowed(open, area.w, small * 1.02, INDEX + 0.04);
  const [line] = beside.lines;
  if (beside.lines.length === 1 && line && total + line.wide + 24 <= area.w && beside.high <= Math.max(row, tall * 1.16)) {
    // All in one row: what lies open stands at the right of what is told.
    const shift = (line.wide + 16) / 2;
    for (const one of laid.plates.slice(-1)) one.box.x -= shift;
    for (const card of laid.cards.filter((one) => held.some((group) => one.zone === `${group.kind} ${seat.seat} ${group.name}`))) card.x -= shift;
    for (const label of laid.labels.slice(laid.labels.length - held.filter((group) => group.name).length)) label.x -= shift;
    drawFlow(laid, seat, beside, at - shift + 8, place === "above" ? top - (line.named ? 6 : -2) : top + row - beside.high, line.wide, "left", chosen);
    return Math.max(row, beside.high) + 6;
  }
  const room = area.h * (place === "above" ? 0.34 : 0.3);
  const lines = flow(open, area.w, small * 1.08, room);
  const first = place === "above" ? top + row + 6 : top - lines.high - 6;
  drawFlow(laid, seat, lines, area.x, first, area.w, "center", chosen);
  return row + lines.high + 12;
}

function layAside(laid: Laid, seat: Seat, area: Box, middle: Box, wing: number, small: number, chosen: Chosen, narrow: boolean, u: number, measure: Measure): void {
  const right = seat.place === "right";
  const room = wing - 6;
  const width = plateWide(seat, room, u, measure);
  const stacked = nameWide(seat, u, measure) > room;
  const high = plateHigh(seat, width, u, measure, stacked);
  const open = seat.lies.filter((group) => group.kind === "open");
  const held = seat.lies.filter((group) => group.kind !== "open");
  const tall = small * RATIO;
  const lines = open.length ? flow(open, room, small, middle.h - high - (held.length ? tall * 0.7 : 0) - 8) : null;
  const all = high + (held.length ? tall * 0.74 + 4 : 0) + (lines ? lines.high + 6 : 0);
  const x = right ? area.x + area.w - width : area.x;
  let y = middle.y + Math.max((middle.h - all) * 0.36, 0);
  laid.plates.push({ seat, box: { x, y, w: width, h: high }, narrow, stacked });
  laid.anchors[`seat ${seat.seat}`] = { x: x + width / 2, y: y + high / 2 };
  y += high + 4;
  if (held.length) {
    const across = room - held.slice(1).length * 8;
    let at = 0;
    const sizes = held.map((group) => groupWidth(group, small * 0.82, Math.min(heldStep(group, small * 0.82), (across / held.length - small * 0.82) / Math.max(group.cards.length - 1, 1))));
    const total = sizes.reduce((sum, one) => sum + one + 8, -8);
    held.forEach((group, number) => {
      const step = group.cards.length > 1 ? ((sizes[number] ?? 0) - small * 0.82) / (group.cards.length - 1) : 0;
      const start = right ? x + width - total + at : x + at;
      layGroup(laid, seat, group, start, y, small * 0.82, step, chosen, false);
      at += (sizes[number] ?? 0) + 8;
    });
    y += tall * 0.74 + (lines ? 8 : 0);
  }
  if (lines) drawFlow(laid, seat, lines, right ? x + width - room : x, y, room, right ? "right" : "left", chosen);
}

function heldStep(group: Lies, small: number): number {
  return group.kind === "tricks" ? 0 : Math.min(small * 0.18, (small * 1.5) / Math.max(group.cards.length, 1));
}

function groupWidth(group: Lies, width: number, step: number): number {
  return width + step * Math.max(group.cards.length - 1, 0);
}

function layGroup(laid: Laid, seat: Seat, group: Lies, x: number, y: number, width: number, step: number, chosen: Chosen, named: boolean): number {
  group.cards.forEach((card, number) => {
    const counts = chosen.counts.has(faceOf(card)) && card !== BACK;
    laid.cards.push({ zone: `${group.kind} ${seat.seat} ${group.name}`, card, x: x + number * step, y, s: width / 100, r: 0, mood: counts ? "counts" : "" });
  });
  const wide = groupWidth(group, width, step);
  if (group.kind !== "open" && group.name) {
    const text = width < 50 ? group.name.replace(/ tricks?$/, "×") : group.name;
    laid.labels.push({ text, x: x - 20, y: y + width * RATIO * 0.56 - 9, w: wide + 40, align: "center", kind: "group" });
  } else if (named && group.name) {
    laid.labels.push({ text: group.name, x, y: y - 15, w: Math.max(wide, 60), align: "left", kind: "row" });
  }
  return wide;
}

interface Flow {
  lines: { groups: { group: Lies; step: number }[]; wide: number; named: boolean }[];
  width: number;
  pitch: number;
  high: number;
}

/** Open cards in as few lines as may be, as large as there is room for. */
function flow(groups: Lies[], room: number, wanted: number, high: number): Flow {
  let found: Flow | null = null;
  for (const size of [1, 0.86, 0.74, 0.64, 0.55]) {
    for (const lap of [0.5, INDEX + 0.02]) {
      found = flowed(groups, room, Math.max(wanted * size, 26), lap);
      if (found.high <= high) return found;
    }
  }
  return found ?? flowed(groups, room, 26, INDEX);
}

function flowed(groups: Lies[], room: number, width: number, lap: number): Flow {
  const lines: Flow["lines"] = [];
  for (const group of groups) {
    const most = Math.max(Math.floor((room - width) / (width * lap)) + 1, 1);
    for (let start = 0; start < Math.max(group.cards.length, 1); start += most) {
      const cards = group.cards.slice(start, start + most);
      const part = { ...group, name: start ? "" : group.name, cards };
      const wide = Math.max(groupWidth(part, width, width * lap), part.name.length * 7.8);
      const last = lines[lines.length - 1];
      if (last && last.wide + 10 + wide <= room) {
        last.groups.push({ group: part, step: width * lap });
        last.wide += 10 + wide;
        last.named ||= !!part.name;
      } else {
        lines.push({ groups: [{ group: part, step: width * lap }], wide, named: !!part.name });
      }
    }
  }
  const pitch = width * RATIO * 0.6;
  const names = lines.reduce((sum, line, number) => sum + nameHigh(line, number, width), 0);
  return { lines, width, pitch, high: (lines.length - 1) * pitch + width * RATIO + names };
}

/** What a name takes above its line, which then does not lie on the one before. */
function nameHigh(line: { named: boolean }, number: number, width: number): number {
  return line.named ? 16 + (number ? width * RATIO * 0.4 : 0) : 0;
}

function drawFlow(laid: Laid, seat: Seat, lines: Flow, x: number, y: number, room: number, align: "left" | "center" | "right", chosen: Chosen): void {
  for (const [number, line] of lines.lines.entries()) {
    y += nameHigh(line, number, lines.width);
    let at = x + (align === "left" ? 0 : (room - line.wide) / (align === "center" ? 2 : 1));
    for (const { group, step } of line.groups) {
      at += Math.max(layGroup(laid, seat, group, at, y, lines.width, step, chosen, true), group.name.length * 7.8) + 10;
    }
    y += lines.pitch;
  }
}

// --- the middle: a trick, or piles ------------------------------------------------------------------------------------

function layMiddle(laid: Laid, table: Table, middle: Box, cardWidth: number, seats: number, chosen: Chosen): void {
  const piles = (table.piles ?? []).filter((pile) => pile.spread || pile.count);
  const trick = table.trick;
  if (!trick?.plays || (piles.length && seats > 2 && !trick.cards.length)) {
    layPiles(laid, piles, middle, cardWidth, chosen);
    return;
  }
  const centre = { ...middle };
  if (piles.length) {
    // Beside the trick: below each other where there is not the room for two.
    const left = seats === 2 ? Math.min(middle.w * 0.4, 420) : Math.min(middle.w * 0.24, 130);
    layPiles(laid, piles, { ...middle, w: left }, cardWidth * 0.86, chosen);
    centre.x += left;
    centre.w -= left;
  }
  if (trick.row) layRow(laid, table, centre, cardWidth);
  else layTrick(laid, table, centre, cardWidth, seats);
}

function layTrick(laid: Laid, table: Table, box: Box, cardWidth: number, seats: number): void {
  const two = seats === 2;
  const width = clamp(Math.min(box.w / (two ? 2.3 : 3.2), box.h / (two ? 1.5 : 2.1) / RATIO), FINGER, cardWidth * 1.08);
  const tall = width * RATIO;
  const cx = box.x + box.w / 2;
  const cy = box.y + box.h / 2;
  const spots: Record<string, [number, number, number]> = two
    ? { above: [-0.56, -0.1, -3], below: [0.56, 0.1, 3] }
    : { above: [0, -0.5, 2], below: [0, 0.5, -2], left: [-1.06, 0.02, -4], right: [1.06, -0.02, 4] };
  for (const [place, [across, down]] of Object.entries(spots)) {
    const seat = (table.seats ?? []).find((one) => one.place === place);
    if (seat) laid.anchors[`trick ${seat.seat}`] = { x: cx + across * width, y: cy + down * tall };
  }
  for (const { seat, card } of table.trick?.cards ?? []) {
    const place = (table.seats ?? []).find((one) => one.seat === seat)?.place ?? "below";
    const [across, down, turned] = spots[place] ?? [0, 0, 0];
    const won = table.trick?.won;
    const mood = won == null ? "" : won === seat ? "won" : "dim";
    laid.cards.push({ zone: `trick ${seat}`, card, x: cx + across * width - width / 2, y: cy + down * tall - tall / 2, s: width / 100, r: turned, mood });
  }
}

/** Cards that are played in turn, beside each other, mine lower. */
function layRow(laid: Laid, table: Table, box: Box, cardWidth: number): void {
  const cards = table.trick?.cards ?? [];
  const width = clamp(Math.min(box.w / 3, box.h / 1.75 / RATIO), 40, cardWidth);
  const tall = width * RATIO;
  const step = cards.length > 1 ? Math.min(width * 0.62, (box.w - width) / (cards.length - 1)) : 0;
  const total = width + step * Math.max(cards.length - 1, 0);
  const y = box.y + (box.h - tall * 1.22) / 2;
  cards.forEach(({ seat, card }, number) => {
    const x = box.x + (box.w - total) / 2 + number * step;
    laid.cards.push({ zone: `row ${number}`, card, x, y: y + (seat === table.me ? tall * 0.22 : 0), s: width / 100, r: 0, mood: "" });
  });
  if (cards.length && table.trick) {
    laid.labels.push({ text: table.trick.called, x: box.x, y: y + tall * 1.24 + 2, w: box.w, align: "center", kind: "pile" });
  }
}

/** Of one line below a pile, and of each further one. */
const LABEL = 22;
const LINE = 15;

function layPiles(laid: Laid, piles: Pile[], box: Box, cardWidth: number, chosen: Chosen): void {
  const closed = piles.filter((pile) => !pile.spread);
  const spread = piles.filter((pile) => pile.spread);
  if (!piles.length) return;
  if (closed.length && spread.length === 1 && box.w > box.h * 1.9) {
    // Beside each other, where there is more room across than down.
    const left = Math.min(box.w * 0.34, closed.length * cardWidth * 1.5);
    const cards = spread[0]?.cards.length ?? 0;
    const right = Math.min(box.w - left, Math.max(cardWidth * (1.2 + 0.42 * cards), 90));
    const from = box.x + (box.w - left - right) / 2;
    layPiles(laid, closed, { ...box, x: from, w: left }, cardWidth, chosen);
    layPiles(laid, spread, { ...box, x: from + left, w: right }, cardWidth, chosen);
    return;
  }
  const across = Math.max(Math.min(closed.length, Math.floor(box.w / (FINGER * 1.2))), 1);
  const lines: Pile[][] = [];
  for (let start = 0; start < closed.length; start += across) lines.push(closed.slice(start, start + across));
  const each = (line: Pile[]) => Math.min(box.w / line.length, Math.max(cardWidth * 1.3, 104));
  const under = (line: Pile[]) => LABEL + LINE * (Math.max(...line.map((pile) => linesOf(pileText(pile), each(line)))) - 1);
  const words = lines.reduce((sum, line) => sum + under(line), 0) + spread.length * LABEL;
  const cards = Math.max(...spread.map((pile) => pile.cards.length), 1);
  const broad = spread.length ? (box.w - 8) / (1 + LAP * (cards - 1)) : cardWidth * 1.05;
  const linesFor = (pile: Pile, wide: number) => Math.ceil(Math.max(pile.cards.length, 1) / cardsAcross(box.w - 8, wide));
  const highAt = (wide: number) => (lines.length + spread.reduce((sum, pile) => sum + 1 + (linesFor(pile, wide) - 1) * LINED, 0)) * wide * RATIO;
  let width = Math.max(Math.min(closed.length ? (box.w - 6) / (across * 1.2) : cardWidth * 1.05, broad, cardWidth * 1.05), FINGER);
  while (width > FINGER && highAt(width) + words > box.h) width = Math.max(width - 2, FINGER);
  const tall = width * RATIO;
  let y = box.y + Math.max((box.h - highAt(width) - words) / 2, 0);
  for (const line of lines) {
    const wide = each(line);
    line.forEach((pile, number) => {
      const left = box.x + (box.w - line.length * wide) / 2 + number * wide;
      layPile(laid, pile, left + (wide - width) / 2, y, width, tall, chosen);
      laid.labels.push({ text: pileText(pile), x: left, y: y + tall + 2, w: wide, align: "center", kind: "pile" });
    });
    y += tall + under(line);
  }
  for (const pile of spread) {
    const most = Math.ceil(Math.max(pile.cards.length, 1) / linesFor(pile, width));
    const step = most > 1 ? Math.min(width * 0.42, (box.w - width - 8) / (most - 1)) : 0;
    const wide = width + step * (most - 1);
    const x = box.x + (box.w - wide) / 2;
    const top = y;
    pile.cards.forEach((card, number) => {
      const counts = chosen.counts.has(faceOf(card));
      y = top + Math.floor(number / most) * tall * LINED;
      laid.cards.push({ zone: `pile ${pile.name}`, card, x: x + (number % most) * step, y, s: width / 100, r: 0, mood: counts ? "counts" : "" });
    });
    laid.piles.push({ pile, box: { x, y: top, w: wide, h: y + tall - top } });
    laid.anchors[`pile ${pile.name}`] = { x: x + wide - width / 2, y: y + tall / 2 };
    const under = pile.cards.length ? tall + 2 : (tall - LABEL) / 2;
    laid.labels.push({ text: pileText(pile), x: box.x, y: y + under, w: box.w, align: "center", kind: "pile" });
    y += tall + LABEL;
  }
}

/** The part of a card that shows where others of a pile lie on it: across, and down where they are in lines. */
const LAP = 0.34;
const LINED = 0.5;

function cardsAcross(room: number, width: number): number {
  return Math.max(Math.floor((room - width) / (width * LAP) + 0.001) + 1, 1);
}

/** How many lines a label takes. */
function linesOf(text: string, width: number): number {
  return Math.ceil((text.length * 7.6) / width);
}

function layPile(laid: Laid, pile: Pile, x: number, y: number, width: number, tall: number, chosen: Chosen): void {
  pile.cards.forEach((card, number) => {
    const under = pile.cards.length - 1 - number;
    const counts = under === 0 && chosen.counts.has(faceOf(card));
    laid.cards.push({ zone: `pile ${pile.name}`, card, x: x - under * 2.5, y: y - under * 2.5, s: width / 100, r: 0, mood: counts ? "counts" : "" });
  });
  laid.piles.push({ pile, box: { x, y, w: width, h: tall } });
  laid.anchors[`pile ${pile.name}`] = { x: x + width / 2, y: y + tall / 2 };
}

function pileText(pile: Pile): string {
  return pile.spread ? (pile.count ? pile.name : `${pile.name}, empty`) : pile.count > 1 ? `${pile.name} ${pile.count}` : pile.name;
}
