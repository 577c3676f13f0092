/** The face of a character, where one is chosen, read about or sits at the table. */

import { h } from "preact";
import { PORTRAITS } from "./portraits";

export function Portrait({ who }: { who: string }) {
  const drawn = PORTRAITS[who];
  if (!drawn) return null;
  return <svg class="portrait" viewBox="0 0 100 100" aria-hidden="true">{drawn.shapes.map(([tag, attributes], number) => h(tag, { ...attributes, key: number }))}</svg>;
}

/** The key of the character of this name, "" for none. */
export function characterNamed(name: string): string {
  return Object.keys(PORTRAITS).find((key) => PORTRAITS[key]?.name === name) ?? "";
}

/** Where the guide tells who that is. */
export const storyOf = (name: string): string => `characters#${name.toLowerCase().replace(/ /g, "-")}`;

/** Over all of a plate: a click tells who sits there. */
export function WhoIsThat({ name, tell }: { name: string; tell: (address: string) => void }) {
  return characterNamed(name) ? <button class="who" aria-label={`Who is ${name}?`} onClick={() => tell(storyOf(name))} /> : null;
}
