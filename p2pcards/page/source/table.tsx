/** The table: the bar above it, seats, cards, the hand and what can be done. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { CardFace } from "./cards";
import { Icon, signOf } from "./icons";
import { isUpright, layout, told_of, unit, type Box, type Laid } from "./layout";
import { moves } from "./look";
import type { Deeds } from "./main";
import type { Bubble, Model } from "./model";
import { followed, type Moving } from "./motion";
import { Told } from "./panels";
import { WhoIsThat } from "./portrait";
import { pressed } from "./press";
import type { Counting, Line, Pile, ScoreRow, Seat, Table } from "./said";
import { BACK, capital, cardWords, clamp, SIGNS } from "./words";

/** Pixels across from which on there is room beside the table. */
const WIDE = 1080;

export function TablePage({ model, deeds }: { model: Model; deeds: Deeds }) {
  const table = model.table;
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  useKeys(model, deeds);
  if (!table) return null;
  return (
    <div class={`at-table ${size.upright ? "upright" : ""} ${size.page >= WIDE ? "with-side" : ""}`}>
      <Bar model={model} table={table} deeds={deeds} wide={size.page >= WIDE} upright={size.upright} />
      <main class="felt" ref={box}>
        {size.w > 0 && <Felt model={model} table={table} deeds={deeds} w={size.w} h={size.h} upright={size.upright} />}
      </main>
      {size.page >= WIDE && <Side model={model} table={table} deeds={deeds} />}
    </div>
  );
}

function useSize(box: { current: HTMLElement | null }) {
  const [size, setSize] = useState({ w: 0, h: 0, page: innerWidth, upright: isUpright(innerWidth, innerHeight) });
  useLayoutEffect(() => {
    const measure = () => {
      const here = box.current;
      if (!here) return;
      document.documentElement.style.setProperty("--u", String(unit(here.clientWidth, here.clientHeight)));
      // By the window: what stands above the felt is higher or lower for it.
      setSize({ w: here.clientWidth, h: here.clientHeight, page: innerWidth, upright: isUpright(innerWidth, innerHeight) });
    };
    measure();
    const watch = new ResizeObserver(measure);
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return size;
}

// --- above and beside -------------------------------------------------------------------------------------------------

function Bar({ model, table, deeds, wide, upright }: { model: Model; table: Table; deeds: Deeds; wide: boolean; upright: boolean }) {
  const suit = table.trump?.suit ?? "";
  return (
    <header class="bar">
      <button class="icon" aria-label="Menu" onClick={() => { deeds.say("menus"); deeds.open({ kind: "menus" }); }}><Icon name="menu" /></button>
      {suit && <span class={`trump ${suit[0]?.toUpperCase()}`} title={`Trump: ${suit}`} aria-hidden="true">{SIGNS[suit]}</span>}
      <div class="title">
        {upright && table.name ? <h1>{table.name}<small>{table.counters}</small></h1> : <h1>{table.title}</h1>}
        <p>
          {table.facts.map((fact) => <span key={fact}>{fact}</span>)}
        </p>
      </div>
      {!wide && table.scores && (
        <button class="icon" aria-label={`Scores: ${table.scores.rows.map((row) => `${row.names} ${row.score}`).join(", ")}`} onClick={() => deeds.open({ kind: "sheet" })}><Icon name="score" /></button>
      )}
      {(table.last?.length ?? 0) > 0 && !upright && <button class="icon" aria-label="Last trick" onClick={() => deeds.open({ kind: "last" })}><Icon name="last" /></button>}
      <button class="icon" aria-label={model.unread ? `Chat, ${model.unread} new` : "Chat"} onClick={() => deeds.open({ kind: wide ? "chat" : "log" })}><Icon name="talk" />{model.unread > 0 && <i class="dot">{model.unread}</i>}</button>
    </header>
  );
}

function Side({ model, table, deeds }: { model: Model; table: Table; deeds: Deeds }) {
  return (
    <aside class="side" aria-label="Scores and table log">
      {table.scores && (
        <section aria-labelledby="scores">
          <h2 id="scores">{table.scores.title}</h2>
          <table class="scores">
            <tbody>
              {table.scores.rows.map((row) => (
                <tr key={row.names} class={row.mine ? "mine" : ""}>
                  <th scope="row">{row.names}{row.items.length > 0 && <small>{row.items.join(", ")}</small>}</th>
                  <td>{row.last}</td>
                  <td><b>{row.score}</b></td>
                </tr>
              ))}
            </tbody>
          </table>
          <button class="quiet" onClick={() => deeds.open({ kind: "sheet" })}>Score sheet</button>
        </section>
      )}
      <section class="happened" aria-labelledby="happened">
        <h2 id="happened">Table log</h2>
        <Told model={model} chat={false} />
      </section>
    </aside>
  );
}

/** By the font of the page, which is the system's own. */
const pen = document.createElement("canvas").getContext("2d");
function measure(text: string, size: number, bold: boolean): number {
  if (!pen) return text.length * size * 0.7;
  pen.font = `${bold ? 600 : 400} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

// --- the felt: all that lies on the table -----------------------------------------------------------------------------

function Felt({ model, table, deeds, w, h, upright }: { model: Model; table: Table; deeds: Deeds; w: number; h: number; upright: boolean }) {
  const [high, setHigh] = useState(96);
  const counting = useCounting(table);
  const chosen = useMemo(() => ({ marked: model.marked, at: model.at, counts: new Set(counting?.cards.map((card) => card.slice(0, 2)) ?? []) }), [model.marked, model.at, counting]);
  const laid = useMemo(() => layout(table, w, h, upright, high, chosen, measure), [table, w, h, upright, high, chosen]);
  const [drag, setDrag] = useState<Drag | null>(null);
  // On a telephone a bubble would lie on the cards that count.
  const counts = upright && counting ? `${table.seats?.find((seat) => seat.seat === counting.seat)?.name ?? ""}, ${counting.what}: ${counting.said.join(", ")}` : "";
  return (
    <>
      {table.board && laid.board && <Board rows={table.board.rows} whose={table.board.whose} box={laid.board} />}
      {!table.seats?.length && <Lobby model={model} table={table} />}
      <ul class="seats" aria-label="Players">
        {laid.plates.map(({ seat, box, narrow, stacked }) => (
          <Plate key={seat.seat} deeds={deeds} table={table} seat={seat} box={box} narrow={narrow} stacked={stacked} counts={counting?.seat === seat.seat && !upright ? counting : null} said={model.bubbles[seat.seat]} />
        ))}
      </ul>
      <Cards laid={laid} model={model} table={table} drag={drag} />
      {laid.labels.map((label, number) => (
        <span key={number} class={`label ${label.kind}`} aria-hidden="true" style={{ left: `${label.x}px`, top: `${label.y}px`, width: `${label.w}px`, textAlign: label.align }}><span>{label.text}</span></span>
      ))}
      <InWords table={table} />
      {laid.piles.map(({ pile, box }) => <PileHit key={pile.name} pile={pile} box={box} deeds={deeds} marked={model.marked} />)}
      {(table.last?.length ?? 0) > 0 && laid.won.map((box, number) => <button key={number} class="won-hit" style={place(box)} aria-label="Last trick" onClick={() => deeds.open({ kind: "last" })} />)}
      <Controls model={model} table={table} deeds={deeds} counts={counts} top={laid.controls} measured={setHigh} high={high} />
      <Hand model={model} table={table} laid={laid} deeds={deeds} setDrag={setDrag} felt={{ x: 0, y: 0, w, h }} />
    </>
  );
}

/** Before a game: who is here, what is chosen, and what a friend needs who is to come. */
function Lobby({ model, table }: { model: Model; table: Table }) {
  const lobby = table.lobby;
  if (!lobby) return null;
  const addresses = model.waits?.addresses ?? [];
  const code = lobby.code || model.waits?.code;
  return (
    <section class="lobby" aria-label="At the table">
      {lobby.chosen.map((text, number) => <p key={number} class={number ? "" : "chosen"}>{text}</p>)}
      {lobby.link ? (
        <div class="waits">
          <p>{lobby.qr.length > 0 ? "Send this link to your friend, or let their phone scan it:" : "Send this link to your friend:"}</p>
          <code>{lobby.link}</code>
          {"clipboard" in navigator && <button onClick={() => void navigator.clipboard.writeText(lobby.link)}>Copy</button>}
          {"share" in navigator && lobby.link.startsWith("http") && <button onClick={() => void navigator.share({ url: lobby.link }).catch(() => undefined)}>Share</button>}
          {lobby.qr.length > 0 && <Qr rows={lobby.qr} />}
          {lobby.watching && "clipboard" in navigator && <button class="quiet" onClick={() => void navigator.clipboard.writeText(lobby.watching)}>Copy a link to watch</button>}
        </div>
      ) : code && addresses.length === 0 ? (
        <div class="waits">
          <p>Your friend can join from anywhere with this code:</p>
          <code class="code">{code}</code>
        </div>
      ) : addresses.length > 0 && (
        <div class="waits">
          <p>Your friend needs this address{code ? " and, the first time, this code" : ""}:</p>
          {addresses.map((address) => <code key={address}>{address}</code>)}
          {code && <code class="code">{code}</code>}
        </div>
      )}
      <ul class="people">
        {lobby.people.map(([name, facts]) => <li key={name}><b>{name}</b><small>{facts}</small></li>)}
      </ul>
    </section>
  );
}

function Qr({ rows }: { rows: string[] }) {
  const dark = rows.flatMap((row, y) => [...row].map((sign, x) => (sign === "1" ? `M${x} ${y}h1v1h-1z` : "")));
  return <svg class="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label="The link as a QR code"><path d={dark.join("")} /></svg>;
}

function place(box: Box) {
  return { left: `${box.x}px`, top: `${box.y}px`, width: `${box.w}px`, height: `${box.h}px` };
}

function Plate({ deeds, table, seat, box, narrow, stacked, counts, said }: { deeds: Deeds; table: Table; seat: Seat; box: Box; narrow: boolean; stacked: boolean; counts: Counting | null; said: Bubble | undefined }) {
  const told = told_of(seat);
  return (
    <li class={`plate ${seat.place} ${seat.turn ? "turn" : ""} ${seat.you ? "you" : ""} ${seat.winner && table.phase === "over" ? "winner" : ""} ${narrow ? "narrow" : ""} ${stacked ? "stacked" : ""}`} style={place(box)}>
      <span class="name">
        {seat.turn && <span class="arrow" aria-hidden="true">▶</span>}
        <b>{seat.name}{seat.you && <span class="spoken"> (you)</span>}</b>
        {seat.partner && <i>partner</i>}
        {seat.dealer && <i class={`dealer ${seat.dealer === "dealer" ? "" : "next"}`} title={seat.dealer}><span aria-hidden="true">D</span><span class="spoken">{seat.dealer}</span></i>}
        {seat.turn && <span class="spoken">to play</span>}
        {seat.reactions.length > 0 && <Icon name="react" />}
        <em><span class="spoken">score </span>{seat.score}</em>
      </span>
      <span class="spoken">{holds(seat)}</span>
      {told && <small>{told}</small>}
      {!seat.you && <WhoIsThat name={seat.character} tell={(address) => deeds.say("guide", { address })} />}
      {seat.reactions.length > 0 && <button class="who" aria-label="React" title="React" onClick={() => deeds.open({ kind: "react" })} />}
      {counts && <span class="bubble" role="status">{counts.what}: {counts.said.join(", ")}</span>}
      {said && !counts && <SaidThere key={said.at} said={said} table={table} />}
    </li>
  );
}

const SAID_FOR = 5000;

/** What was said at a seat, for some seconds. A screen reader hears it from the log. */
function SaidThere({ said, table }: { said: Bubble; table: Table }) {
  const left = said.at + SAID_FOR - performance.now();
  const [gone, setGone] = useState(left <= 0);
  useEffect(() => {
    const timer = setTimeout(() => setGone(true), left);
    return () => clearTimeout(timer);
  }, []);
  if (gone) return null;
  const mine = table.seats?.find((seat) => seat.you)?.reactions ?? [];
  const sign = signOf(mine.find(([, label]) => label === said.text)?.[0] ?? "");
  return <span class="bubble said" aria-hidden="true"><span>{sign && <Icon name={sign} />}{said.text}</span></span>;
}

/** What is seen of a seat and not written, for who cannot see it. */
function holds(seat: Seat): string {
  const told = told_of(seat);
  const tricks = seat.lies.filter((group) => group.kind === "tricks" && !told.includes(group.name)).map((group) => group.name);
  return [`${seat.cards} card${seat.cards === 1 ? "" : "s"}`, ...tricks, seat.level && `computer, ${seat.level}`].filter(Boolean).join(", ");
}

/** What lies on the table, for who cannot see it. */
function InWords({ table }: { table: Table }) {
  const name = (seat: number) => (seat === table.me ? "you" : (table.seats?.find((one) => one.seat === seat)?.name ?? ""));
  const trick = table.trick?.cards ?? [];
  return (
    <div class="spoken" role="region" aria-label="On the table">
      {trick.length > 0 && <p>{capital(table.trick?.won != null ? "last trick" : (table.trick?.called ?? ""))}: {trick.map(({ seat, card }, number) => `${name(seat)}${table.trick?.row || number ? "" : " led"} ${cardWords(card)}`).join(", ")}.</p>}
      {(table.piles ?? []).map((pile) => <p key={pile.name}>{pileWords(pile)}</p>)}
      {(table.seats ?? []).flatMap((seat) => seat.lies.filter((group) => group.kind === "open").map((group, number) => <p key={`${seat.seat} ${number}`}>{capital(name(seat.seat))}{group.name ? `, ${group.name}` : ""}: {group.cards.map(cardWords).join(", ")}.</p>))}
      {table.own.map((fact) => <p key={fact}>{capital(fact)}</p>)}
    </div>
  );
}

function pileWords(pile: Pile): string {
  const top = pile.cards[pile.cards.length - 1];
  const shown = pile.spread ? pile.cards.map(cardWords).join(", ") : top && top !== BACK ? cardWords(top) : "";
  return `${capital(pile.name)}: ${pile.count} card${pile.count === 1 ? "" : "s"}${shown ? `, ${pile.spread ? "" : "on top "}${shown}` : ""}`;
}

function PileHit({ pile, box, deeds, marked }: { pile: Pile; box: Box; deeds: Deeds; marked: ReadonlySet<number> }) {
  if (!pile.lines.length) return null;
  const draw = () => {
    const [line] = pile.lines;
    if (marked.size) deeds.say("cards", { places: [...marked] });
    else if (pile.lines.length === 1 && line) deeds.line(line[0], true);
    else deeds.open({ kind: "choose", title: "Which one?", choices: pile.lines });
  };
  return <button class="pile-hit" style={place(box)} aria-label={`${capital(pile.lines[0]?.[1] ?? "")}: ${pileWords(pile)}`} onClick={draw} />;
}

// --- the cards --------------------------------------------------------------------------------------------------------

interface Drag {
  place: number;
  dx: number;
  dy: number;
}

function Cards({ laid, model, table, drag }: { laid: Laid; model: Model; table: Table; drag: Drag | null }) {
  const before = useRef<{ cards: Moving[]; laid: Laid | null; table: Table | null }>({ cards: [], laid: null, table: null });
  const moving = moves(model.look) ? clamp(table.moving, table.moving ? 150 : 0, 300) : 0;
  const cards = useMemo(() => {
    const fresh = before.current.table !== table;
    const was = before.current;
    const dealt = was.table !== null && was.table.game === table.game;
    const found = followed(was.cards, laid, dealt && fresh ? (was.laid ?? null) : null, model.actor, fresh && moving ? model.taker : null);
    before.current = { cards: found, laid, table };
    return found;
  }, [laid, table]);
  // Keyed elements stay where they are in the page, so that a card that is on its way goes on with it.
  const order = [...cards].sort((one, other) => (one.key < other.key ? -1 : 1));
  const depth = new Map(cards.map((card, number) => [card.key, card.gone ? 900 + number : card.zone === "hand" ? 300 + number : card.zone.startsWith("trick") || card.zone.startsWith("row") ? (card.mood === "won" ? 290 : 200 + number) : 10 + number]));
  return (
    <div class="cards" aria-hidden="true">
      {order.map((card) => (
        <Card key={card.key} card={card} depth={depth.get(card.key) ?? 0} moving={moving} back={model.look.back} drag={drag && card.place === drag.place ? drag : null} />
      ))}
    </div>
  );
}

function Card({ card, depth, moving, back, drag }: { card: Moving; depth: number; moving: number; back: string; drag: Drag | null }) {
  const box = useRef<HTMLDivElement>(null);
  const at = `translate(${card.x + (drag?.dx ?? 0)}px, ${card.y + (drag?.dy ?? 0)}px) rotate(${card.r}deg) scale(${card.s})`;
  useLayoutEffect(() => {
    const here = box.current;
    if (!here || !card.from || !moving) return;
    here.animate([{ transform: `translate(${card.from.x}px, ${card.from.y}px) scale(${card.s * 0.8})` }, { transform: at }], { duration: moving, delay: card.delay, easing: "cubic-bezier(.2,.7,.3,1)", fill: "backwards" });
  }, []);
  const time = drag ? 0 : moving;
  return (
    <div ref={box} data-zone={card.zone} class={`card ${card.mood} ${card.gone ? "gone" : ""} ${drag ? "dragged" : ""}`} style={{ transform: at, zIndex: drag ? 950 : depth, transitionDuration: `${time}ms` }}>
      <CardFace card={card.card} back={back} />
    </div>
  );
}

// --- the hand, by taps, by keys and by dragging -----------------------------------------------------------------------

const DRAGGED = 9;

function Hand({ model, table, laid, deeds, setDrag, felt }: { model: Model; table: Table; laid: Laid; deeds: Deeds; setDrag: (drag: Drag | null) => void; felt: Box }) {
  const start = useRef<{ place: number; x: number; y: number; far: boolean; away: boolean } | null>(null);
  const hand = table.hand ?? [];
  // Who goes by keys stands on a card that can be played, as soon as one can.
  useEffect(() => {
    const here = document.activeElement;
    const at = here instanceof HTMLElement && here.matches(":focus-visible") ? here.dataset["place"] : undefined;
    const first = hand.findIndex((card) => card.can);
    if (at !== undefined && table.myTurn && first >= 0 && !hand[Number(at)]?.can && focusCard(first)) deeds.change({ at: first });
  }, [table]);
  const down = (event: PointerEvent, number: number) => {
    start.current = { place: number, x: event.clientX, y: event.clientY, far: false, away: isAway(table) };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const from = start.current;
    if (!from) return;
    const dx = event.clientX - from.x;
    const dy = event.clientY - from.y;
    from.far ||= Math.hypot(dx, dy) > DRAGGED;
    if (from.far) setDrag({ place: from.place, dx, dy });
  };
  const up = (event: PointerEvent) => {
    const from = start.current;
    setDrag(null);
    if (!from?.far) return;
    const dy = event.clientY - from.y;
    if (dy < -Math.min(70, felt.h * 0.12)) {
      const marked = model.marked.has(from.place) ? [...model.marked] : [from.place];
      deeds.say("cards", { places: marked });
    } else {
      moveCard(event, from.place);
    }
  };
  const moveCard = (event: PointerEvent, from: number) => {
    const bounds = (event.currentTarget as HTMLElement).parentElement?.getBoundingClientRect();
    const x = event.clientX - (bounds?.left ?? 0);
    const y = event.clientY - (bounds?.top ?? 0);
    const over = [...laid.hits].reverse().find(({ box }) => x >= box.x && x < box.x + box.w && y >= box.y);
    const card = hand[from];
    const before = over ? hand[over.place] : undefined;
    if (!card || over?.place === from || card.laid || before?.laid) return;
    deeds.line(over ? `move ${from + 1} ${over.place + 1}` : `move ${from + 1}`);
  };
  const click = (event: MouseEvent, number: number) => {
    const from = start.current;
    start.current = null;
    // The tap that takes the seat back plays no card: the character may have played meanwhile.
    if (!from?.far && !from?.away) pressed(model, deeds, number, event.detail === 0 ? "key" : "tap");
  };
  return (
    <ul class="hand" aria-label={`Your hand, ${hand.length} card${hand.length === 1 ? "" : "s"}`}>
      {laid.hits.map(({ place: number, box }) => {
        const card = hand[number];
        if (!card) return null;
        const can = table.myTurn ? (card.can ? ", can be played" : "") : "";
        return (
          <li key={`${number}`}>
            <button
              class="hit"
              data-place={number}
              style={place(box)}
              aria-pressed={model.marked.has(number)}
              aria-label={`${capital(cardWords(card.card))}${can}${model.marked.has(number) ? ", marked" : ""}`}
              onPointerDown={(event) => down(event, number)}
              onPointerMove={move}
              onPointerUp={up}
              onPointerCancel={() => { start.current = null; setDrag(null); }}
              onClick={(event) => click(event, number)}
              onFocus={(event) => { if (event.currentTarget.matches(":focus-visible")) deeds.change({ at: number }); }}
            />
          </li>
        );
      })}
    </ul>
  );
}

// --- what there is to do ----------------------------------------------------------------------------------------------

function Controls({ model, table, deeds, counts, top, measured, high }: { model: Model; table: Table; deeds: Deeds; counts: string; top: number; measured: (high: number) => void; high: number }) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const here = box.current?.offsetHeight ?? high;
    if (Math.abs(here - high) > 1) measured(here);
  });
  const held = table.held ? "There's more to see. Tap or press any key." : "";
  const wrong = model.status?.wrong ?? false;
  const [left, pressing] = model.clock;
  const said = model.status?.text ?? (counts || held || (model.offers && model.marked.size ? model.offers.prompt : model.prompt));
  const offers = model.marked.size ? (model.offers?.offers ?? []) : [];
  const reasons = table.over && innerWidth < WIDE ? simpleReasons(table) : [];
  const fits = besideButtons(table, box.current?.offsetWidth ?? 0);
  const do_it = (line: Line) => deeds.line(line[0], true);
  return (
    <section class="controls" data-marks={model.offers ? model.marked.size : undefined} style={{ top: `${top}px` }} ref={box} aria-label="Actions">
      <div class="prompt">
        <p class={`${wrong ? "wrong" : ""} ${table.myTurn && !model.status ? "due" : ""}`} role={wrong ? "alert" : "status"}>{said}</p>
        {left && <b class={`clock ${pressing}`} role="timer" aria-label={`${left} left to play`}>{left}</b>}
        {table.own.length > 0 && <p class="own" aria-hidden="true">{table.own.slice(0, 2).join("; ")}</p>}
      </div>
      {reasons.length > 0 && <ul class="reasons" aria-label="Why">{reasons.map((row) => <li key={row.names}><b>{row.names} {row.last}</b> {row.items.join(", ")}</li>)}</ul>}
      <div class="buttons">
        {offers.map((offer) => <button key={offer[0]} class="main" onClick={() => do_it(offer)}>{capital(offer[1])}</button>)}
        {model.marked.size > 0 && <button class="quiet" onClick={() => deeds.change({ marked: new Set(), offers: null })}>Unmark</button>}
        {model.status?.next && <button class="main" onClick={() => deeds.line(model.status?.next ?? "")}>Use hint</button>}
        {model.thinks && <button onClick={() => deeds.line("hint off")}>Cancel hint</button>}
        {table.buttons.map((button, number) => (
          <button
            key={button.label}
            class={button.line === "again" || (number === 0 && table.buttons.length === 1 && !table.hand?.some((card) => card.can)) ? "main" : ""}
            onClick={() => push(button, deeds)}
          ><Lettered label={button.label} letter={button.key} /></button>
        ))}
        {table.over && innerWidth < WIDE && reasons.length === 0 && <button onClick={() => deeds.open({ kind: "sheet" })}>Score sheet</button>}
        {model.records && table.over && <button onClick={() => { if (model.records) deeds.change({ records: null, panels: [...model.panels, { kind: "read", read: model.records }] }); }}>Your records</button>}
      </div>
      {table.assists.length > 0 && (
        <div class={`buttons aids ${fits ? "fits-in" : ""}`}>
          {table.assists.includes("hint") && <button class="icon hint" aria-label="Hint" title="Hint" onClick={() => deeds.line("hint")}><Icon name="hint" /></button>}
          {table.assists.includes("undo") && <button class="icon undo" aria-label="Undo" title="Undo" onClick={() => deeds.line("undo")}><Icon name="undo" /></button>}
        </div>
      )}
      {model.talk !== null && <TalkLine model={model} deeds={deeds} />}
    </section>
  );
}

/** Characters of reasons that are read at a glance. */
const SIMPLE = 240;

/** The sides that have won or lost something by the hand, where what for is short; else the score sheet has it. */
function simpleReasons(table: Table): ScoreRow[] {
  const rows = (table.scores?.rows ?? []).filter((row) => row.items.length > 0);
  const length = rows.reduce((sum, row) => sum + row.names.length + row.items.join(", ").length, 0);
  return length <= SIMPLE ? rows : [];
}

/** Whether the buttons of the table leave room for the signs of hint and undo in their row. */
function besideButtons(table: Table, width: number): boolean {
  return table.buttons.length > 0 && table.buttons.reduce((sum, button) => sum + Math.max(measure(button.label, 16, false) + 36, 48) + 6, 0) + 2 * 54 + 16 <= width;
}

export function push(button: { line: string; several: Line[]; begins: string }, deeds: Deeds): void {
  if (button.several.length) deeds.open({ kind: "choose", title: "Which one?", choices: button.several });
  else if (button.begins) deeds.change({ talk: `/${button.begins}` });
  else deeds.line(button.line, true);
}

function Lettered({ label, letter }: { label: string; letter: string }) {
  const shown = capital(label);
  const at = letter ? shown.toUpperCase().indexOf(letter) : -1;
  if (at < 0) return <>{shown}</>;
  return <>{shown.slice(0, at)}<u>{shown.slice(at, at + 1)}</u>{shown.slice(at + 1)}</>;
}

/** A line that is typed: talk, or after a slash a word of the line mode. */
function TalkLine({ model, deeds }: { model: Model; deeds: Deeds }) {
  const box = useRef<HTMLInputElement>(null);
  const text = model.talk ?? "";
  useLayoutEffect(() => {
    const here = box.current;
    here?.focus();
    here?.setSelectionRange(here.value.length, here.value.length);
  }, []);
  useEffect(() => {
    if (text.startsWith("/")) deeds.say("complete", { text: text.slice(1) });
  }, [text]);
  const close = () => deeds.change({ talk: null, fits: { text: "", lines: [] } });
  const fits = text.startsWith("/") && model.fits.text === text.slice(1) ? model.fits.lines.slice(0, 8) : [];
  return (
    <form
      class="line"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() && text !== "/") deeds.line(text.startsWith("/") ? text.slice(1) : `'${text}`);
        close();
      }}
    >
      {fits.length > 0 && (
        <ul class="fits">
          {fits.map(([line, means]) => (
            <li key={line}><button type="button" onClick={() => { deeds.change({ talk: `/${line}` }); box.current?.focus(); }}><b>{line}</b> <small>{means}</small></button></li>
          ))}
        </ul>
      )}
      <input
        ref={box}
        aria-label="Chat, or / for a command"
        value={text}
        autocomplete="off"
        autocapitalize="off"
        onInput={(event) => deeds.change({ talk: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
          const [first] = fits;
          if (event.key === "Tab" && first) {
            event.preventDefault();
            deeds.change({ talk: `/${first[0]}` });
          }
        }}
      />
      <button type="submit" class="main">Enter</button>
    </form>
  );
}

// --- a count, and the board on which it is pegged ---------------------------------------------------------------------

const COUNTED = 1.2;

/** The moment of a count that is shown now, one after the other where there is time. */
function useCounting(table: Table): Counting | null {
  const [at, setAt] = useState<number | null>(null);
  const moments = table.counting ?? [];
  const key = `${table.hand_number.join(" ")} ${moments.length}`;
  useEffect(() => {
    setAt(moments.length && table.pace ? 0 : null);
  }, [key]);
  useEffect(() => {
    if (at === null) return;
    const timer = setTimeout(() => setAt(at + 1 < moments.length ? at + 1 : null), table.pace * COUNTED);
    return () => clearTimeout(timer);
  }, [at]);
  return at === null ? null : (moments[at] ?? null);
}

function Board({ rows, whose, box }: { rows: string[]; whose: string[]; box: Box }) {
  const columns = Math.max(...rows.map((row) => row.length), 1);
  const cells = rows.flatMap((row, y) => [...row].map((sign, x) => ({ sign, x, y })).filter((cell) => cell.sign !== " "));
  return (
    <figure class="board" style={place(box)} aria-label={`The board. ${whose.join(". ")}`} role="img">
      <svg viewBox={`-1 -1 ${columns + 2} ${rows.length * 1.12 + 1.4}`} aria-hidden="true">
        {cells.map(({ sign, x, y }) => (
          <circle key={`${x} ${y}`} cx={x + 0.5} cy={y * 1.12 + 0.5} r={sign === "." ? 0.24 : 0.5} class={sign === "." ? "hole" : `peg ${sign === sign.toLowerCase() ? "rear" : ""} ${sign.toLowerCase()}`} />
        ))}
      </svg>
    </figure>
  );
}

// --- keys -------------------------------------------------------------------------------------------------------------

const NAMES: Record<string, string> = { "?": "question_mark", ",": "comma", ".": "full_stop" };
const CARD_KEYS = "1234567890-=qwertyuiop";

function useKeys(model: Model, deeds: Deeds): void {
  const now = useRef({ model, deeds });
  now.current = { model, deeds };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (key(event, now.current.model, now.current.deeds)) event.preventDefault();
    };
    const touch = (event: PointerEvent) => {
      const { model, deeds } = now.current;
      const onFelt = event.target instanceof Element && event.target.closest(".felt");
      if (onFelt || (model.table && isAway(model.table))) deeds.say("pressed");
    };
    addEventListener("keydown", listen);
    addEventListener("pointerdown", touch, true);
    return () => {
      removeEventListener("keydown", listen);
      removeEventListener("pointerdown", touch, true);
    };
  }, []);
}

/** Whether a character plays for the person here. */
function isAway(table: Table): boolean {
  return table.on.includes("away");
}

function typing(): boolean {
  const here = document.activeElement;
  return here instanceof HTMLInputElement || here instanceof HTMLSelectElement || here instanceof HTMLTextAreaElement;
}

/** Whether the key means something here. */
function key(event: KeyboardEvent, model: Model, deeds: Deeds): boolean {
  const table = model.table;
  if (!table) return false;
  const elsewhere = typing() || model.panels.length > 0 || model.asks.length > 0;
  if (isAway(table) && (elsewhere || event.key !== "Enter")) deeds.say("pressed");
  if (elsewhere || event.altKey || event.metaKey) return false;
  const hand = table.hand ?? [];
  const count = hand.length;
  const name = event.key;
  if (event.ctrlKey) return false;
  const here = document.activeElement;
  if (name === "ArrowLeft" || name === "ArrowRight") {
    const step = name === "ArrowLeft" ? -1 : 1;
    return moveFocus(step);
  }
  if (name === "ArrowUp") return focusFirst(".controls .buttons button");
  if (name === "ArrowDown") return focusCard(model.at ?? hand.findIndex((card) => card.can));
  if (name === "Home" || name === "End") return focusCard(name === "Home" ? 0 : count - 1);
  if (name === "Escape") {
    if (model.thinks) deeds.line("hint off");
    deeds.change({ marked: new Set(), offers: null, at: null, status: null });
    return true;
  }
  if (name === " " && here instanceof HTMLElement && here.dataset["place"] !== undefined) {
    pressed(model, deeds, Number(here.dataset["place"]), "mark");
    return true;
  }
  if (name === "Enter") return enter(model, deeds, here);
  const place = CARD_KEYS.indexOf(name);
  if (place >= 0 && place < count && hand.some((card) => card.can)) {
    pressed(model, deeds, place, "key");
    return true;
  }
  const button = table.buttons.find((one) => one.key && one.key === name.toUpperCase());
  if (button) {
    push(button, deeds);
    return true;
  }
  if (name === "/" || name === "'") {
    deeds.change({ talk: name === "/" ? "/" : "" });
    return true;
  }
  if (name === "F10") {
    deeds.say("menus");
    deeds.open({ kind: "menus" });
    return true;
  }
  const line = model.keys[NAMES[name] ?? name.toLowerCase()];
  if (!line) return false;
  if (line === "score") deeds.open({ kind: "sheet" });
  else if (line === "last") deeds.open({ kind: "last" });
  else if (line === "sort") deeds.line(nextSort(table));
  else deeds.line(line);
  return true;
}

const ORDERS = ["sort suit", "sort rank", "sort trump", "sort off"];

function nextSort(table: Table): string {
  const at = ORDERS.findIndex((order) => table.on.includes(order));
  return ORDERS[(at + 1) % ORDERS.length] ?? "sort suit";
}

/** What Enter does where no button has the focus. */
function enter(model: Model, deeds: Deeds, here: Element | null): boolean {
  if (here instanceof HTMLButtonElement && here.dataset["place"] === undefined) return false;
  const table = model.table;
  if (!table) return false;
  if (table.pause !== null) {
    deeds.line("next", true);
    return true;
  }
  if (isAway(table)) {
    deeds.line("");
    return true;
  }
  const place = here instanceof HTMLElement && here.dataset["place"] !== undefined ? Number(here.dataset["place"]) : null;
  if (model.marked.size) {
    // While more are wanted, the card on which one stands is one more.
    const more = place !== null && !model.marked.has(place) && !model.offers?.offers.length;
    if (more) pressed(model, deeds, place, "mark");
    else deeds.say("cards", { places: [...model.marked] });
    return true;
  }
  if (place !== null) {
    pressed(model, deeds, place, "key");
    return true;
  }
  if (model.at !== null) {
    pressed(model, deeds, model.at, "key");
    return true;
  }
  const first = (table.hand ?? []).findIndex((card) => card.can);
  if (table.myTurn && first >= 0) {
    deeds.change({ at: first });
    return focusCard(first);
  }
  deeds.say("pressed");
  return true;
}

function focusFirst(found: string): boolean {
  const here = document.querySelector<HTMLElement>(found);
  here?.focus();
  return here !== null;
}

function focusCard(place: number): boolean {
  return focusFirst(`.hand [data-place="${Math.max(place, 0)}"]`);
}

/** To the next card, or button, beside the one that has the focus. */
function moveFocus(step: number): boolean {
  const here = document.activeElement;
  const row = here?.closest(".controls, .hand") ?? document.querySelector(".hand");
  const all = [...(row?.querySelectorAll<HTMLElement>("button") ?? [])];
  if (!all.length) return focusFirst(".controls .buttons button");
  const at = all.indexOf(here as HTMLElement);
  all[at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length]?.focus();
  return true;
}
