/** All that there is on the page: what can be begun, or the table, and whatever lies above it. */

import { useEffect, useRef } from "preact/hooks";
import type { Deeds } from "./main";
import { Progress } from "./loading";
import type { Model } from "./model";
import { loadNewest } from "./offline";
import { Panels } from "./panels";
import { StartPage } from "./start";
import { TablePage } from "./table";

export function Page({ model, deeds }: { model: Model; deeds: Deeds }) {
  const first = firstSeen(model);
  return (
    <>
      {model.lost && <p class="lost" role="alert">{model.lost}</p>}
      {model.older && (
        <p class="older" role="status">
          {model.older} <button onClick={() => void loadNewest()}>Reload</button> <button onClick={() => deeds.change({ older: "" })}>Later</button>
        </p>
      )}
      {first === "wait" && <Waiting model={model} />}
      {first === "start" && <StartPage model={model} deeds={deeds} />}
      {model.screen === "table" && <TablePage model={model} deeds={deeds} />}
      <Panels model={model} deeds={deeds} />
      <Spoken model={model} />
    </>
  );
}

/** Before a table. In a page of its own one may choose before everything has come. */
function firstSeen(model: Model): "start" | "wait" | "" {
  if (model.screen !== "wait") return model.screen === "start" ? "start" : "";
  if (model.invited) return model.invited.name === null ? "start" : "wait";
  return model.inPage && !model.returns ? "start" : "wait";
}

function Waiting({ model }: { model: Model }) {
  return (
    <main class="waiting">
      <h1>p2pcards</h1>
      <Progress model={model} />
    </main>
  );
}

/** What a screen reader is told as it happens. */
function Spoken({ model }: { model: Model }) {
  const last = useRef(0);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const fresh = model.told.filter((one) => one.number > last.current);
    last.current = model.told[model.told.length - 1]?.number ?? last.current;
    for (const one of fresh) {
      const line = document.createElement("p");
      line.textContent = one.text;
      box.current?.append(line);
    }
    while ((box.current?.childElementCount ?? 0) > 12) box.current?.firstElementChild?.remove();
  });
  return <div class="spoken" role="log" aria-label="What's happening" aria-live="polite" ref={box} />;
}
