/** Cuts a round into parts, each a measurement of one agent: consecutive ranges of units. */
import { slices } from "../../../../lib/base/list/slices.ts";
import type { PrefixSet } from "../../../../lib/measuring/discovery/prefix-set.ts";
import { agentsBesideMax } from "./limits.ts";

/** A range of one agent's units, in the order of the round. */
export interface Range {
  readonly agent: string;
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
  /** The agent's units; null = all of them. */
  readonly share: PrefixSet | null;
}

/** Its units are those of the agent's share within the range. */
export interface Part extends Omit<Range, "share"> {
  readonly probes: number;
}

export class PartCutter {
  /** Units that need probes, whether there is room for them or not. */
  units = 0;
  readonly #cut: Part[] = [];
  #part: Part;
  #at = 0;
  #left: number;

  constructor(
    readonly agent: string,
    readonly probesMax: number,
    budget: number,
  ) {
    this.#part = { agent, first: 0, last: -1, probes: 0 };
    this.#left = budget;
  }

  /** Adds the next unit. After the first one without room, none is accepted. */
  add(probes: number): void {
    const at = this.#at++;
    if (probes === 0) {
      return;
    }
    this.units++;
    this.#left = probes > this.#left ? -1 : this.#left - probes;
    if (this.#left < 0) {
      return;
    }
    if (this.#part.probes > 0 && this.#part.probes + probes > this.probesMax) {
      this.#cut.push(this.#part);
      this.#part = { agent: this.agent, first: at, last: at, probes: 0 };
    }
    this.#part = { ...this.#part, last: at, probes: this.#part.probes + probes };
  }

  parts(): Part[] {
    return this.#part.probes === 0 ? this.#cut : [...this.#cut, this.#part];
  }
}

/** Different agents' parts start together, those of one agent one after another. */
export function sideBySide(parts: readonly Part[]): { part: Part; isBeside: boolean }[] {
  const byAgent = [...Map.groupBy(parts, ({ agent }) => agent).values()];
  return slices(byAgent, agentsBesideMax).flatMap((group) => {
    const longest = Math.max(...group.map((own) => own.length));
    return Array.from({ length: longest }, (_, at) => group.flatMap((own) => own[at] ?? [])).flatMap(
      (beside) => beside.map((part, index) => ({ part, isBeside: index > 0 })),
    );
  });
}
