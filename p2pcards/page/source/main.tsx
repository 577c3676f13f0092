/** The page: what is told changes the model, the model is drawn, and what the person does is said. */

import { render } from "preact";
import { askToKeep, bytesOf, takeDrops } from "./files";
import { openLink, type Link } from "./link";
import { keepLook, readLook, wear, type Look } from "./look";
import { after, FILES, firstModel, type Model, type Panel } from "./model";
import type { Plain } from "./said";
import { Page } from "./page";

export interface Deeds {
  say(kind: string, more?: { [key: string]: Plain }): void;
  line(text: string, shown?: boolean): void;
  change(part: Partial<Model>): void;
  open(panel: Panel): void;
  close(): void;
  closeGuide(): void;
  wear(look: Look): void;
  sit(kind: "open" | "attach", more: { [key: string]: Plain }): void;
  /** To the table from whose page somebody was invited, under this name. */
  join(name: string): void;
  give(kind: string, file: File): void;
}

const root = document.getElementById("page");
if (!root) throw new Error("the page has no place to be drawn");
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
  draw();
}

/** The table at which one sits is remembered as long as the tab is, so that a reloaded page comes back to it. */
const SEAT = "p2pcards.seat";
function remember(seated: boolean): void {
  try {
    if (seated) sessionStorage.setItem(SEAT, "seated");
    else sessionStorage.removeItem(SEAT);
  } catch {
    // Then it comes back to what can be begun, where its table is listed.
  }
}
function wasSeated(): boolean {
  try {
    return sessionStorage.getItem(SEAT) !== null;
  } catch {
    return false;
  }
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
    set({ ...model, look });
  },
  sit: (kind, more) => {
    set({ ...model, opening: "The table is opened ...", refused: "" });
    link?.say(kind, more);
  },
  join: (name) => {
    if (model.invited) set({ ...model, invited: { ...model.invited, name } });
    joinInvited();
  },
  give: (kind, file) => {
    if (link?.local) told(file.name, "This page shows the p2pcards of your machine, which reads files itself: 'p2pcards verify FILE' checks a log, 'p2pcards saves import FILE' takes a game or a home.");
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

/** The code of a first meeting stands behind the # of the address, which no server sees. */
function codeOfLink(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

/** Once it is known who comes, and what can be asked for. */
function joinInvited(): void {
  const { start, invited } = model;
  if (!start || !invited || invited.name === null) return;
  const blank = start.requests["join"] ?? {};
  const persona = { ...(blank["persona"] as object), name: invited.name };
  const host = { address: location.origin + location.pathname, partner: false, code: invited.code };
  set({ ...model, invited: null });
  if (invited.name !== start.name) link?.say("name", { text: invited.name });
  deeds.sit("open", { request: { ...blank, host, persona } as { [key: string]: Plain } });
}

let audio: AudioContext | null = null;
function ring(): void {
  if (model.look.sound === "off") return;
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
void openLink({
  opened: () => {
    set({ ...model, lost: "", told: [] });
    if (model.screen === "table" || wasSeated()) link?.say("attach", { table: "" });
    else link?.say("start");
  },
  lost: (why) => set({ ...model, lost: why }),
  said: (message) => {
    if (message.is === "ring") ring();
    if (message.is === "table") {
      remember(true);
      keep(true);
    }
    if (message.is === "ended") remember(false);
    if (message.is === "refused" && model.screen === "wait") {
      remember(false);
      link?.say("start");
    }
    set(after(model, message));
    if (message.is === "start") joinInvited();
    if (message.is === "brought") {
      if (message.anew) remember(false);
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
}).then((opened) => {
  link = opened;
  takeDrops((file) => deeds.give("bring", file));
  if (!opened.local) set({ ...model, inPage: true, invited: codeOfLink() && !wasSeated() ? { code: codeOfLink(), name: null } : null });
  keep(false);
});
