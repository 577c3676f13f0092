/** How far the page has come that is being loaded. */

import type { Model } from "./model";

/** A screen reader is told what is being loaded, and asks for the percentage: it changes all the time. */
export function Progress({ model: { loading, lost, opening } }: { model: Model }) {
  if (lost) return null;
  const { part, percent } = loading ?? { part: "", percent: 0 };
  const words = opening || (part ? `Loading ${part} ...` : "Loading ... If nothing happens, reload the page.");
  return (
    <div class="progress">
      <p role="status">{words}</p>
      {part && <><progress aria-label="Loading" max={100} value={percent} /><span aria-hidden="true">{percent} %</span></>}
    </div>
  );
}
