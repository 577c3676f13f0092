/** Drawers and dialogs: what is read, chosen, asked and changed, the menus, the score sheet, the last trick, what was said. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { CardFace } from "./cards";
import { Dialog } from "./dialog";
import { Files, keptSentence, Replace, SaveHome } from "./files";
import { Guide } from "./guide";
import { Icon, signOf } from "./icons";
import { LOOKS, type Look } from "./look";
import type { Deeds } from "./main";
import type { Model } from "./model";
import type { Ask, MenuItem, OptionRow, Sheet } from "./said";
import { capital, cardWords } from "./words";
import { whyNoNotices } from "./turn";

export function Panels({ model, deeds }: { model: Model; deeds: Deeds }) {
  const panel = model.panels[model.panels.length - 1];
  const ask = model.asks[0];
  const close = deeds.close;
  return (
    <>
      {panel?.kind === "read" && <Dialog key="read" title={panel.read.title || "Advice"} close={close} wide><Lines lines={panel.read.lines} /></Dialog>}
      {panel?.kind === "guide" && <Guide key={`guide ${panel.page.address}`} page={panel.page} before={model.panels.filter((one) => one.kind === "guide").length > 1} deeds={deeds} />}
      {panel?.kind === "choose" && <Choices key="choose" title={panel.title} choices={panel.choices} deeds={deeds} />}
      {panel?.kind === "menus" && <Menus key="menus" model={model} deeds={deeds} />}
      {panel?.kind === "options" && model.options && <OptionsPanel key="options" model={model} deeds={deeds} />}
      {panel?.kind === "look" && <LookPanel key="look" model={model} deeds={deeds} />}
      {panel?.kind === "sheet" && <Dialog key="sheet" title="Scores" close={close} wide>{model.table?.sheet && <ScoreSheet sheet={model.table.sheet} />}</Dialog>}
      {panel?.kind === "last" && <Dialog key="last" title="Last trick" close={close}><LastTrick model={model} /></Dialog>}
      {(panel?.kind === "log" || panel?.kind === "chat") && (
        <Dialog key="log" title={panel.kind === "chat" ? "Chat" : "Table log"} close={close} wide>
          <Told model={model} chat={panel.kind === "chat"} />
          <Talk deeds={deeds} />
          {model.inPage && <div class="deeds"><button onClick={() => deeds.say("log")}>Save this game's log</button></div>}
        </Dialog>
      )}
      {panel?.kind === "react" && <Reactions key="react" model={model} deeds={deeds} />}
      {panel?.kind === "files" && <Dialog key="files" title="Files" close={close} wide><Files model={model} deeds={deeds} /></Dialog>}
      {panel?.kind === "home" && <SaveHome key="home" deeds={deeds} />}
      {panel?.kind === "replace" && <Replace key="replace" lines={panel.lines} deeds={deeds} />}
      {ask && <Question key={`ask ${ask.number}`} ask={ask} deeds={deeds} />}
    </>
  );
}

/** Lines of a page of text: those that are lined up by spaces keep their columns. */
export function Lines({ lines }: { lines: string[] }) {
  const columns = lines.some((line) => /\S {2,}\S/.test(line));
  if (columns) return <pre tabIndex={0}>{lines.join("\n")}</pre>;
  const parts: string[] = [];
  lines.forEach((line, number) => {
    const goesOn = line.startsWith(" ") && line.trim() && number > 0;
    if (goesOn && parts.length) parts[parts.length - 1] += ` ${line.trim()}`;
    else parts.push(line.trim());
  });
  return <div class="lines">{parts.filter(Boolean).map((line, number) => <p key={number}>{line}</p>)}</div>;
}

function Choices({ title, choices, deeds }: { title: string; choices: [string, string][]; deeds: Deeds }) {
  return (
    <Dialog title={title} close={deeds.close}>
      <ul class="rows">
        {choices.map(([line, label]) => (
          <li key={line}>
            <button
              onClick={() => {
                deeds.close();
                if (line.endsWith(" ")) deeds.change({ talk: `/${line}` });
                else deeds.line(line);
              }}
            >{capital(label)}</button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Reactions({ model, deeds }: { model: Model; deeds: Deeds }) {
  const mine = model.table?.seats?.find((seat) => seat.you);
  return (
    <Dialog title="Quick reactions" close={deeds.close}>
      <ul class="rows reactions">
        {(mine?.reactions ?? []).map(([line, label]) => {
          const sign = signOf(line);
          return <li key={line}><button onClick={() => { deeds.close(); deeds.line(line); }}>{sign && <Icon name={sign} />}<span>{capital(label)}</span></button></li>;
        })}
      </ul>
    </Dialog>
  );
}

function Question({ ask, deeds }: { ask: Ask; deeds: Deeds }) {
  const answer = (text: string | null) => deeds.say("answer", { number: ask.number, text });
  return (
    <Dialog title={ask.question || "Your answer"} close={() => answer(null)}>
      <div class="deeds">
        {ask.answers.map((one, number) => <button key={one} class={number ? "" : "main"} onClick={() => answer(one)}>{capital(one)}</button>)}
      </div>
    </Dialog>
  );
}

// --- the menus --------------------------------------------------------------------------------------------------------

function Menus({ model, deeds }: { model: Model; deeds: Deeds }) {
  const take = (item: MenuItem) => {
    if (item.asks) {
      deeds.say("follow", { line: item.line });
      return;
    }
    deeds.close();
    if (item.line.endsWith(" ")) deeds.change({ talk: `/${item.line}` });
    else deeds.line(item.line);
  };
  const own = ofPage(model, deeds);
  const wide = innerWidth > 560;
  return (
    <Dialog title="Menu" close={deeds.close} wide>
      <div class="menus">
        {model.menus.map((menu) => (
          <section key={menu.title}>
            <details open={wide} name={wide ? "" : "menus"}>
              <summary>{menu.title}</summary>
              <ul class="rows">
                {(own[menu.title] ?? []).map(([label, press]) => <li key={label}><button onClick={press}>{label}</button></li>)}
                {menu.items.map((item) => (
                  <li key={item.label}>
                    {item.on === null ? (
                      <button title={item.meaning} onClick={() => take(item)}>{item.label}</button>
                    ) : (
                      <button role="switch" aria-checked={item.on} title={item.meaning} onClick={() => take(item)}>{item.label}<i class="switch" /></button>
                    )}
                  </li>
                ))}
              </ul>
            </details>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** By menu what only the page can do. */
function ofPage(model: Model, deeds: Deeds): Record<string, [label: string, press: () => void][]> {
  const instead = (deed: () => void) => () => { deeds.close(); deed(); };
  return {
    Options: [["Cards and table", () => deeds.open({ kind: "look" })]],
    Records: [
      ["Table log", () => deeds.open({ kind: "log" })],
      ...(model.inPage ? [["Save this game's log", instead(() => deeds.say("log"))], ["Files: save, import, check", () => deeds.open({ kind: "files" })]] as [string, () => void][] : []),
    ],
    Help: [["Type a command", instead(() => deeds.change({ talk: "/" }))]],
  };
}

// --- what can be changed ----------------------------------------------------------------------------------------------

function OptionsPanel({ model, deeds }: { model: Model; deeds: Deeds }) {
  const options = model.options;
  if (!options) return null;
  const change = (key: string, value: string) => {
    deeds.change({ refused: "" });
    deeds.say("change", { page: options.page, key, value });
  };
  return (
    <Dialog title={options.title} close={deeds.close} wide>
      {model.inPage && options.page === "settings" && (
        <>
          <p class="said">{keptSentence(model)}</p>
          <div class="deeds"><button onClick={() => deeds.open({ kind: "files" })}>Files: save, import, check</button></div>
        </>
      )}
      {model.screen === "start" && model.refused && <p role="alert" class="wrong">{model.refused}</p>}
      {options.groups.length === 0 && <p>Nothing to change right now.</p>}
      {options.groups.map((group) => (
        <details key={group.title} open={options.groups.length === 1}>
          {group.title && <summary>{group.title}</summary>}
          {group.rows.map((row) => <Option key={row.key} row={row} change={change} />)}
        </details>
      ))}
    </Dialog>
  );
}

function Option({ row, change }: { row: OptionRow; change: (key: string, value: string) => void }) {
  const [typed, setTyped] = useState(row.value);
  useLayoutEffect(() => setTyped(row.value), [row.value]); // after the first paint it would undo what was typed meanwhile
  const label = capital(row.label);
  const means = <small>{row.effect || row.meaning}</small>;
  if (row.values.length === 2 && row.values.includes("true")) {
    return (
      <div class="option"><label class="radio"><input type="checkbox" checked={row.value === "true"} onChange={() => change(row.key, row.value === "true" ? "false" : "true")} />{label}</label>{means}</div>
    );
  }
  if (row.values.length > 1 && !row.typed) {
    const values = row.values.includes(row.value) ? row.values : [row.value, ...row.values];
    return (
      <div class="option"><label class="field">{label}<select value={row.value} onChange={(event) => change(row.key, event.currentTarget.value)}>{values.map((one) => <option key={one} value={one}>{one || "not set"}</option>)}</select></label>{means}</div>
    );
  }
  return (
    <form class="option" onSubmit={(event) => { event.preventDefault(); change(row.key, typed); }}>
      <label class="field">{label}<input value={typed} onInput={(event) => setTyped(event.currentTarget.value)} /></label>
      {typed !== row.value && <button type="submit">Save</button>}
      {means}
    </form>
  );
}

function LookPanel({ model, deeds }: { model: Model; deeds: Deeds }) {
  const look = model.look;
  const part = <K extends keyof Look>(key: K) => (
    <fieldset key={key} class="looks">
      <legend>{LOOKS[key].label}</legend>
      {LOOKS[key].values.map(([value, words]) => (
        <label key={value} class="radio"><input type="radio" name={key} checked={look[key] === value} onChange={() => deeds.wear({ ...look, [key]: value })} />{words}</label>
      ))}
    </fieldset>
  );
  return (
    <Dialog title="Appearance" close={deeds.close} wide>
      <div class="sample" aria-hidden="true">{["AS", "KH", "QD", "JC", "--"].map((card) => <CardFace key={card} card={card} back={look.back} />)}</div>
      {(Object.keys(LOOKS) as (keyof Look)[]).map((key) => part(key))}
      {whyNoNotices(look) && <p role="status">{whyNoNotices(look)}</p>}
    </Dialog>
  );
}

// --- scores, the last trick, what was said ----------------------------------------------------------------------------

export function ScoreSheet({ sheet }: { sheet: Sheet }) {
  return (
    <div class="sheet" tabIndex={0} role="region" aria-label="Score sheet">
      <table>
        <thead><tr><th scope="col">{sheet.title}</th>{sheet.names.map((name) => <th key={name} scope="col">{name}</th>)}</tr></thead>
        <tbody>
          {sheet.rows.map((row, number) => (
            <tr key={number} class={row.strong ? "strong" : ""}><th scope="row">{row.what}</th>{row.points.map((points, place) => <td key={place}>{points}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LastTrick({ model }: { model: Model }) {
  const last = model.table?.last ?? [];
  if (!last.length) return <p>No last trick yet.</p>;
  const name = (seat: number) => model.table?.seats?.find((one) => one.seat === seat)?.name ?? "";
  return (
    <ol class="last">
      {last.map(({ seat, card }) => (
        <li key={`${seat} ${card}`}><CardFace card={card} back={model.look.back} /><span>{name(seat)}<span class="spoken">: {cardWords(card)}</span></span></li>
      ))}
    </ol>
  );
}

export function Told({ model, chat }: { model: Model; chat: boolean }) {
  const end = useRef<HTMLLIElement>(null);
  const told = model.told.filter((one) => !chat || one.ink === "chat");
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [told.length]);
  return (
    <ul class="told" tabIndex={0} aria-label={chat ? "Chat" : "Table log"}>
      {told.map((one) => <li key={one.number} class={one.ink}>{one.text}</li>)}
      {told.length === 0 && <li>Nothing yet.</li>}
      <li class="end" ref={end} aria-hidden="true" />
    </ul>
  );
}

function Talk({ deeds }: { deeds: Deeds }) {
  const [text, setText] = useState("");
  return (
    <form
      class="talk"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) deeds.line(`'${text}`);
        setText("");
      }}
    >
      <label class="field">Message <input value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
      <button type="submit" class="main">Send</button>
    </form>
  );
}
