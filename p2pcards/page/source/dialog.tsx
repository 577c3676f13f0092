/** What lies above everything else until it is closed: the browser's own dialog, which keeps the focus and gives it back. */

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icons";

export function Dialog({ title, close, children, wide = false, must = false }: { title: string; close: () => void; children: ComponentChildren; wide?: boolean; must?: boolean }) {
  const box = useRef<HTMLDialogElement>(null);
  const name = useId();
  // Before the browser paints: a dialog that is drawn and not yet open has no size, and lets keys through to the table.
  useLayoutEffect(() => {
    const here = box.current;
    if (here && !here.open) {
      here.showModal();
      (here.querySelector<HTMLElement>(".main") ?? here.querySelector<HTMLElement>(".rows button, .ways button, summary"))?.focus();
    }
    return () => here?.close();
  }, []);
  return (
    <dialog
      ref={box}
      class={wide ? "wide" : ""}
      aria-labelledby={name}
      onCancel={(event) => { event.preventDefault(); close(); }}
      onClick={(event) => { if (event.target === box.current) close(); }}
    >
      <div class="inside">
        <header><h2 id={name}>{title}</h2>{!must && <button class="icon" aria-label="Close" onClick={close}><Icon name="close" /></button>}</header>
        {children}
      </div>
    </dialog>
  );
}
