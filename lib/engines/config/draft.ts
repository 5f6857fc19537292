/** A configuration while it is read: plain values with their origin, and the problems found so far. */
import type { ConfigProblem } from "./config-error.ts";
import { nearest } from "./nearest.ts";
import type { Shape } from "./shape.ts";

export type Path = readonly (string | number)[];

export type PlainValue = string | number | boolean | null | PlainValue[] | PlainSection;
export interface PlainSection {
  [name: string]: PlainValue;
}

export class Draft {
  root: PlainSection = {};
  readonly problems: ConfigProblem[] = [];
  readonly #places = new Map<string, string>();
  readonly #passedOver: ReadonlySet<string>;

  /** `place` is the origin of the whole, the file's name; `passedOver`: keys of other programs, `kafka.out_topic`. */
  constructor(place: string, passedOver: readonly string[]) {
    this.#places.set("", place);
    this.#passedOver = new Set(passedOver);
  }

  setPlace(path: Path, place: string): void {
    this.#places.set(path.join("."), place);
  }

  /** The origin of a key; for an absent one, of its section. */
  placeOf(path: Path): string {
    const own = this.#places.get(path.join("."));
    return own ?? (path.length === 0 ? "" : this.placeOf(path.slice(0, -1)));
  }

  fail(path: Path, reason: string, place = this.placeOf(path)): void {
    this.problems.push({ place, key: path.join("."), reason });
  }

  /** Unless the key is another program's. */
  failUnknown(path: Path, known: Iterable<string>, place: string): void {
    if (this.#passedOver.has(path.join("."))) {
      return;
    }
    const names = [...known];
    const meant = nearest(String(path.at(-1)), names);
    const advice = meant === null ? `known here: ${names.join(", ")}` : `did you mean "${meant}"?`;
    this.fail(path, `unknown key; ${advice}`, place);
  }
}

/** Whether a value counts as not given. */
export function isBlank(value: PlainValue, shape: Shape): boolean {
  if (shape.kind !== "value") {
    return value === null;
  }
  return shape.notes.blankIsDefault === true && (value === null || value === "" || value === 0);
}
