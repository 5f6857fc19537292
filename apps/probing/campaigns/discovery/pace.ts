/**
 * The order and rate of a part's probes: one record per second, in which no group of probes exceeds the limit. A group
 * is the probes to which one router may reply, as far as routers are known.
 *
 * Probes are dealt to the records like cards, group after group: of a group's c probes, a record gets at most
 * ceil(c / records). So there are as many records as the largest group and the rate require. The order within a record
 * is random, so that neighbours are apart.
 */
import { Permutation } from "../../../../lib/measuring/probing/permutation.ts";

interface Limits {
  readonly rateProbesPerSec: number;
  /** Limit per group. */
  readonly groupProbesPerSec: number;
  readonly seed: number;
}

interface Pace {
  /** Indices of the probes. */
  readonly order: Uint32Array;
  /** Probes of each record but the last one, which has as many or fewer. */
  readonly recordProbes: number;
}

/** `groups`: each probe's group, from 0; -1 = no known router would reply. */
export function paceOf(groups: Int32Array, limits: Limits): Pace {
  const { rateProbesPerSec, groupProbesPerSec, seed } = limits;
  const count = groups.length;
  if (count === 0) {
    return { order: new Uint32Array(0), recordProbes: 1 };
  }
  const { sorted, largest } = byGroup(groups, seed);
  const records = Math.max(Math.ceil(count / rateProbesPerSec), Math.ceil(largest / groupProbesPerSec));
  const recordProbes = Math.max(1, Math.floor(count / records));
  return { order: dealt(sorted, recordProbes, seed), recordProbes };
}

/** Probes sorted by group; those without one are last. */
function byGroup(groups: Int32Array, seed: number): { sorted: Uint32Array; largest: number } {
  const sizes = new Uint32Array(groups.reduce((most, group) => Math.max(most, group), 0) + 2);
  const bin = (group: number) => (group < 0 ? sizes.length - 1 : group);
  for (const group of groups) {
    sizes[bin(group)] = (sizes[bin(group)] ?? 0) + 1;
  }
  const largest = sizes.subarray(0, -1).reduce((most, size) => Math.max(most, size), 0);
  let begin = 0;
  const next = sizes.map((size) => {
    begin += size;
    return begin - size;
  });
  const sorted = new Uint32Array(groups.length);
  const draw = new Permutation(groups.length, seed);
  for (let at = 0; at < groups.length; at++) {
    const probe = draw.at(at);
    const own = bin(groups[probe] ?? -1);
    const place = next[own] ?? 0;
    sorted[place] = probe;
    next[own] = place + 1;
  }
  return { sorted, largest };
}

/** Full records get a probe in turn; the last one takes part while it has room. */
function dealt(sorted: Uint32Array, recordProbes: number, seed: number): Uint32Array {
  const full = Math.floor(sorted.length / recordProbes);
  const rest = sorted.length - full * recordProbes;
  const order = new Uint32Array(sorted.length);
  const within = new Permutation(recordProbes, seed);
  let at = 0;
  for (let card = 0; card < recordProbes; card++) {
    const records = card < rest ? full + 1 : full;
    for (let record = 0; record < records; record++) {
      const place = record < full ? within.at(card) : card;
      order[record * recordProbes + place] = sorted[at++] ?? 0;
    }
  }
  return order;
}
