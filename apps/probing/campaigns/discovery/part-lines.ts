/**
 * The probe lines of one part of a round, in sending order and at its rate.
 *
 * In memory a part is numbers, some 20 bytes per probe; its lines are generated in pieces of 64 KiB as they are read.
 */
import type { RoundProbe } from "../../../../lib/measuring/discovery/strategy.ts";
import { familyOf } from "../../../../lib/net/ip/address.ts";
import { formatProbeLine } from "../../../../lib/net/wire/probe-line.ts";
import type { Step } from "../journal.ts";
import { linesBytes } from "./limits.ts";
import { paceOf } from "./pace.ts";
import type { RoundLines, RoundMeasure } from "./round-measure.ts";
import { nextProbes, roundOf, sharesOf } from "./rounds.ts";
import { RouterGroups } from "./router-groups.ts";
import { addressOfFlow, type UnitTable } from "./units.ts";

const numbersOfProbe = 4;

/** Null = the part has no probes left. */
export async function partLines(measure: RoundMeasure, step: Step): Promise<RoundLines | null> {
  const round = roundOf(step, await measure.units(step));
  const { spec, table } = round;
  const { agent, first, last } = step.given ?? {};
  const part = new PartProbes();
  const groups = new RouterGroups(spec.near_ttl);
  const share = await sharesOf(measure, step, spec, String(agent));
  const units = { agent: String(agent), first: Number(first), last: Number(last), share };
  for await (const { unit, probes, routers } of nextProbes(measure, round, units)) {
    groups.hear(routers);
    for (const probe of probes) {
      part.add(unit.index, probe);
      groups.add(probe.ttl, routers.get(probe.ttl));
    }
  }
  if (part.length === 0) {
    return null;
  }
  const { order, recordProbes } = paceOf(groups.all(), {
    rateProbesPerSec: spec.rate,
    groupProbesPerSec: spec.router_rate,
    seed: spec.seed + round.number,
  });
  return {
    lines: linesOf(part, order, table, spec),
    recordProbes: recordProbes < part.length ? recordProbes : null,
  };
}

class PartProbes {
  #numbers = new Uint32Array(numbersOfProbe * 1024);
  length = 0;

  add(unit: number, { subnet, flow, ttl }: RoundProbe): void {
    if (numbersOfProbe * this.length === this.#numbers.length) {
      const grown = new Uint32Array(2 * this.#numbers.length);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers.set([unit, subnet, flow, ttl], numbersOfProbe * this.length++);
  }

  at(index: number): RoundProbe & { readonly unit: number } {
    const from = numbersOfProbe * index;
    const [unit = 0, subnet = 0, flow = 0, ttl = 0] = this.#numbers.subarray(from, from + numbersOfProbe);
    return { unit, subnet, flow, ttl };
  }
}

type Spec = ReturnType<typeof roundOf>["spec"];

async function* linesOf(
  part: PartProbes,
  order: Uint32Array,
  table: UnitTable,
  { protocol: asked, src_port: srcPort, dst_port: dstPort }: Spec,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  let lines = "";
  for (const index of order) {
    const { unit, subnet, flow, ttl } = part.at(index);
    const { dst, port } = addressOfFlow(table.at(unit), { subnet, flow });
    const protocol = asked === "icmp" && familyOf(dst) === 6 ? "icmpv6" : asked;
    lines += `${formatProbeLine({ dst, protocol, srcPort: srcPort + port, dstPort, ttl })}\n`;
    if (lines.length >= linesBytes) {
      yield encoder.encode(lines);
      lines = "";
    }
  }
  yield encoder.encode(lines);
}
