/** Files, where everything runs in the page: what this browser keeps, how it leaves the browser, and what is brought in. */

import { useRef } from "preact/hooks";
import { Dialog } from "./dialog";
import type { Deeds } from "./main";
import type { Model } from "./model";

/** What can be done about files; in a drawer, or a part of the first page. */
export function Files({ model, deeds }: { model: Model; deeds: Deeds }) {
  return (
    <>
      <p role="status" class="said">{keptSentence(model)}</p>
      {model.offline && <p role="status" class="said">{model.offline}</p>}
      <ul class="ways">
        <li><button onClick={() => deeds.say("log")}><b>Save the log</b><small>of this game, or your last one</small></button></li>
        <li><button onClick={() => deeds.open({ kind: "home" })}><b>Save everything</b><small>your key, friends, settings and games, in one file</small></button></li>
        <li><Choose label="Import a backup" means="or a saved game" take={(file) => deeds.give("bring", file)} /></li>
        <li><Choose label="Check a log" means="of any game" take={(file) => deeds.give("verify", file)} /></li>
      </ul>
      <p class="hint">Or drop a file anywhere on the page.</p>
    </>
  );
}

/** The browser's own choice of a file, behind a button like the others. */
function Choose({ label, means, take }: { label: string; means: string; take: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const chosen = (event: Event) => {
    const here = event.currentTarget as HTMLInputElement;
    const [file] = here.files ?? [];
    if (file) take(file);
    here.value = ""; // so that the same file can be chosen again
  };
  return (
    <>
      <button onClick={() => input.current?.click()}><b>{label}</b><small>{means}</small></button>
      <input ref={input} type="file" hidden onChange={chosen} />
    </>
  );
}

/** Before a file is written with which anybody can sit as one. */
export function SaveHome({ deeds }: { deeds: Deeds }) {
  return (
    <Dialog title="Save everything" close={deeds.close}>
      <p>The file contains your private key, friends, settings and games. Keep it to yourself: anyone who has it can play as you.</p>
      <p>To load it, use "Import a backup" on the page, or "p2pcards saves import FILE" in a terminal. After that, play in one place only.</p>
      <div class="deeds"><button class="main" onClick={() => { deeds.close(); deeds.say("home"); }}>Save the file</button></div>
    </Dialog>
  );
}

/** Before a home takes the place of another. */
export function Replace({ lines, deeds }: { lines: string[]; deeds: Deeds }) {
  return (
    <Dialog title="Replace what's here?" close={deeds.close}>
      {lines.map((line) => <p key={line}>{line}</p>)}
      <div class="deeds">
        <button onClick={() => { deeds.close(); deeds.say("replace"); }}>Replace</button>
        <button onClick={() => deeds.say("home")}>Save a backup first</button>
        <button class="main" onClick={deeds.close}>Cancel</button>
      </div>
    </Dialog>
  );
}

// --- whether the browser keeps it -------------------------------------------------------------------------------------

/** Whether a browser clears what lies there by itself; and of how many bytes how many are used, where it says so. */
export interface Keeps {
  lasting: boolean;
  used: number;
  room: number;
}

/** ask: the person or the browser may be asked for it, now that there is something to keep. Over http a browser says nothing. */
export async function askToKeep(ask: boolean): Promise<Keeps> {
  const storage = navigator.storage as StorageManager | undefined;
  try {
    const lasting = (await (ask ? storage?.persist() : storage?.persisted())) ?? false;
    const { usage = 0, quota = 0 } = (await storage?.estimate()) ?? {};
    return { lasting, used: usage, room: quota };
  } catch {
    return { lasting: false, used: 0, room: 0 };
  }
}

const NEARLY = 0.9;
const LASTING = "This browser keeps your key, friends and games until you clear this page's data.";
const FOR_NOW = "This browser keeps your key, friends and games, but may clear them when space runs low or after weeks away. Save everything as a file.";

/** What the worker says goes first: it has tried. */
export function keptSentence({ kept, keeps }: Model): string {
  if (kept) return kept;
  const full = keeps.used > keeps.room * NEARLY;
  const sentence = keeps.lasting ? LASTING : FOR_NOW;
  return full ? `${sentence} It's almost full (${megabytes(keeps.used)} of ${megabytes(keeps.room)}): free some space.` : sentence;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

// --- what is brought in -----------------------------------------------------------------------------------------------

const LARGEST = 1 << 26; // bytes: that of p2pcards/results/carried.py, and no log comes near

/** The file's bytes, or why there are none. */
export async function bytesOf(file: File): Promise<ArrayBuffer | string> {
  if (file.size > LARGEST) return "This file is over 64 MB, too big for a log or a backup.";
  return file.arrayBuffer().catch(() => "Can't read this file. Choose it again (folders don't work).");
}

/** Whatever file is dropped on the page; the browser itself would open it in the place of the page. */
export function takeDrops(take: (file: File) => void): void {
  const files = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (event) => files(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    const [dropped] = event.dataTransfer?.files ?? [];
    if (dropped) take(dropped);
  });
}
