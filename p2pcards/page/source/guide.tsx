/** A page of the guide: headings, paragraphs, lists, and links that lead to other pages. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "./dialog";
import type { Deeds } from "./main";
import { characterNamed, Portrait } from "./portrait";
import type { GuidePage, Span } from "./said";

const ALWAYS: [address: string, label: string][] = [["contents", "Contents"], ["games", "Games"], ["glossary", "Glossary"], ["index", "Index"]];

export function Guide({ page, before, deeds }: { page: GuidePage; before: boolean; deeds: Deeds }) {
  const [words, setWords] = useState("");
  const meant = useRef<HTMLElement>(null);
  useEffect(() => meant.current?.scrollIntoView({ block: "start" }), []);
  const go = (address: string) => deeds.say("guide", { address });
  return (
    <Dialog title={page.title} close={deeds.closeGuide} wide>
      <form class="talk" onSubmit={(event) => { event.preventDefault(); deeds.say("guide", { words }); }}>
        <label class="field">Search <input value={words} onInput={(event) => setWords(event.currentTarget.value)} /></label>
        <button type="submit">Find</button>
      </form>
      <nav class="deeds" aria-label="Guide">
        {before && <button onClick={deeds.close}>Back</button>}
        {ALWAYS.filter(([address]) => address !== page.address).map(([address, label]) => <button key={address} class="quiet" onClick={() => go(address)}>{label}</button>)}
      </nav>
      <div class="guide" tabIndex={0} role="region" aria-label={page.title}>{groups(page).map((group, number) => <Group key={number} group={group} page={page} meant={meant} go={go} />)}</div>
    </Dialog>
  );
}

interface Numbered {
  number: number;
  level: number;
  mark: string;
  spans: Span[];
}

/** Items of one list together, everything else by itself. The title is number 0. */
function groups(page: GuidePage): Numbered[][] {
  const found: Numbered[][] = [];
  page.blocks.forEach((block, place) => {
    const last = found[found.length - 1];
    const one = { ...block, number: place + 1 };
    if (block.mark && last?.[0]?.mark) last.push(one);
    else found.push([one]);
  });
  return found;
}

function Group({ group, page, meant, go }: { group: Numbered[]; page: GuidePage; meant: { current: HTMLElement | null }; go: (address: string) => void }) {
  const first = group[0];
  if (!first) return null;
  const text = <Text spans={first.spans} go={go} />;
  if (first.level) {
    const here = first.number === page.at ? { ref: meant as { current: HTMLHeadingElement | null } } : {};
    const who = page.address.startsWith("characters") ? characterNamed(first.spans.map(([words]) => words).join("")) : "";
    return first.level < 3 ? <h3 {...here}>{who && <Portrait who={who} />}{text}</h3> : <h4 {...here}>{text}</h4>;
  }
  if (!first.mark) return <p>{text}</p>;
  const items = group.map((one) => <li key={one.number}><Text spans={one.spans} go={go} /></li>);
  return first.mark === "-" ? <ul>{items}</ul> : <ol>{items}</ol>;
}

function Text({ spans, go }: { spans: Span[]; go: (address: string) => void }) {
  return (
    <>
      {spans.map(([text, code, to], number) => {
        if (to) return <button key={number} class="link" onClick={() => go(to)}>{code ? <code>{text}</code> : text}</button>;
        return code ? <code key={number}>{text}</code> : text;
      })}
    </>
  );
}
