/** What can be begun: a game alone, a table with friends, a game that goes on. */

import { useState } from "preact/hooks";
import { Dialog } from "./dialog";
import { Files } from "./files";
import { Icon } from "./icons";
import { Progress } from "./loading";
import type { Deeds } from "./main";
import type { Model } from "./model";
import { Portrait } from "./portrait";
import type { GameFacts, Line, Plain, Start } from "./said";
import { WATCH } from "./words";

type Request = { [key: string]: Plain };

export function StartPage({ model, deeds }: { model: Model; deeds: Deeds }) {
  const start = model.start;
  const [friends, setFriends] = useState<Way | null>(null);
  const [declined, setDeclined] = useState(false);
  const only = model.invited !== null && !declined; // the invitation, and nothing that one could mistake for it
  const here = only ? null : start;
  return (
    <main class="start">
      <header>
        <h1><span class="S">♠</span> <span class="H">♥</span> p2pcards <span class="D">♦</span> <span class="C">♣</span></h1>
        <button class="quiet" onClick={() => deeds.open({ kind: "look" })}><Icon name="look" /> Appearance</button>
      </header>
      {start?.said && <p role="status" class="said">{start.said}</p>}
      {model.refused && <p role="alert" class="wrong">{model.refused}</p>}
      {model.invited && <Invitation model={model} deeds={deeds} />}
      {only && start && <p><button class="quiet" onClick={() => setDeclined(true)}>Play something else</button></p>}
      {here && <GoesOn start={here} deeds={deeds} />}
      {model.inPage && !only && <AloneOrJoin model={model} deeds={deeds} />}
      {!model.inPage && here && <Alone title="Play against the computer" start={here} deeds={deeds} />}
      {here && <Name start={here} deeds={deeds} />}
      {here && (
        <section aria-labelledby="with-friends">
          <h2 id="with-friends">{model.inPage ? "Your own table" : "Play with friends"}</h2>
          <ul class="ways">
            {model.inPage && <li><button onClick={() => deeds.sit("open", { request: { ...here.requests["host"], reach: true } })}><b>Invite a friend</b><small>friends join from anywhere with a link or a code</small></button></li>}
            {WAYS.filter((way) => way.kind === "connect" || !model.inPage).map((way) => (
              <li key={way.kind}><button onClick={() => setFriends(way)}><b>{way.label}</b><small>{model.inPage ? CALLS : way.means}</small></button></li>
            ))}
          </ul>
        </section>
      )}
      {here && (
        <section aria-labelledby="besides">
          <h2 id="besides">More</h2>
          <ul class="ways">
            <li><button onClick={() => deeds.open({ kind: "choose", title: "Records", choices: RECORDS })}><b>Records</b><small>wins, losses and ratings</small></button></li>
            <li><button onClick={() => deeds.line("guide")}><b>Guide</b><small>rules, keys and strategy</small></button></li>
            <li><button onClick={() => deeds.say("options", { page: "settings" })}><b>Settings</b><small>for every game and table</small></button></li>
          </ul>
        </section>
      )}
      {here && model.inPage && <Kept model={model} deeds={deeds} />}
      {model.inPage && model.hash && <ThisPage hash={model.hash} />}
      {start && model.facts && <GameDialog key={model.facts.key} facts={model.facts} start={start} deeds={deeds} />}
      {start && friends && <FriendsDialog way={friends} start={start} model={model} deeds={deeds} close={() => setFriends(null)} />}
      {start && model.opening && (
        <Dialog title="One moment" close={() => { deeds.say("cancel"); deeds.change({ opening: "" }); }}>
          <p role="status">{model.opening}</p>
        </Dialog>
      )}
    </main>
  );
}

function GoesOn({ start, deeds }: { start: Start; deeds: Deeds }) {
  const resume = (log: string) => deeds.sit("open", { request: { ...start.requests["resume"], log } });
  if (start.tables.length + start.saves.length === 0) return null;
  return (
    <section aria-labelledby="goes-on">
      <h2 id="goes-on">Continue</h2>
      <ul class="rows">
        {start.tables.map(([name, line]) => (
          <li key={name}><button onClick={() => deeds.sit("attach", { table: name })}>{line}</button></li>
        ))}
        {start.saves.slice(0, 6).map(([log, line, ours]) => (
          <li key={log}>{ours ? <button onClick={() => resume(log)}>{line}</button> : <span class="idle">{line}</span>}</li>
        ))}
      </ul>
    </section>
  );
}

function Alone({ title, start, deeds }: { title: string; start: Start; deeds: Deeds }) {
  return (
    <section aria-labelledby="alone">
      <h2 id="alone">{title}</h2>
      <Games games={start.games} ahead={false} choose={(key) => deeds.say("game", { key })} />
    </section>
  );
}

/** The games while Python loads: the one that is tapped opens as soon as it is there. */
function AloneAhead({ model, deeds }: { model: Model; deeds: Deeds }) {
  const [chosen, setChosen] = useState("");
  return (
    <section aria-labelledby="alone">
      <h2 id="alone">{WHICH}</h2>
      <Progress model={model} />
      {chosen && <p role="status">{TILES[chosen]?.[0]} opens in a moment.</p>}
      {!chosen && <Games games={Object.entries(TILES).map(([key, [name]]) => [key, name])} ahead choose={(key) => { setChosen(key); deeds.say("game", { key }); }} />}
    </section>
  );
}

function Games({ games, ahead, choose }: { games: [key: string, name: string][]; ahead: boolean; choose: (key: string) => void }) {
  return (
    <ul class={ahead ? "games-ahead" : "games"}>
      {games.map(([key, name]) => {
        const [, colour, sign] = TILES[key] ?? [name, "S", "♠"];
        return (
          <li key={key}>
            <button onClick={() => choose(key)}>
              <span class={`suit ${colour}`} aria-hidden="true">{sign}</span>{name}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The games in their order (games/names.py), each with the color and the sign of its tile: what it is about. */
const TILES: Record<string, [name: string, colour: string, sign: string]> = {
  hearts: ["Hearts", "H", "♥"], crazy_eights: ["Crazy Eights", "H", "8"], spades: ["Spades", "S", "♠"],
  whist: ["Whist", "C", "♣"], oh_hell: ["Oh Hell", "D", "♦"], euchre: ["Euchre", "S", "J"],
  auction_pitch: ["Auction Pitch", "C", "J"], gin_rummy: ["Gin Rummy", "S", "10"], cribbage: ["Cribbage", "D", "5"],
  rummy_500: ["Rummy 500", "H", "500"], thirty_one: ["Thirty-one", "C", "31"], pinochle: ["Pinochle", "D", "J♦"],
  pinochle2: ["Two-handed Pinochle", "S", "Q♠"], pinochle_bid: ["Bid Pinochle", "D", "9♦"],
};

const WHICH = "Which game?";
const ALONE = "Play alone";
/** The two ways into a page that nobody has sent: they stand there while the cards are still on their way. */
function AloneOrJoin({ model, deeds }: { model: Model; deeds: Deeds }) {
  const [joins, setJoins] = useState(model.pasted !== "");
  return (
    <section class="either" aria-label="Play alone or with a friend">
      <ul class="ways two">
        <li><button class={joins ? "" : "main"} aria-pressed={!joins} onClick={() => setJoins(false)}><b>{ALONE}</b><small>against the computer</small></button></li>
        <li><button class={joins ? "main" : ""} aria-pressed={joins} onClick={() => setJoins(true)}><b>Join a friend's table</b><small>with the link or code they sent</small></button></li>
      </ul>
      {joins ? <Paste model={model} deeds={deeds} /> : model.start ? <Alone title={WHICH} start={model.start} deeds={deeds} /> : <AloneAhead model={model} deeds={deeds} />}
    </section>
  );
}

function Paste({ model, deeds }: { model: Model; deeds: Deeds }) {
  const [pasted, setPasted] = useState(model.pasted);
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? model.start?.name ?? "";
  return (
    <form class="invited" onSubmit={(event) => { event.preventDefault(); deeds.join(name.trim(), pasted.trim()); }}>
      <label class="field">Link, code or a friend's name <input required value={pasted} autocapitalize="off" autocomplete="off" placeholder="48213-crossword-clockwork" onInput={(event) => setPasted(event.currentTarget.value)} /></label>
      <label class="field">Your name at the table <input required value={name} maxLength={24} autocomplete="nickname" onInput={(event) => setTyped(event.currentTarget.value)} /></label>
      <button type="submit" class="main">Sit down</button>
    </form>
  );
}

/** Who doubts that a page is the right one compares it. */
function ThisPage({ hash }: { hash: string }) {
  return (
    <details class="hash">
      <summary>This page's hash starts with {hash.slice(0, 8)}</summary>
      <p><code>{hash}</code></p>
      <p>A dishonest page can show any hash. To check this one, run 'p2pcards web verify {location.origin + location.pathname}' on a machine you trust.</p>
    </details>
  );
}

/** For who has come by a link: the table waits, and everything else loads meanwhile. */
function Invitation({ model, deeds }: { model: Model; deeds: Deeds }) {
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? model.start?.name ?? "";
  const watches = model.invited?.link.includes(WATCH);
  const promise = watches ? "You see what everyone sees, and no hand before it's open." : "Your browser takes part in every shuffle, so nobody can stack the deck.";
  return (
    <section class="invited" aria-labelledby="invited">
      <h1 id="invited">{watches ? "You're invited to watch" : "You're invited to play"}</h1>
      <p>{/^https:.*#(\d{5}-|[a-z2-7]{42})/i.test(model.invited?.link ?? "") ? "A public message broker connects you to your friend." : `The table is at ${new URL(model.invited?.link || location.href).host}.`} {promise}</p>
      <form onSubmit={(event) => { event.preventDefault(); deeds.join(name.trim()); }}>
        <label class="field">Your name at the table <input required value={name} maxLength={24} autocomplete="nickname" onInput={(event) => setTyped(event.currentTarget.value)} /></label>
        <button type="submit" class="main">{watches ? "Watch" : "Sit down"}</button>
      </form>
      {!model.start && <Progress model={model} />}
    </section>
  );
}

/** What lies in this browser, and how it leaves it. */
function Kept({ model, deeds }: { model: Model; deeds: Deeds }) {
  return (
    <section aria-labelledby="kept">
      <h2 id="kept">Saved in this browser</h2>
      <Files model={model} deeds={deeds} />
    </section>
  );
}

function Name({ start, deeds }: { start: Start; deeds: Deeds }) {
  const [name, setName] = useState(start.name || start.login);
  const keep = (text: string) => {
    const typed = text.trim();
    if (typed && typed !== start.name) deeds.say("name", { text: typed });
  };
  return (
    <form class="own-name" onSubmit={(event) => event.preventDefault()}>
      <label>Your name at the table <input value={name} maxLength={24} autocomplete="nickname" onInput={(event) => setName(event.currentTarget.value)} onChange={(event) => keep(event.currentTarget.value)} /></label>
    </form>
  );
}

function GameDialog({ facts, start, deeds }: { facts: GameFacts; start: Start; deeds: Deeds }) {
  const [preset, setPreset] = useState("");
  const [answer, setAnswer] = useState(facts.answers[0]?.[0] ?? "");
  const [opponents, setOpponents] = useState<string[]>([]);
  const close = () => deeds.change({ facts: null });
  const play = () => {
    const asked = facts.question && !preset && answer ? [answer.split("=")] : [];
    const rules = { game: facts.key, preset, changes: asked };
    const chosen = opponents.every(Boolean) ? opponents : [];
    deeds.sit("open", { request: { ...start.requests["play"], rules, opponents: chosen } as Request });
    close();
  };
  return (
    <Dialog title={facts.name} close={close}>
      <form onSubmit={(event) => { event.preventDefault(); play(); }}>
        <p>{facts.brief}</p>
        {facts.presets.length > 1 && (
          <label class="field">Rules
            <select value={preset} onChange={(event) => setPreset(event.currentTarget.value)}>
              <option value="">my rules</option>
              {facts.presets.map(([key, words]) => <option key={key} value={key}>{words}</option>)}
            </select>
          </label>
        )}
        {facts.question && !preset && (
          <fieldset>
            <legend>{facts.question}</legend>
            {facts.answers.map(([setting, words]) => (
              <label key={setting} class="radio"><input type="radio" name="answer" checked={answer === setting} onChange={() => setAnswer(setting)} />{words}</label>
            ))}
          </fieldset>
        )}
        <details>
          <summary>Choose your opponents</summary>
          {Array.from({ length: facts.opponents }, (_, number) => (
            <label class="field" key={number}>Seat {number + 2}
              <select value={opponents[number] ?? ""} onChange={(event) => setOpponents(Array.from({ length: facts.opponents }, (_, place) => place === number ? event.currentTarget.value : (opponents[place] ?? "")))}>
                <option value="">anyone</option>
                {start.characters.map(([key, words]) => <option key={key} value={key}>{words}</option>)}
              </select>
              <Portrait who={opponents[number] ?? ""} />
            </label>
          ))}
          <button type="button" class="quiet" onClick={() => deeds.say("guide", { address: "characters" })}>Meet the players</button>
        </details>
        <div class="deeds">
          <button type="submit" class="main">Deal the cards</button>
          <button type="button" onClick={() => deeds.line(`rules ${facts.key}`)}>How to play</button>
          <button type="button" onClick={() => deeds.say("options", { page: `rules/${facts.key}` })}>Your rules</button>
          <button type="button" onClick={() => deeds.open({ kind: "choose", title: `${facts.name} records`, choices: ofGame(facts.key) })}>Records</button>
          <button type="button" onClick={() => { close(); deeds.line(`autoplay ${facts.key}`); }}>Watch the computer play</button>
        </div>
      </form>
    </Dialog>
  );
}

/** As the title screen has them. */
const RECORDS: Line[] = [
  ["records", "your wins in each game"],
  ["history", "past games"],
  ["league", "everyone you've played with"],
  ["hall", "the hall of fame"],
  ["scoreboard", "two-handed pinochle scoreboard"],
];
const ofGame = (key: string): Line[] => [
  [`records ${key}`, "wins, losses and ratings"],
  [`records ${key} percent`, "sorted by winning percentage"],
  [`history ${key}`, "past games"],
  [`league ${key}`, "everyone you've played it with"],
  [`hall ${key}`, "its hall of fame"],
  [`records ${key} reset`, "start over ..."],
  [`records ${key} recover`, "undo the last reset"],
];

interface Way {
  kind: "host" | "join" | "listen" | "connect";
  label: string;
  means: string;
  address: boolean;
}
const WAYS: Way[] = [
  { kind: "host", label: "Host a table", means: "friends join you", address: false },
  { kind: "join", label: "Join a table", means: "a friend is hosting", address: true },
  { kind: "listen", label: "Wait for a call", means: "a friend calls you", address: false },
  { kind: "connect", label: "Call a friend", means: "a friend is waiting", address: true },
];

/** What a browser can do of that. */
const CALLS = "a friend who runs p2pcards listen --web";

function FriendsDialog({ way, start, model, deeds, close }: { way: Way; start: Start; model: Model; deeds: Deeds; close: () => void }) {
  const [address, setAddress] = useState("");
  const [code, setCode] = useState("");
  const [found, setFound] = useState(false);
  const go = () => {
    const blank = start.requests[way.kind] ?? {};
    const host = { address: address || code, partner: false, code };
    const request = way.kind === "join" ? { ...blank, host } : way.kind === "connect" ? { ...blank, hosts: [host] } : { ...blank, web: true, ...(way.kind === "listen" ? { lan: found } : {}) };
    deeds.sit("open", { request });
    close();
  };
  return (
    <Dialog title={way.label} close={close}>
      <form onSubmit={(event) => { event.preventDefault(); go(); }}>
        <p>{way.address ? "Enter the address and code on your friend's screen, or just a code that starts with five digits. No code is needed if you've played before." : "The table shows an address and a code. Send them to your friend."}</p>
        {way.address && (
          <>
            <label class="field">Address or name <input required={!code} value={address} list="peers" autocapitalize="off" autocomplete="off" onInput={(event) => setAddress(event.currentTarget.value)} /></label>
            <datalist id="peers">{start.peers.map(([name]) => <option key={name} value={name} />)}</datalist>
            <label class="field">Code <input value={code} autocapitalize="off" autocomplete="off" onInput={(event) => setCode(event.currentTarget.value)} /></label>
          </>
        )}
        {way.kind === "listen" && <label class="radio"><input type="checkbox" checked={found} onChange={() => setFound(!found)} />Let people on this network find me</label>}
        {way.kind === "connect" && model.nearby?.length === 0 && <p role="status">No one on this network is waiting. Try the address on your friend's screen.</p>}
        {way.kind === "connect" && (
          <ul class="rows">
            {model.nearby?.map(([where, name]) => <li key={where}><button type="button" onClick={() => setAddress(where)}>{name}, {where}</button></li>)}
          </ul>
        )}
        <div class="deeds">
          {way.kind === "connect" && !model.inPage && <button type="button" onClick={() => deeds.say("nearby")}>Search this network</button>}
          <button type="submit" class="main">{way.label}</button>
        </div>
      </form>
    </Dialog>
  );
}
