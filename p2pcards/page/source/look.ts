/** How the table looks in this browser: its own settings, kept here and nowhere else. */

export interface Look {
  deck: "four" | "two" | "blind";
  back: "lattice" | "rings" | "waves";
  felt: "green" | "blue" | "wine" | "grey";
  light: "auto" | "light" | "dark";
  tap: "two" | "one";
  motion: "auto" | "off";
  sound: "on" | "off";
  notices: "off" | "on";
}

export const LOOKS: { [K in keyof Look]: { label: string; values: [Look[K], string][] } } = {
  deck: { label: "Suit colors", values: [["four", "four colors"], ["two", "black and red"], ["blind", "color-blind"]] },
  back: { label: "Card backs", values: [["lattice", "lattice"], ["rings", "rings"], ["waves", "waves"]] },
  felt: { label: "Table", values: [["green", "green"], ["blue", "blue"], ["wine", "wine red"], ["grey", "slate"]] },
  light: { label: "Theme", values: [["auto", "system"], ["light", "light"], ["dark", "dark"]] },
  tap: { label: "Play a card with", values: [["two", "two taps"], ["one", "one tap"]] },
  motion: { label: "Animation", values: [["auto", "on, unless your system limits motion"], ["off", "off"]] },
  sound: { label: "Bell", values: [["on", "on"], ["off", "off"]] },
  notices: { label: "Turn alerts when this page is in the background", values: [["off", "title only"], ["on", "title and notification"]] },
};

const USUAL: Look = { deck: "four", back: "lattice", felt: "green", light: "auto", tap: "two", motion: "auto", sound: "on", notices: "off" };
const KEY = "p2pcards.look";

export function readLook(): Look {
  const look = { ...USUAL };
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof kept === "object" && kept !== null) {
      for (const key of Object.keys(LOOKS) as (keyof Look)[]) {
        const value: unknown = (kept as Record<string, unknown>)[key];
        if (LOOKS[key].values.some(([one]) => one === value)) Object.assign(look, { [key]: value });
      }
    }
  } catch {
    // A private window may keep nothing.
  }
  return look;
}

export function keepLook(look: Look): void {
  wear(look);
  try {
    localStorage.setItem(KEY, JSON.stringify(look));
  } catch {
    // It counts as long as the page is open.
  }
}

export function wear(look: Look): void {
  const root = document.documentElement;
  for (const key of ["deck", "back", "felt", "light"] as const) root.dataset[key] = look[key];
}

export function moves(look: Look): boolean {
  return look.motion !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
