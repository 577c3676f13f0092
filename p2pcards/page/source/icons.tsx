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
};

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d={PATHS[name]} /></svg>
  );
}
