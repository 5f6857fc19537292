/** What each job cost in the last run on this machine: the order of the next run, and its expected end. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "./jobs.ts";

export interface Cost {
  readonly seconds: number;
  /** The process's, and those of all children that it has waited for. */
  readonly cpuSeconds: number;
}

/** Stands in for a job that has not run on this machine. */
const unknown: Cost = { seconds: 15, cpuSeconds: 7 };

/** Costs by the name of the job: of the last run on this machine, else of first-costs.json. */
export class Costs {
  readonly #path: string;
  readonly #known: Map<string, Cost>;

  constructor(root: string) {
    this.#path = join(cacheFolder(root), "costs.json");
    this.#known = new Map(Object.entries({ ...readCosts(firstCostsFile), ...readCosts(this.#path) }));
  }

  of(job: string): Cost {
    return this.#known.get(job) ?? unknown;
  }

  /** Kept at once: a run that is ended early has measured something, too. */
  set(job: string, cost: Cost): void {
    const rounded = (seconds: number) => Math.round(seconds * 10) / 10;
    this.#known.set(job, { seconds: rounded(cost.seconds), cpuSeconds: rounded(cost.cpuSeconds) });
    mkdirSync(join(this.#path, ".."), { recursive: true });
    writeFileSync(this.#path, `${JSON.stringify(Object.fromEntries(this.#known), null, 1)}\n`);
  }
}

/** Measured in a run of the project, for the first run in a fresh clone: the order matters, not the figures. */
const firstCostsFile = join(import.meta.dirname, "first-costs.json");

/** Nothing, where a file is missing or was cut short: the order is then only a worse one. */
function readCosts(path: string): Record<string, Cost> {
  if (!existsSync(path)) {
    return {};
  }
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, Cost>;
  } catch {
    return {};
  }
}
