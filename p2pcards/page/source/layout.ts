/** Where everything lies on a table of some size: pure geometry. It knows seats, piles, a trick and a hand, and no game. */

import type { HandCard, Lies, Pile, Seat, Table } from "./said";
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

/** By how much words are larger where there is much room. */
export function unit(w: number, h: number): number {
  return clamp(Math.min(w / 1250, h / 780), 1, 1.75);
}

/** controls: how high the part is that tells what there is to do. */
export function layout(table: Table, w: number, h: number, controls: number, chosen: Chosen): Laid {
  const laid: Laid = { cards: [], plates: [], labels: [], hits: [], piles: [], board: null, controls: 0, anchors: {} };
  const seats = table.seats ?? [];
  const hand = table.hand ?? [];
  const cardWidth = clamp(Math.min(w * 0.172, h * 0.16), 54, 250);
  const handTop = layHand(laid, table, hand, w, h, cardWidth, chosen);
  laid.controls = handTop - controls - 4;
  const area: Box = { x: EDGE, y: 4, w: w - 2 * EDGE, h: laid.controls - 6 };
  if (!seats.length) return laid;
  layBoard(laid, table, area);
  const small = clamp(Math.min(area.w * 0.115, area.h * 0.135), 36, 130);
  const middle = laySeats(laid, seats, area, small, chosen, unit(w, h));
  layMiddle(laid, table, middle, cardWidth, seats.length, chosen);
  // A name that is wider than what lies under it stays on the table.
  for (const label of laid.labels) if (label.kind === "row") label.x = Math.min(label.x, w - EDGE - label.text.length * 7.4 * unit(w, h));
  return laid;
}

// --- the hand of the person, as a fan ---------------------------------------------------------------------------------

function layHand(laid: Laid, table: Table, hand: HandCard[], w: number, h: number, wanted: number, chosen: Chosen): number {
  if (!hand.length) return h;
  const room = w - 2 * EDGE;
  const gaps = hand.filter((card) => card.gap).length;
  const stepFor = (count: number, width: number, gapped: number) =>
    count < 2 ? width : Math.min(width * 0.62, (room - width - gapped * width * GAP) / (count - 1));
  const rows = stepFor(hand.length, wanted, gaps) < wanted * INDEX ? 2 : 1;
  const width = rows === 2 ? wanted * 0.94 : wanted;
  const tall = width * RATIO;
  const lift = tall * 0.11;
  // On a small screen the lower edge of the cards lies below that of the screen: what they are stands above.
  const sunk = h < 700 ? tall * 0.17 : -EDGE;
  const pitch = tall * 0.56;
  const top = h - tall + sunk - (rows - 1) * pitch;
  const perRow = Math.ceil(hand.length / rows);
  for (let row = 0; row < rows; row += 1) {
    const first = row * perRow;
    const part = hand.slice(first, first + perRow);
    const inRow = part.filter((card, number) => card.gap && number > 0).length;
    const step = stepFor(rows === 1 ? part.length : perRow, width, inRow);
    const total = width + step * (part.length - 1) + inRow * width * GAP;
    let x = (w - total) / 2;
    const middle = (part.length - 1) / 2;
    part.forEach((card, number) => {
      if (card.gap && number > 0) x += width * GAP;
      const place = first + number;
      const off = part.length > 1 ? (number - middle) / middle : 0;
      const bend = rows === 1 && part.length > 2 ? Math.min(part.length, 13) / 13 : 0;
      const marked = chosen.marked.has(place);
      const up = marked ? lift * 2.1 : chosen.at === place ? lift * 1.5 : table.myTurn && card.can ? lift * 0.75 : 0;
      const y = top + row * pitch + off * off * bend * tall * 0.05 - up;
      const counts = chosen.counts.has(faceOf(card.card));
      const mood = counts ? "counts" : marked ? "marked" : table.myTurn ? (card.can ? "can" : "dim") : card.laid || (card.melds && table.look["tint"]) ? "tint" : "";
      laid.cards.push({ zone: "hand", card: card.card, x, y, s: width / 100, r: off * bend * 3.2, mood, place });
      const last = number === part.length - 1;
      const next = part[number + 1];
      const seen = last ? width : step + (next?.gap ? width * GAP : 0);
      const below = rows === 2 && row === 0 ? pitch : tall - Math.max(sunk, 0) + up;
      laid.hits.push({ place, box: { x, y, w: seen, h: below } });
      x += step;
    });
  }
  laid.anchors["hand"] = { x: w / 2, y: h - tall / 2 };
  return top - lift * 0.9;
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

// --- the seats, and what lies before them -----------------------------------------------------------------------------

/** Of a table so low, others sit beside the trick and not above it. */
const LOW = 250;

function laySeats(laid: Laid, seats: Seat[], area: Box, small: number, chosen: Chosen, u: number): Box {
  const narrow = area.w < 640;
  const wing = seats.length > 2 ? clamp(area.w * 0.27, 88, 300 * u) : 0;
  const middle = { ...area };
  for (const seat of seats.filter((one) => one.place === "above")) {
    const used = layAcross(laid, seat, area, small, chosen, narrow, "above", u);
    middle.y += used;
    middle.h -= used;
  }
  for (const seat of seats.filter((one) => one.place === "below")) {
    middle.h -= layAcross(laid, seat, area, small, chosen, narrow, "below", u);
  }
  const aside = seats.filter((one) => one.place === "left" || one.place === "right");
  for (const seat of aside) layAside(laid, seat, area, middle, wing, small, chosen, narrow, u);
  if (area.h < LOW && area.w > 480) return { ...area, x: area.x + area.w * 0.32, w: area.w * 0.36 };
  return aside.length ? { ...middle, x: middle.x + wing, w: middle.w - 2 * wing } : middle;
}

/** How high what is told of a seat is: its name, and up to three lines. */
function plateHigh(seat: Seat, width: number, u: number, stacked = false): number {
  const told = told_of(seat).length * 6.7 * u;
  const name = stacked ? 44 + (seat.name.length * 8.4 > width - 16 ? 15 : 0) : 34 * u;
  return told ? name + Math.min(Math.ceil(told / (width - 16)), 3) * 15 * u : name;
}

/** How wide it has to be, at the most so wide. */
function plateWide(seat: Seat, most: number, u: number): number {
  const tags = (seat.partner ? 58 : 0) + (seat.dealer ? 26 : 0) + (seat.turn ? 18 : 0);
  const name = seat.name.length * 9.6 + tags + 60 + String(seat.score).length * 10;
  return Math.min(most, u * Math.max(name, Math.min(told_of(seat).length * 7.4 + 26, 250), 112));
}

export function told_of(seat: Seat): string {
  return [seat.note, ...seat.counts, seat.status].filter(Boolean).join("; ");
}

/** Above or below the middle: the plate with what is held and won beside it, and open cards in lines nearer the middle.
 *  How high all of it is. */
function layAcross(laid: Laid, seat: Seat, area: Box, small: number, chosen: Chosen, narrow: boolean, place: "above" | "below", u: number): number {
  const held = seat.lies.filter((group) => group.kind !== "open");
  const open = seat.lies.filter((group) => group.kind === "open");
  const heldWidth = held.reduce((sum, group) => sum + groupWidth(group, small, heldStep(group, small)) + 8, 0);
  const width = plateWide(seat, Math.max(Math.min(narrow ? 210 : 320 * u, area.w - heldWidth - 10), 120), u);
  const high = plateHigh(seat, width, u);
  const total = width + (heldWidth ? heldWidth + 6 : 0);
  const low = area.h < LOW && area.w > 480;
  const x = low ? area.x + Math.max(area.w * 0.38 - total, 0) : area.x + Math.max((area.w - total) / 2, 0);
  const tall = small * RATIO;
  const row = held.length ? Math.max(high, tall * (place === "above" ? 0.8 : 0.8)) : high;
  const top = place === "above" ? area.y : area.y + area.h - row;
  laid.plates.push({ seat, box: { x, y: top + (row - high) / 2, w: width, h: high }, narrow, stacked: false });
  laid.anchors[`seat ${seat.seat}`] = { x: x + width / 2, y: top + row / 2 };
  let at = x + width + 8;
  for (const group of held) {
    const y = place === "above" ? top - tall * 0.2 : top + Math.max(row - tall, -tall * 0.1);
    at += layGroup(laid, seat, group, at, y, small, heldStep(group, small), chosen, false) + 8;
  }
  if (!open.length) return row + 6;
  const beside = flowed(open, area.w, small * 1.02, INDEX + 0.04);
  const [line] = beside.lines;
  if (beside.lines.length === 1 && line && total + line.wide + 24 <= area.w && beside.high - tall * 0.2 <= Math.max(row, tall * 1.16)) {
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

function layAside(laid: Laid, seat: Seat, area: Box, middle: Box, wing: number, small: number, chosen: Chosen, narrow: boolean, u: number): void {
  const right = seat.place === "right";
  const room = wing - 6;
  const width = plateWide(seat, room, u);
  const stacked = room < 160;
  const high = plateHigh(seat, width, u, stacked);
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
      const wide = groupWidth(part, width, width * lap);
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
  const names = lines.filter((line) => line.named).length * 16;
  return { lines, width, pitch, high: (lines.length - 1) * pitch + width * RATIO + names };
}

function drawFlow(laid: Laid, seat: Seat, lines: Flow, x: number, y: number, room: number, align: "left" | "center" | "right", chosen: Chosen): void {
  for (const line of lines.lines) {
    if (line.named) y += 16;
    let at = x + (align === "left" ? 0 : (room - line.wide) / (align === "center" ? 2 : 1));
    for (const { group, step } of line.groups) {
      at += layGroup(laid, seat, group, at, y, lines.width, step, chosen, true) + 10;
    }
    y += lines.pitch;
  }
}

// --- the middle: a trick, or piles ------------------------------------------------------------------------------------

function layMiddle(laid: Laid, table: Table, middle: Box, cardWidth: number, seats: number, chosen: Chosen): void {
  const piles = (table.piles ?? []).filter((pile) => pile.spread || pile.count);
  const trick = table.trick;
  if (!trick?.plays) {
    layPiles(laid, piles, middle, cardWidth, chosen);
    return;
  }
  const centre = { ...middle };
  if (piles.length && seats === 2) {
    const left = Math.min(middle.w * 0.4, 420);
    layPiles(laid, piles, { ...middle, w: left }, cardWidth * 0.86, chosen);
    centre.x += left;
    centre.w -= left;
  } else if (piles.length) {
    const corner = Math.min(middle.h * 0.24, cardWidth * 1.25, middle.w * 0.3);
    layPiles(laid, piles, { x: middle.x, y: middle.y + middle.h - corner, w: middle.w, h: corner }, cardWidth * 0.6, chosen, "left");
  }
  if (trick.row) layRow(laid, table, centre, cardWidth);
  else layTrick(laid, table, centre, cardWidth, seats);
}

function layTrick(laid: Laid, table: Table, box: Box, cardWidth: number, seats: number): void {
  const two = seats === 2;
  const width = clamp(Math.min(box.w / (two ? 2.5 : 2.62), box.h / (two ? 1.5 : 2.02) / RATIO), 38, cardWidth * 1.08);
  const tall = width * RATIO;
  const cx = box.x + box.w / 2;
  const cy = box.y + box.h / 2;
  const spots: Record<string, [number, number, number]> = two
    ? { above: [-0.56, -0.1, -3], below: [0.56, 0.1, 3] }
    : { above: [0, -0.5, 2], below: [0, 0.5, -2], left: [-0.8, 0.02, -4], right: [0.8, -0.02, 4] };
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

function layPiles(laid: Laid, piles: Pile[], box: Box, cardWidth: number, chosen: Chosen, align: "center" | "left" = "center"): void {
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
  const rows = (closed.length ? 1 : 0) + spread.length;
  const width = clamp(
    Math.min(closed.length ? (box.w - 10) / (closed.length * 1.28) : box.w / 2, (box.h / rows - 24) / RATIO),
    30,
    cardWidth * 1.05,
  );
  const tall = width * RATIO;
  const all = rows * (tall + 22);
  let y = box.y + Math.max((box.h - all) / 2, 0);
  const each = Math.max(width * 1.28, Math.min(96, box.w / Math.max(closed.length, 1)));
  const total = closed.length * each;
  closed.forEach((pile, number) => {
    const left = align === "left" ? box.x + number * each : box.x + (box.w - total) / 2 + number * each;
    const x = left + (each - width) / 2;
    layPile(laid, pile, x, y, width, tall, chosen);
    laid.labels.push({ text: pileText(pile), x: left - 8, y: y + tall + 2, w: each + 16, align: "center", kind: "pile" });
  });
  if (closed.length) y += tall + 22;
  for (const pile of spread) {
    const step = pile.cards.length > 1 ? Math.min(width * 0.42, (box.w - width - 8) / (pile.cards.length - 1)) : 0;
    const wide = width + step * Math.max(pile.cards.length - 1, 0);
    const x = box.x + (box.w - wide) / 2;
    pile.cards.forEach((card, number) => {
      const counts = chosen.counts.has(faceOf(card));
      laid.cards.push({ zone: `pile ${pile.name}`, card, x: x + number * step, y, s: width / 100, r: 0, mood: counts ? "counts" : "" });
    });
    laid.piles.push({ pile, box: { x, y, w: wide, h: tall } });
    laid.anchors[`pile ${pile.name}`] = { x: x + wide - width / 2, y: y + tall / 2 };
    laid.labels.push({ text: pileText(pile), x: box.x, y: y + tall + 2, w: box.w, align: "center", kind: "pile" });
    y += tall + 22;
  }
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
