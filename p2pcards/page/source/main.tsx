/** The page: what is told changes the model, the model is drawn, and what the person does is said. */

import { render } from "preact";
import { askToKeep, bytesOf, takeDrops } from "./files";
import { openLink, type Link } from "./link";
import { keepLook, readLook, wear, type Look } from "./look";
import { after, FILES, firstModel, type Model, type Panel } from "./model";
import { keepPage, loadNewest } from "./offline";
import type { Plain } from "./said";
import { Page } from "./page";
import { allowNotices, tellTurn } from "./turn";
import { WATCH } from "./words";

export interface Deeds {
  say(kind: string, more?: { [key: string]: Plain }): void;
  line(text: string, shown?: boolean): void;
  change(part: Partial<Model>): void;
  open(panel: Panel): void;
  close(): void;
  closeGuide(): void;
  wear(look: Look): void;
  sit(kind: "open" | "attach", more: { [key: string]: Plain }): void;
  /** To the table of a link, or of the one by which somebody has come, under this name. */
  join(name: string, link?: string): void;
  give(kind: string, file: File): void;
}

const root = document.getElementById("page");
if (!root) throw new Error("there's no room to draw the page");
let model = firstModel(readLook());
wear(model.look);
let link: Link | null = null;
let due = false;

function draw(): void {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    if (root) render(<Page model={model} deeds={deeds} />, root);
  });
}

function set(next: Model): void {
  if (next === model) return;
  model = next;
  tellTurn(model);
  draw();
}

/** That one sits at a table is remembered as long as the tab is, and as what, so that a reloaded page comes back to it. */
const SEAT = "p2pcards.seat";
function remember(role: string | null): void {
  try {
    if (role) sessionStorage.setItem(SEAT, role);
    else sessionStorage.removeItem(SEAT);
  } catch {
    // Then it comes back to what can be begun, where its table is listed.
  }
}
function satAs(): string | null {
  try {
    return sessionStorage.getItem(SEAT);
  } catch {
    return null;
  }
}

/** Back to the table: to one that is open, or in the page, which ends with its tables, to the game that one's own was
 *  played at last. A friend's table calls for its seat by itself. */
let goingBack = false;
function goBack(): void {
  const own = link?.local === false && satAs() === "coordinator";
  goingBack = true;
  remember(null);
  link?.say("attach", { table: "", own });
}

/** There is no table to come back to: what can be begun is shown, with the reason. */
function giveUpGoingBack(why: string): void {
  set({ ...model, screen: "wait", refused: why });
  link?.say("start");
}

const deeds: Deeds = {
  say: (kind, more) => link?.say(kind, more),
  line: (text, shown = false) => link?.say("line", { text, shown }),
  change: (part) => set({ ...model, ...part }),
  open: (panel) => {
    set({ ...model, panels: [...model.panels.filter((one) => one.kind !== panel.kind), panel], unread: panel.kind === "chat" || panel.kind === "log" ? 0 : model.unread });
    if (panel.kind === "files") keep(false);
  },
  close: () => set({ ...model, panels: model.panels.slice(0, -1) }),
  closeGuide: () => set({ ...model, panels: model.panels.filter((one) => one.kind !== "guide") }),
  wear: (look) => {
    keepLook(look);
    if (look.notices === "on" && model.look.notices === "off") void allowNotices().then(draw);
    set({ ...model, look });
  },
  sit: (kind, more) => {
    set({ ...model, opening: "Opening the table ...", refused: "" });
    link?.say(kind, more);
  },
  join: (name, pasted) => {
    const invited = { link: pasted ?? model.invited?.link ?? "", name };
    set({ ...model, invited, pasted: pasted ?? model.pasted });
    joinInvited();
  },
  give: (kind, file) => {
    if (link?.local) told(file.name, "Open files in a terminal instead. To check a log: p2pcards verify FILE. To import a game or backup: p2pcards saves import FILE.");
    else void bytesOf(file).then((bytes) => (typeof bytes === "string" ? told(file.name, bytes) : link?.give(kind, file.name, bytes)));
  },
};

function told(title: string, line: string): void {
  set(after(model, { is: "read", title, lines: [line], about: FILES }));
}

/** Whether the browser lets what lies here stay; asked for once there is something to keep. */
let asked = false;
function keep(ask: boolean): void {
  if ((ask && asked) || !model.inPage) return;
  asked ||= ask;
  void askToKeep(ask).then((keeps) => set({ ...model, keeps }));
}

/** The link by which somebody has come to a host's page: the code of a first meeting stands behind the #, which no
 *  server sees. A friend needs none to watch. */
function linkHere(): string {
  const watches = new URLSearchParams(location.search).has("watch");
  const page = location.origin + location.pathname + (watches ? WATCH : "");
  return (location.hash.length > 1 || watches) && !satAs() ? page + location.hash : "";
}

/** The digits of the page's hash in a link, "" if it has none. */
function namedIn(link: string): string {
  return /#[a-z2-7]{42}\.([0-9a-f]+)/i.exec(link)?.[1]?.toLowerCase() ?? "";
}

/** Kept in the tab's history: the page was reloaded for its link once, and is not again. */
const LOADED_AGAIN = "p2pcards.again";

/** Once it is known who comes, and what can be asked for. */
function joinInvited(): void {
  const { start, invited } = model;
  if (!start || !invited || invited.name === null) return;
  const blank = start.requests["join"] ?? {};
  const persona = { ...(blank["persona"] as object), name: invited.name };
  const host = { address: invited.link, partner: false, code: "" };
  set({ ...model, invited: null });
  if (invited.name !== start.name) link?.say("name", { text: invited.name });
  deeds.sit("open", { request: { ...blank, host, persona } as { [key: string]: Plain } });
}

let audio: AudioContext | null = null;
function ring(): void {
  if (model.look.sound === "off") return;
  navigator.vibrate?.(80);
  try {
    audio ??= new AudioContext();
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    tone.frequency.value = 880;
    loud.gain.setValueAtTime(0.06, audio.currentTime);
    loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.25);
    tone.connect(loud).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.25);
  } catch {
    // A browser that plays nothing.
  }
}

root.replaceChildren(); // what stands there until the script has come
draw();
/** The page lies on a web space, which may have another one next time. */
let onSpace = false;
const NEWER = "A newer version is ready. Reload to use it now.";

/** A web space may not say, as a host does, that no other page may show this one inside of itself and have its buttons
 *  pressed there. */
const framed = window.top !== window.self;
if (framed) set({ ...model, lost: "This page doesn't work inside another page. Open it in its own tab." });
else void openLink({
  opened: () => {
    set({ ...model, lost: "", told: [] });
    if (onSpace) void keepPage(() => set({ ...model, older: NEWER })).then((offline) => set({ ...model, offline }));
    if (model.screen === "table" || satAs()) goBack();
    else link?.say("start");
  },
  lost: (why) => set({ ...model, lost: why }),
  said: (message) => {
    if (message.is === "ring") ring();
    if (message.is === "hash") onSpace = message.space;
    if (message.is === "wrong_page" && message.there && history.state !== LOADED_AGAIN) {
      history.replaceState(LOADED_AGAIN, "");
      return void loadNewest();
    }
    if (message.is === "wrong_page") history.replaceState(null, "");
    if (message.is === "refused" && goingBack) {
      goingBack = false;
      return giveUpGoingBack(message.text);
    }
    if (message.is === "table") {
      goingBack = false;
      remember(message.role);
      keep(true);
    }
    if (message.is === "ended") remember(null);
    if (message.is === "refused" && model.screen === "wait") link?.say("start");
    set(after(model, message));
    if (message.is === "start") joinInvited();
    if (message.is === "brought") {
      if (message.anew) remember(null);
      if (message.anew || model.screen === "start") link?.say("start");
    }
  },
  saved: ({ name, bytes }) => {
    const address = URL.createObjectURL(new Blob([bytes]));
    const anchor = document.createElement("a");
    anchor.href = address;
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  },
}, namedIn(linkHere())).then((opened) => {
  link = opened;
  takeDrops((file) => deeds.give("bring", file));
  if (!opened.local) set({ ...model, inPage: true, returns: satAs() !== null, invited: linkHere() ? { link: linkHere(), name: null } : null });
  keep(false);
});
