/** One unit between two rounds: converts its rows in the store for a strategy, and runs the strategy. */
import type { AskedRow } from "../../../../lib/engines/store/clickhouse/asked-probes.ts";
import type {
  RoundProbe,
  RoundReply,
  Strategy,
  StrategyOptions,
} from "../../../../lib/measuring/discovery/strategy.ts";
import type { AllowedRanges } from "../../../../lib/measuring/probing/forbidden-ranges.ts";
import { mix32 } from "../../../../lib/measuring/probing/mixer.ts";
import { allowedSubnets } from "./left-out.ts";
import { flowOfAddress, lastOf, type Unit } from "./units.ts";

export interface UnitRound {
  readonly unit: Unit;
  readonly probes: readonly RoundProbe[];
  /** Routers that have replied for the unit, by TTL: they may reply to the next probes. */
  readonly routers: ReadonlyMap<number, ReadonlySet<string>>;
}

interface RoundOrder {
  readonly strategy: Strategy;
  readonly options: StrategyOptions;
  /** Rounds that were sent. */
  readonly round: number;
  readonly srcPort: number;
  /** Only these subnets are probed. */
  readonly allowed: AllowedRanges;
}

/** `rows` are all rows of the unit. */
export function unitRound(unit: Unit, rows: readonly AskedRow[], order: RoundOrder): UnitRound {
  const { strategy, options, round, srcPort } = order;
  const subnets = allowedSubnets(unit, order.allowed);
  const isAsked = new Set(subnets);
  const names = new Names();
  const replies: RoundReply[] = [];
  const routers = new Map<number, Set<string>>();
  const elsewhere = new Set<number>();
  for (const { dst, srcPort: port, ttl, asked, answers } of rows) {
    const flow = flowOfAddress(unit, Buffer.from(dst, "hex"), port - srcPort);
    if (flow === null || !isAsked.has(flow.subnet)) {
      continue;
    }
    for (const [router, end, first] of answers) {
      // The target's own address is not a router, whatever its ICMP type.
      const node = router === dst ? null : names.of(router);
      replies.push({ ...flow, ttl, node, ...(end === 1 || node === null ? { isEnd: true } : {}) });
      if (node !== null) {
        routers.set(ttl, (routers.get(ttl) ?? new Set()).add(router));
        isElsewhere(unit, router, first) && elsewhere.add(node);
      }
    }
    for (let silent = answers.length; silent < asked; silent++) {
      replies.push({ ...flow, ttl, node: null });
    }
  }
  const seen = strategy.usesSeenNodes ? { seenNodes: elsewhere } : {};
  const probes = subnets.length === 0 ? [] : strategy.next(replies, { subnets, round, ...seen }, options);
  return { unit, probes, routers };
}

/** Whether another unit met the router first. Several routers may share a private address. */
function isElsewhere(unit: Unit, router: string, first: string): boolean {
  const isPrivate = /^(0{20}ffff(0a|ac1|c0a8|64[4-7])|f[cd]|fe[89ab])/.test(router);
  return first !== "" && !isPrivate && (first < hexOf(unit.base) || first > hexOf(lastOf(unit)));
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** Numbers for addresses, the same in all rounds: a hash of 31 bits, and the next free number where two meet. */
class Names {
  readonly #numbers = new Map<string, number>();
  readonly #taken = new Set<number>();

  of(address: string): number {
    const known = this.#numbers.get(address);
    if (known !== undefined) {
      return known;
    }
    const [high, low] = [Number.parseInt(address.slice(4, 16), 16), Number.parseInt(address.slice(20), 16)];
    let number = mix32(high, low) & 0x7fffffff;
    while (this.#taken.has(number)) {
      number = (number + 1) & 0x7fffffff;
    }
    this.#taken.add(number);
    this.#numbers.set(address, number);
    return number;
  }
}

/** The rows of each unit of a range, including units without rows; `rows` are in the order of units. */
export async function* byUnit(
  units: Iterable<Unit>,
  rows: AsyncIterable<AskedRow>,
): AsyncGenerator<readonly [Unit, readonly AskedRow[]], void, undefined> {
  const source = rows[Symbol.asyncIterator]();
  try {
    let next = await source.next();
    for (const unit of units) {
      const [first, last] = [hexOf(unit.base), hexOf(lastOf(unit))];
      const own: AskedRow[] = [];
      for (; next.done !== true && next.value.dst <= last; next = await source.next()) {
        if (next.value.dst >= first) {
          own.push(next.value);
        }
      }
      yield [unit, own];
    }
  } finally {
    await source.return?.();
  }
}
