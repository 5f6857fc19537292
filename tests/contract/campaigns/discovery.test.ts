/**
 * Discoveries on each engine of the journal: rounds follow one another until nothing is asked, and whatever ends the
 * process, and between which two writes, the same probes are sent, none twice.
 */
import { describe, expect, test } from "bun:test";
import type { StepMeasure } from "../../../apps/probing/campaigns/campaign-services.ts";
import { specOf } from "../../../apps/probing/campaigns/discovery/discover-fields.ts";
import type { RoundMeasure } from "../../../apps/probing/campaigns/discovery/round-measure.ts";
import { unitsOf } from "../../../apps/probing/campaigns/discovery/rounds.ts";
import type { AskedRow } from "../../../lib/engines/store/clickhouse/asked-probes.ts";
import { ForbiddenRanges } from "../../../lib/measuring/probing/forbidden-ranges.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { engines } from "../../postgres/engines.ts";
import { inTier } from "../../run/tier.ts";
import { type JournalHome, openedJournal } from "./journal-home.ts";
import { Killed, Killer, look } from "./killer.ts";

/** Parts by the key of their step. */
type Sent = Map<string, { readonly agent: string; readonly lines: readonly string[] }>;

/** Units of agents, which outlive a process. */
type Shares = Map<string, Uint8Array>;

/** A router at each TTL up to 4, of which TTL 2 has two, by the source port and the address; then the target. */
function rowOf(line: string): AskedRow {
  const [text = "", port, , ttlText] = line.split(",");
  const dst = Buffer.from(address(text)).toString("hex");
  const [srcPort, ttl] = [Number(port), Number(ttlText)];
  const branch = ttl === 2 ? (Number.parseInt(dst.slice(-2), 16) + srcPort) % 2 : 0;
  const router = Buffer.from(address(`198.51.100.${10 * ttl + branch}`)).toString("hex");
  return { dst, srcPort, ttl, asked: 1, answers: [ttl > 4 ? [dst, 1, ""] : [router, 0, ""]] };
}

/** Takes parts, and answers them, for a process that may be killed around each of them. */
function networkIn(home: JournalHome, sent: Sent, tick: () => void = () => {}, kept: Shares = new Map()) {
  const links: number[] = [];
  const rounds: RoundMeasure = {
    units: (step) => unitsOf(step.probes, specOf(step.given)),
    allowed: () => Promise.resolve({ forbidden: ForbiddenRanges.none, reasonIn: () => "" }),
    areAllIn: () => Promise.resolve(true),
    async *asked(ids, { agent, first, last }) {
      const rows: AskedRow[] = [];
      for (const [key, part] of sent) {
        if (part.agent === agent && ids.includes(await home.measure(key))) {
          rows.push(...part.lines.map(rowOf));
        }
      }
      const [from, to] = [Buffer.from(first).toString("hex"), Buffer.from(last).toString("hex")];
      yield* rows.filter(({ dst }) => dst >= from && dst <= to).toSorted(byFlow);
    },
    submitLines: async ({ key, lines, agents }) => {
      tick();
      const text = Buffer.concat(await Array.fromAsync(lines)).toString();
      // Like a gateway: what was taken under a key stays as it was.
      if (!sent.has(key)) {
        sent.set(key, { agent: agents, lines: text.trimEnd().split("\n") });
      }
      const id = await home.measure(key);
      tick();
      return id;
    },
    runBefore: () => Promise.resolve([]),
    shares: (_place, agent) =>
      Promise.resolve(new Map([...kept].filter(([name]) => agent === null || agent === name))),
    keepShares: (_place, shares) => {
      tick();
      for (const [agent, units] of kept.size === 0 ? shares : []) {
        kept.set(agent, units);
      }
      tick();
      return Promise.resolve();
    },
    note: (_place, note) => {
      tick();
      links.push(note.links);
      return Promise.resolve();
    },
  };
  const measure: StepMeasure = {
    rounds,
    submit: () => Promise.reject(new Error("A discovery has no probes of its own")),
    agents: ({ agents }) => Promise.resolve({ able: agents.split(","), reasons: [] }),
    cancel: () => Promise.resolve(),
    areRepliesIn: () => Promise.resolve(true),
    responders: () => Promise.resolve([]),
  };
  return { measure, links };
}

function byFlow(a: AskedRow, b: AskedRow): number {
  return a.dst === b.dst ? a.srcPort - b.srcPort || a.ttl - b.ttl : a.dst < b.dst ? -1 : 1;
}

/** All probes as `agent line`, sorted. */
function probesOf(sent: Sent): string[] {
  return [...sent.values()].flatMap(({ agent, lines }) => lines.map((line) => `${agent} ${line}`)).sort();
}

const definition = {
  probes: undefined,
  targets: ["203.0.113.0/24", "192.0.2.0/23", "2001:db8::/64"],
  ttl: "1-6",
  discover: { strategy: "diamond-miner", part_probes: 100 },
};

describe.each(engines)("on %s", (engine) => {
  const home = openedJournal(engine);

  async function play(measure: StepMeasure, journal = home().journal): Promise<void> {
    for (let looks = 0; looks < 100 && !(await home().runs()).includes("0 done"); looks++) {
      await look(journal, measure);
      await home().end();
    }
  }

  let whole: string[] = [];

  test("rounds follow one another until nothing is asked; parts of agents begin together", async () => {
    await home().make(definition);
    const sent: Sent = new Map();
    const { measure, links } = networkIn(home(), sent);
    await play(measure);
    expect(await home().runs()).toEqual(["0 done"]);
    whole = probesOf(sent);
    expect(new Set(whole).size).toBe(whole.length);
    // Of TTL 1 to 4, with two routers at TTL 2: 2 + 2 + 1 links.
    expect(links.at(-1)).toBe(5);
    expect(links.length).toBeGreaterThan(2);
    const keys = [...sent.keys()].map((key) => Number(key.split(" ").at(-1)));
    // Those of one place are taken in any order.
    expect(keys.slice(0, 2).toSorted()).toEqual([100, 101]);
    const places = keys.map((key) => Math.floor(key / 100));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    // Two parts of each agent in the first round: six flows at six TTLs to each of four subnets.
    const first = [...sent].filter(([key]) => Number(key.split(" ").at(-1)) < 300);
    const probes = first.flatMap(([, { agent, lines }]) => lines.map((line) => `${agent} ${line}`));
    expect([first.length, probes.length, new Set(probes).size]).toEqual([4, 288, 288]);
  });

  test("killed before and after any write, the same probes are sent, none twice", async () => {
    let kills = 0;
    const stride = inTier({ usual: 23, long: 11 });
    for (let calls = 0; ; calls += stride) {
      await home().make(definition);
      const sent: Sent = new Map();
      const killer = new Killer(calls);
      const dying = networkIn(home(), sent, killer.tick);
      await play(dying.measure, killer.killing(home().journal)).catch((error) => {
        expect(error).toBeInstanceOf(Killed);
      });
      if (!killer.isDead) {
        break;
      }
      kills++;
      await home().reopen();
      await home().end();
      await play(networkIn(home(), sent).measure);
      expect([calls, await home().runs()]).toEqual([calls, ["0 done"]]);
      expect(probesOf(sent)).toEqual(whole);
    }
    expect(kills).toBeGreaterThan(30 / stride);
  });

  test("with a budget each agent probes its own prefixes, wherever it is killed", async () => {
    const targets = Array.from({ length: 6 }, (_, i) => `198.18.${i}.0/24`);
    const discover = { ...definition.discover, budget_prefixes: 3 };
    let kills = 0;
    for (let calls = 0; ; calls += 7) {
      await home().make({ ...definition, targets, discover });
      const [sent, kept]: [Sent, Shares] = [new Map(), new Map()];
      const killer = new Killer(calls);
      const dying = networkIn(home(), sent, killer.tick, kept);
      await play(dying.measure, killer.killing(home().journal)).catch((error) => {
        expect(error).toBeInstanceOf(Killed);
      });
      if (killer.isDead) {
        kills++;
        await home().reopen();
        await home().end();
        await play(networkIn(home(), sent, () => {}, kept).measure);
      }
      expect(await home().runs()).toEqual(["0 done"]);
      const probes = probesOf(sent);
      expect(new Set(probes).size).toBe(probes.length);
      const pairs = new Set(probes.map((probe) => probe.replace(/\.[0-9]+,.*/, "")));
      const prefixesOf = (agent: string) => [...pairs].filter((pair) => pair.startsWith(agent));
      expect([prefixesOf("west ").length, prefixesOf("east ").length]).toEqual([3, 3]);
      // Nothing is known of any of them: what one has drawn the other has not.
      expect(new Set([...pairs].map((pair) => pair.split(" ")[1])).size).toBe(6);
      if (!killer.isDead) {
        break;
      }
    }
    expect(kills).toBeGreaterThan(2);
  });
});
