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

type Request = { [key: string]: Plain };

export function StartPage({ model, deeds }: { model: Model; deeds: Deeds }) {
  const start = model.start;
  const [friends, setFriends] = useState<Way | null>(null);
  return (
    <main class="start">
      <header>
        <h1><span class="S">♠</span> <span class="H">♥</span> p2pcards <span class="D">♦</span> <span class="C">♣</span></h1>
        <button class="quiet" onClick={() => deeds.open({ kind: "look" })}><Icon name="look" /> Look</button>
      </header>
      {start?.said && <p role="status" class="said">{start.said}</p>}
      {model.refused && <p role="alert" class="wrong">{model.refused}</p>}
      {model.invited && <Invitation key={start?.name ?? ""} model={model} deeds={deeds} />}
      {start && <GoesOn start={start} deeds={deeds} />}
      {model.inPage ? <AloneOrJoin model={model} deeds={deeds} /> : start && <Alone title="Play against the computer" start={start} deeds={deeds} />}
      {start && <Name start={start} deeds={deeds} />}
      {start && (
        <section aria-labelledby="with-friends">
          <h2 id="with-friends">{model.inPage ? "A table of your own" : "Play with friends"}</h2>
          <ul class="ways">
            {model.inPage && <li><button onClick={() => deeds.sit("open", { request: { ...start.requests["host"], reach: true } })}><b>Invite a friend</b><small>they sit down here from anywhere, by a link or a code</small></button></li>}
            {WAYS.filter((way) => way.kind === "connect" || !model.inPage).map((way) => (
              <li key={way.kind}><button onClick={() => setFriends(way)}><b>{way.label}</b><small>{model.inPage ? CALLS : way.means}</small></button></li>
            ))}
          </ul>
        </section>
      )}
      {start && (
        <section aria-labelledby="besides">
          <h2 id="besides">Besides</h2>
          <ul class="ways">
            <li><button onClick={() => deeds.open({ kind: "choose", title: "Records", choices: RECORDS })}><b>Records</b><small>who has won how often</small></button></li>
            <li><button onClick={() => deeds.line("guide")}><b>Guide</b><small>how it is played, in every detail</small></button></li>
            <li><button onClick={() => deeds.say("options", { page: "settings" })}><b>Settings</b><small>of all games and tables</small></button></li>
          </ul>
        </section>
      )}
      {start && model.inPage && <Kept model={model} deeds={deeds} />}
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
      <h2 id="goes-on">Go on</h2>
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
      <ul class="games">
        {start.games.map(([key, name]) => (
          <li key={key}>
            <button onClick={() => deeds.say("game", { key })}>
              <span class={`suit ${tileOf(key)[0]}`} aria-hidden="true">{tileOf(key)[1]}</span>{name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** By game the colour and the sign of its tile: the suit or the cards that it is about. */
const TILES: Record<string, [colour: string, sign: string]> = {
  hearts: ["H", "♥"], spades: ["S", "♠"], whist: ["C", "♣"], oh_hell: ["D", "♦"], crazy_eights: ["H", "8"], euchre: ["S", "J"],
  auction_pitch: ["C", "J"], gin_rummy: ["S", "10"], cribbage: ["D", "5"], rummy_500: ["H", "500"], thirty_one: ["C", "31"],
  pinochle: ["D", "J♦"], pinochle2: ["S", "Q♠"], pinochle_bid: ["D", "9♦"],
};
function tileOf(key: string): [colour: string, sign: string] {
  return TILES[key] ?? ["S", "♠"];
}

const ALONE = "Play alone";
/** The two ways into a page that nobody has sent: they stand there while the cards are still on their way. */
function AloneOrJoin({ model, deeds }: { model: Model; deeds: Deeds }) {
  const [joins, setJoins] = useState(model.pasted !== "");
  return (
    <section class="either" aria-label="Alone, or at a friend's table">
      <ul class="ways two">
        <li><button class={joins ? "" : "main"} aria-pressed={!joins} onClick={() => setJoins(false)}><b>{ALONE}</b><small>against computer players</small></button></li>
        <li><button class={joins ? "main" : ""} aria-pressed={joins} onClick={() => setJoins(true)}><b>Join a friend's table</b><small>by the link or the code that they have sent</small></button></li>
      </ul>
      {joins ? <Paste model={model} deeds={deeds} /> : model.start ? <Alone title="Which game?" start={model.start} deeds={deeds} /> : <Progress model={model} />}
    </section>
  );
}

function Paste({ model, deeds }: { model: Model; deeds: Deeds }) {
  const [pasted, setPasted] = useState(model.pasted);
  const [name, setName] = useState(model.start?.name ?? "");
  return (
    <form class="invited" onSubmit={(event) => { event.preventDefault(); deeds.join(name.trim(), pasted.trim()); }}>
      <label class="field">The link or the code, or the name of a friend whom you know <input required value={pasted} autocapitalize="off" autocomplete="off" placeholder="48213-crossword-clockwork" onInput={(event) => setPasted(event.currentTarget.value)} /></label>
      <label class="field">Your name at the table <input required value={name} maxLength={24} autocomplete="nickname" onInput={(event) => setName(event.currentTarget.value)} /></label>
      <button type="submit" class="main">Sit down</button>
    </form>
  );
}

/** Who doubts that a page is the right one compares it. */
function ThisPage({ hash }: { hash: string }) {
  return (
    <details class="hash">
      <summary>The hash of this page begins with {hash.slice(0, 8)}</summary>
      <p><code>{hash}</code></p>
      <p>A page that lies can show any hash. 'p2pcards web verify {location.origin + location.pathname}' on a machine that you trust fetches all files of this one and compares them.</p>
    </details>
  );
}

/** For who has come by a link: the table waits, and everything else loads meanwhile. */
export function Invitation({ model, deeds }: { model: Model; deeds: Deeds }) {
  const [name, setName] = useState(model.start?.name ?? "");
  return (
    <section class="invited" aria-labelledby="invited">
      <h1 id="invited">A table waits for you</h1>
      <p>{/^https:.*#(\d{5}-|[a-z2-7]{42})/i.test(model.invited?.link ?? "") ? "Your friend waits elsewhere, and a public message broker brings the two of you together." : `At ${new URL(model.invited?.link || location.href).host}.`} Your own key is made in this browser, and your part of every shuffle: nobody at the table has to be trusted.</p>
      <form onSubmit={(event) => { event.preventDefault(); deeds.join(name.trim()); }}>
        <label class="field">Your name at the table <input required value={name} maxLength={24} autocomplete="nickname" onInput={(event) => setName(event.currentTarget.value)} /></label>
        <button type="submit" class="main">Sit down</button>
      </form>
      {!model.start && <Progress model={model} />}
    </section>
  );
}

/** What lies in this browser, and how it leaves it. */
function Kept({ model, deeds }: { model: Model; deeds: Deeds }) {
  return (
    <section aria-labelledby="kept">
      <h2 id="kept">Kept in this browser</h2>
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
      <label>Your name at tables <input value={name} maxLength={24} autocomplete="nickname" onInput={(event) => setName(event.currentTarget.value)} onChange={(event) => keep(event.currentTarget.value)} /></label>
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
              <option value="">as I play it</option>
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
          <summary>Choose who plays</summary>
          {Array.from({ length: facts.opponents }, (_, number) => (
            <label class="field" key={number}>Seat {number + 2}
              <select value={opponents[number] ?? ""} onChange={(event) => setOpponents(Array.from({ length: facts.opponents }, (_, place) => place === number ? event.currentTarget.value : (opponents[place] ?? "")))}>
                <option value="">anyone free</option>
                {start.characters.map(([key, words]) => <option key={key} value={key}>{words}</option>)}
              </select>
              <Portrait who={opponents[number] ?? ""} />
            </label>
          ))}
          <button type="button" class="quiet" onClick={() => deeds.say("guide", { address: "characters" })}>Meet the players</button>
        </details>
        <div class="deeds">
          <button type="submit" class="main">Deal the cards</button>
          <button type="button" onClick={() => deeds.line(`rules ${facts.key}`)}>How it is played</button>
          <button type="button" onClick={() => deeds.say("options", { page: `rules/${facts.key}` })}>Your rules</button>
          <button type="button" onClick={() => deeds.open({ kind: "choose", title: `Records of ${facts.name}`, choices: ofGame(facts.key) })}>Records</button>
          <button type="button" onClick={() => { close(); deeds.line(`autoplay ${facts.key}`); }}>Watch the computer play</button>
        </div>
      </form>
    </Dialog>
  );
}

/** As the title screen has them. */
const RECORDS: Line[] = [
  ["records", "how often you have won each game"],
  ["history", "the games that were played"],
  ["league", "everybody you have played with"],
  ["hall", "the hall of fame"],
  ["scoreboard", "the scoreboard of two-handed pinochle"],
];
const ofGame = (key: string): Line[] => [
  [`records ${key}`, "who has won it how often"],
  [`records ${key} percent`, "who wins the most of their games"],
  [`history ${key}`, "the games that were played"],
  [`league ${key}`, "you and everybody you have played it with"],
  [`hall ${key}`, "its hall of fame"],
  [`records ${key} reset`, "count it from now on only ..."],
  [`records ${key} recover`, "count again what was reset last"],
];

interface Way {
  kind: "host" | "join" | "listen" | "connect";
  label: string;
  means: string;
  address: boolean;
}
const WAYS: Way[] = [
  { kind: "host", label: "Host a table", means: "friends come to you", address: false },
  { kind: "join", label: "Join a table", means: "you go to a friend who hosts", address: true },
  { kind: "listen", label: "Wait for a call", means: "a friend calls you", address: false },
  { kind: "connect", label: "Call a friend", means: "who waits for it", address: true },
];

/** What a browser can do of that. */
const CALLS = "a friend who waits with 'listen --web'; a browser can call, but cannot be called";

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
        <p>{way.address ? "Enter what your friend's screen shows: an address and a code, or a code that begins with five digits. People you know need no code." : "The address and the code for a first meeting stand at the table; tell them to your friend."}</p>
        {way.address && (
          <>
            <label class="field">Address or name <input required={!code} value={address} list="peers" autocapitalize="off" autocomplete="off" onInput={(event) => setAddress(event.currentTarget.value)} /></label>
            <datalist id="peers">{start.peers.map(([name]) => <option key={name} value={name} />)}</datalist>
            <label class="field">Code <input value={code} autocapitalize="off" autocomplete="off" onInput={(event) => setCode(event.currentTarget.value)} /></label>
          </>
        )}
        {way.kind === "listen" && <label class="radio"><input type="checkbox" checked={found} onChange={() => setFound(!found)} />People on this network find you without an address</label>}
        {way.kind === "connect" && model.nearby?.length === 0 && <p role="status">Nobody on this network is listening. Your friend's screen shows an address, too.</p>}
        {way.kind === "connect" && (
          <ul class="rows">
            {model.nearby?.map(([where, name]) => <li key={where}><button type="button" onClick={() => setAddress(where)}>{name}, {where}</button></li>)}
          </ul>
        )}
        <div class="deeds">
          {way.kind === "connect" && !model.inPage && <button type="button" onClick={() => deeds.say("nearby")}>Who listens on this network?</button>}
          <button type="submit" class="main">{way.label}</button>
        </div>
      </form>
    </Dialog>
  );
}
