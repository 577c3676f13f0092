/** Tells a player whose page is in the background that it is their turn: by its title, and by a notification where they
 *  want one and the browser allows it. */

import type { Look } from "./look";
import type { Model } from "./model";

const TITLE = "p2pcards";

let wasDue = false;
let shown: Notification | null = null;

export function tellTurn(model: Model): void {
  const due = model.screen === "table" && ((model.table?.myTurn ?? false) || model.asks.length > 0);
  if (due !== wasDue) document.title = due ? `Your turn – ${TITLE}` : TITLE;
  if (due && !wasDue && document.hidden && model.look.notices === "on") notify();
  if (!due) takeBack();
  wasDue = due;
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) takeBack();
});

function notify(): void {
  try {
    shown = new Notification("It's your turn", { body: TITLE, tag: TITLE });
    shown.onclick = () => window.focus();
  } catch {
    // Chrome on Android shows those of a service worker alone.
  }
}

function takeBack(): void {
  shown?.close();
  shown = null;
}

/** Why no notification can come in this browser, "" where one can, or where that has not been asked for. */
export function whyNoNotices(look: Look): string {
  if (look.notices === "off") return "";
  if (!isSecureContext || !("Notification" in window)) return "Notifications need https, which this page doesn't use.";
  if (Notification.permission === "denied") return "Notifications are blocked. Allow them in the site settings.";
  return "";
}

/** Asks the browser for them, when the player turns them on. */
export async function allowNotices(): Promise<void> {
  if ("Notification" in window && Notification.permission === "default") await Notification.requestPermission();
}
