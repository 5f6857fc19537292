/** No router of a simulated network is asked more than the limit in a record, from the first round to the last one. */
import { expect, test } from "bun:test";
import { parse } from "valibot";
import { discoverSchema } from "../../../apps/probing/campaigns/discovery/discover-fields.ts";
import { partLines } from "../../../apps/probing/campaigns/discovery/part-lines.ts";
import type { RoundMeasure } from "../../../apps/probing/campaigns/discovery/round-measure.ts";
import {
  partRule,
  roundRule,
  roundSteps,
  unitsOf,
} from "../../../apps/probing/campaigns/discovery/rounds.ts";
import { specOfDefinition } from "../../../apps/probing/campaigns/discovery/spec-of-definition.ts";
import { flowOfAddress, type UnitTable } from "../../../apps/probing/campaigns/discovery/units.ts";
import type { Step } from "../../../apps/probing/campaigns/journal.ts";
import type { AskedRow } from "../../../lib/engines/store/clickhouse/asked-probes.ts";
import type { StepGiven, StepWork } from "../../../lib/measuring/campaign/run-steps.ts";
import { strategies } from "../../../lib/measuring/discovery/strategies.ts";
import { ForbiddenRanges } from "../../../lib/measuring/probing/forbidden-ranges.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { ToyInternet } from "../../discovery/simulator/toy-internet.ts";
import { inTier, isLongRun } from "../../run/tier.ts";

const routerRate = 3;
const [routedPrefixes, subnets] = [4, 4];
const targets = Array.from({ length: routedPrefixes }, (_, unit) => `198.18.${subnets * unit}.0/22`).join(
  "\n",
);

/** A run on a network whose agents send each record in a second; gives the records, each with its lines. */
async function run(strategy: string, nearTtl: number) {
  const discover = {
    strategy,
    router_rate: routerRate,
    near_ttl: nearTtl,
    part_probes: 400,
    rounds_max: 8,
    split_ttl: 6,
  };
  const spec = specOfDefinition({ ttl: "1-16" }, parse(discoverSchema, discover));
  const net = new SimulatedTargets(await unitsOf(targets, spec), spec.src_port);
  const records: string[][] = [];
  const step = (given: StepGiven | null): Step => ({
    ...{ campaign_id: "c", run: 0, step: 0, kind: "compute", user_hash: "", agents: "west", probes: targets },
    ...{ revision: 1, shape: null },
    ...{ word: null, given, spread_sec: 0, is_late: false, measurement_id: null, before: [] },
  });
  const works: StepWork[] = [{ kind: "compute", rule: roundRule, given: { ...spec, round: 1 } }];
  for (let work = works.shift(); work !== undefined; work = works.shift()) {
    if (work.kind === "compute") {
      works.push(
        ...(await roundSteps({ measure: net, agents: async () => ["west"] }, step(work.given ?? null))).works,
      );
    } else if (work.kind === "measure" && work.rule === partRule) {
      const part = await partLines(net, step(work.given ?? null));
      const lines = Buffer.concat(await Array.fromAsync(part?.lines ?? []))
        .toString()
        .trimEnd()
        .split("\n");
      const size = part?.recordProbes ?? lines.length;
      for (let from = 0; from < lines.length; from += size) {
        records.push(lines.slice(from, from + size));
      }
      net.sent.push(...lines);
    } else {
      net.endRound();
    }
  }
  return { records, net };
}

class SimulatedTargets implements RoundMeasure {
  /** Lines of the round that is under way. */
  readonly sent: string[] = [];
  #rows: AskedRow[] = [];
  readonly #net = new ToyInternet({ routedPrefixes, subnets, seed: 7 });
  readonly #table: UnitTable;
  readonly #srcPort: number;

  constructor(table: UnitTable, srcPort: number) {
    this.#table = table;
    this.#srcPort = srcPort;
  }

  /** Null = the target itself, or nothing. */
  routerOf(line: string): string | null {
    const [dst = "", port, , ttl] = line.split(",");
    const unit = this.#table.at(Math.floor(Number(dst.split(".")[2]) / subnets));
    const flow = flowOfAddress(unit, address(dst), Number(port) - this.#srcPort);
    const subnet = unit.index * subnets + (flow?.subnet ?? 0);
    const node = this.#net.reply(subnet, flow?.flow ?? 0, Number(ttl));
    return node === null ? null : hexOf(`192.${node >> 16}.${(node >> 8) & 255}.${node & 255}`);
  }

  endRound(): void {
    const rows = this.sent.splice(0).map((line): AskedRow => {
      const [text = "", port, , ttl] = line.split(",");
      const dst = hexOf(text);
      const router = this.routerOf(line);
      const answer: AskedRow["answers"][number] = router === null ? [dst, 1, ""] : [router, 0, ""];
      return { dst, srcPort: Number(port), ttl: Number(ttl), asked: 1, answers: [answer] };
    });
    this.#rows = [...this.#rows, ...rows].sort((a, b) => (a.dst < b.dst ? -1 : a.dst > b.dst ? 1 : 0));
  }

  async *asked(_ids: readonly string[], { first, last }: Parameters<RoundMeasure["asked"]>[1]) {
    const [from, to] = [Buffer.from(first).toString("hex"), Buffer.from(last).toString("hex")];
    yield* this.#rows.filter(({ dst }) => dst >= from && dst <= to);
  }

  units = () => Promise.resolve(this.#table);
  allowed = () => Promise.resolve({ forbidden: ForbiddenRanges.none, reasonIn: () => "" });
  areAllIn = () => Promise.resolve(true);
  note = () => Promise.resolve();
  runBefore = () => Promise.resolve([]);
  shares = () => Promise.resolve(new Map());
  keepShares = () => Promise.resolve();
  submitLines = () => Promise.reject(new Error("Parts are taken as they are made"));
}

function hexOf(text: string): string {
  return Buffer.from(address(text)).toString("hex");
}

function mostAsked(records: readonly string[][], net: SimulatedTargets, ttlMax: number): number {
  const largest = records.map((lines) => {
    const near = lines.filter((line) => Number(line.split(",")[3]) <= ttlMax);
    const routers = Map.groupBy(near, (line) => net.routerOf(line) ?? "");
    routers.delete("");
    return Math.max(0, ...[...routers.values()].map((own) => own.length));
  });
  return Math.max(...largest);
}

test.each(isLongRun ? Object.keys(strategies) : ["diamond-miner"])(
  "no router near the agent is asked more, of any round of %s",
  async (name) => {
    const { records, net } = await run(name, 8);
    expect(records.length).toBeGreaterThan(5);
    expect(mostAsked(records, net, 8)).toBeWithin(1, routerRate + 1);
  },
);

test.each(inTier({ usual: ["shared"], long: ["shared", "diamond-miner"] }))(
  "where all TTLs are near ones, no router at all is, of %s",
  async (name) => {
    const { records, net } = await run(name, 32);
    expect(mostAsked(records, net, 32)).toBeWithin(1, routerRate + 1);
  },
);
