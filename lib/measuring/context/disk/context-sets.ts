/** A few open sets of context; one that is new, or was replaced, is opened when it is asked for. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { ContextSet } from "../context-set.ts";
import { ContextFolder, dateAmong, type Manifest } from "./context-folder.ts";

/** Sets in memory: some 50 MB each. Results live for 7 days, and those that are read together are of a day or two. */
const openMax = 2;

interface DatedSet {
  readonly set: ContextSet;
  /** Its day. */
  readonly date: string;
  /** Days when its files that say origins were last written, and those that say places; null = there are none. */
  readonly bgpDate: string | null;
  readonly geoDate: string | null;
}

interface OpenSet extends DatedSet {
  /** The state of its folder, by which a replaced set is noticed. */
  readonly version: string;
}

const bgpKinds: ReadonlySet<string> = new Set(["mrt", "pyasn", "prefix2as"]);
const geoKinds: ReadonlySet<string> = new Set(["mmdb", "ipinfo-csv", "ipinfo-json"]);

export class ContextSets {
  readonly #folder: ContextFolder;
  /** By day, the most recently used at the end. */
  readonly #open = new Map<string, OpenSet>();
  #dates: readonly string[] = [];
  /** The state of the folder, which changes with each set that is put into it. */
  #version = "";

  constructor(path: string) {
    this.#folder = new ContextFolder(path);
  }

  /** Finds new sets, and forgets replaced ones; cheap while nothing has changed. */
  refresh(): void {
    const version = versionOf(this.#folder.path);
    if (version !== this.#version) {
      this.#dates = this.#folder.dates();
      this.#version = version;
      for (const [date, opened] of this.#open) {
        if (opened.version !== this.#versionOf(date)) {
          this.#open.delete(date);
        }
      }
    }
  }

  get isEmpty(): boolean {
    return this.#dates.length === 0;
  }

  /** The set that applies to a day: the last one up to it, else the first one after it; null = there are none. */
  forDay(day: string): DatedSet | null {
    const date = dateAmong(this.#dates, day);
    if (date === null) {
      return null;
    }
    const known = this.#open.get(date) ?? this.#opened(date);
    this.#open.delete(date);
    this.#open.set(date, known);
    const [oldest] = this.#open.keys();
    if (this.#open.size > openMax && oldest !== undefined) {
      this.#open.delete(oldest);
    }
    return known;
  }

  #versionOf(date: string): string {
    return versionOf(join(this.#folder.path, date));
  }

  #opened(date: string): OpenSet {
    // Before it is read: what takes its place meanwhile is seen the next time.
    const version = this.#versionOf(date);
    const { sources } = this.#folder.manifest(date);
    const set = this.#folder.open(date);
    return { version, set, date, bgpDate: lastDay(sources, bgpKinds), geoDate: lastDay(sources, geoKinds) };
  }
}

function lastDay(sources: Manifest["sources"], kinds: ReadonlySet<string>): string | null {
  const times = sources.filter(({ kind }) => kinds.has(kind)).map(({ modified_at: time }) => time);
  return times.sort().at(-1)?.slice(0, 10) ?? null;
}

/** Empty where there is no folder. */
function versionOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino} ${stat.mtimeNs}`;
}
