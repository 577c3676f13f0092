/** All that there is on the page: what can be begun, or the table, and whatever lies above it. */

import { useEffect, useRef } from "preact/hooks";
import type { Deeds } from "./main";
import type { Model } from "./model";
import { Panels } from "./panels";
import { Invitation, StartPage } from "./start";
import { TablePage } from "./table";

export function Page({ model, deeds }: { model: Model; deeds: Deeds }) {
  return (
    <>
      {model.lost && <p class="lost" role="alert">{model.lost}</p>}
      {model.older && (
        <p class="older" role="status">
          {model.older} <button onClick={() => location.reload()}>Load it again</button> <button onClick={() => deeds.change({ older: "" })}>Later</button>
        </p>
      )}
      {model.screen === "wait" && (model.invited?.name === null ? <main class="start"><Invitation model={model} deeds={deeds} /></main> : <Waiting said={model.opening} />)}
      {model.screen === "start" && <StartPage model={model} deeds={deeds} />}
      {model.screen === "table" && <TablePage model={model} deeds={deeds} />}
      <Panels model={model} deeds={deeds} />
      <Spoken model={model} />
    </>
  );
}

function Waiting({ said }: { said: string }) {
  return (
    <main class="waiting">
      <h1>p2pcards</h1>
      <p role="status">{said || "The cards are being fetched ... If nothing more comes, load the page again."}</p>
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
  return <div class="spoken" role="log" aria-label="What happens" aria-live="polite" ref={box} />;
}
