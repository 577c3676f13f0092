/** Signs on buttons, as strokes. */

const PATHS = {
  menu: "M4 6h16M4 12h16M4 18h16",
  close: "M6 6l12 12M18 6L6 18",
  talk: "M4 5h16v11H9l-5 4z",
  log: "M6 4h12v16H6zM9 9h6M9 13h6",
  score: "M5 20V10M12 20V4M19 20v-7",
  last: "M7 8h8v11H7zM10 5l8 2-2 10",
  look: "M12 4a8 8 0 1 0 8 8c-3 0-4-2-3-4s-2-4-5-4zM8 10h.01M9 15h.01M14 17h.01",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10c1 1 1 2 1 3h6c0-1 0-2 1-3a6 6 0 0 0-4-10z",
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4",
  react: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9 9.5h.01M15 9.5h.01M8 14a4.5 4.5 0 0 0 8 0",
  waves: "M7 13V6.5a1.5 1.5 0 0 1 3 0V11V4.5a1.5 1.5 0 0 1 3 0V11V5.5a1.5 1.5 0 0 1 3 0V12V8.5a1.5 1.5 0 0 1 3 0V15a6 6 0 0 1-6 6h-1.5a6 6 0 0 1-5-2.7L3.5 13.5a1.5 1.5 0 0 1 2.4-1.8z",
  well: "M7 11v9H4v-9zM7 11l4-7a2 2 0 0 1 2 2l-1 4h6a2 2 0 0 1 2 2.5l-1.5 6a2 2 0 0 1-2 1.5H7",
  nice: "M12 3l2.7 5.8 6.3.8-4.6 4.4 1.2 6.3L12 17.2 6.4 20.3l1.2-6.3L3 9.6l6.3-.8z",
  thanks: "M12 20S4 15 4 9a4 4 0 0 1 8-1 4 4 0 0 1 8 1c0 6-8 11-8 11z",
  lucky: "M6 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0M12 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0M6 13a3 3 0 1 0 6 0a3 3 0 1 0-6 0M12 13a3 3 0 1 0 6 0a3 3 0 1 0-6 0M12 13c1 4 2 6 4 8",
  oops: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9 9.5h.01M15 9.5h.01M10.5 15.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0",
  ouch: "M13 2L5 13h6l-1 9 8-11h-6z",
  laughs: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M8 8.5l1.5 1M16 8.5l-1.5 1M7.5 13.5h9a4.5 4.5 0 0 1-9 0z",
};

export type Sign = keyof typeof PATHS;

/** The sign of a line such as "quick thanks", null where it has none. */
export function signOf(line: string): Sign | null {
  const word = line.slice(line.indexOf(" ") + 1);
  return word in PATHS ? (word as Sign) : null;
}

export function Icon({ name }: { name: Sign }) {
  return (
    <svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d={PATHS[name]} /></svg>
  );
}
