/** Days of the store that an earlier backup has: those that have not changed since are linked, not copied. */
import type { CopiedStore } from "./manifest.ts";
import type { PartFiles } from "./part-files.ts";

type Day = CopiedStore["tables"][number]["days"][number];

interface WantedDay {
  readonly table: string;
  readonly day: string;
  readonly state: string;
}

export class EarlierDays {
  readonly #parts: PartFiles | null;
  readonly #days = new Map<string, Day>();

  /** `parts`: files of the earlier backup, with the same key; null = there is none. */
  constructor(parts: PartFiles | null, stores: readonly CopiedStore[]) {
    this.#parts = parts;
    for (const { table, days } of stores.flatMap(({ tables }) => tables)) {
      for (const day of days) {
        this.#days.set(`${table} ${day.day} ${day.state}`, day);
      }
    }
  }

  /** Null when it has no such day. Rejects with CommandError when its file is damaged. */
  async link(into: PartFiles, { table, day, state }: WantedDay): Promise<Day | null> {
    const found = this.#days.get(`${table} ${day} ${state}`);
    if (found === undefined || this.#parts === null) {
      return null;
    }
    return { ...found, part: await into.link(this.#parts, found.part) };
  }
}
