import { expect, test } from "bun:test";
import type { ProbeAnswer } from "../../../../lib/measuring/paths/path.ts";
import { address, sameAddress } from "../../../../lib/net/ip/address.ts";
import type { PlannedProbe } from "./probe-plan.ts";
import { RemotePath } from "./remote-path.ts";
import { WavePlanner } from "./wave-planner.ts";

const target = { name: "t", address: address("192.0.2.9"), protocol: "udp" } as const;
const waitMs = 2000;
const answerMs = 800;
/** Longer than anything that is waited for. */
const stepMs = 100;
const stepsMax = 1000;

interface Network {
  /** Where the target answers, by flow; Infinity = it never does. */
  readonly end: (flow: number) => number;
  readonly silent?: readonly number[];
  /** Each wave leaves so much later. */
  readonly sentAfterMs?: number;
}

interface Shape {
  readonly flows?: number;
  readonly queries?: number;
  readonly maxTtl?: number;
}

function answerAt({ end, silent = [] }: Network, { flow, ttl }: PlannedProbe): ProbeAnswer | null {
  const from = ttl >= end(flow) ? target.address : address(`198.51.100.${ttl}`);
  const isTarget = sameAddress(from, target.address);
  return silent.includes(ttl) && !isTarget
    ? null
    : {
        from,
        rttMs: 1,
        labels: [],
        kind: isTarget ? { kind: "unreachable", family: 4, code: 3 } : { kind: "ttl_exceeded" },
      };
}

/** Plays agents on their networks until the planner is done. Returns the waves, and how long it took. */
function played(networks: readonly Network[], { flows = 8, queries = 3, maxTtl = 32 }: Shape = {}) {
  const shape = { srcPort: 24_000, dstPort: 33_434, firstTtl: 1, maxTtl, queries, flows, waitMs };
  const planner = new WavePlanner({ targets: [target], target: 0, shape });
  const paths = networks.map(
    (_, i) => new RemotePath({ agent: `agent ${i}`, target, flows, requestedSource: null }),
  );
  const waves: PlannedProbe[][] = [];
  const waveAtMs: number[] = [];
  const underWay: { readonly atMs: number; readonly take: () => void }[] = [];
  let sentAtMs = 0;
  const send = (wave: PlannedProbe[], nowMs: number) => {
    if (wave.length > 0) {
      waves.push(wave);
      waveAtMs.push(nowMs);
    }
    sentAtMs = wave.length > 0 ? nowMs + (networks[0]?.sentAfterMs ?? 0) : sentAtMs;
    for (const planned of wave) {
      for (const [i, { path }] of paths.entries()) {
        path.markSent(planned.flow, planned.ttl, { atMs: 0, source: null });
        const answer = answerAt(networks[i] ?? { end: () => 0 }, planned);
        if (answer !== null) {
          const take = () => path.record(planned.flow, planned.ttl, answer);
          underWay.push({ atMs: sentAtMs + answerMs, take });
        }
      }
    }
  };
  send(planner.begin(0), 0);
  for (let nowMs = 0, steps = 0; steps < stepsMax; nowMs += stepMs, steps++) {
    while ((underWay[0]?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      underWay.shift()?.take();
      planner.answered(nowMs);
    }
    const sight = {
      nowMs,
      isSettled: sentAtMs <= nowMs,
      isBacklogged: sentAtMs > nowMs,
      progressAtMs: 0,
      delayMs: 0,
    };
    send(planner.next(paths, sight), nowMs);
    if (planner.isDone(paths, sight)) {
      return { probes: waves.flat().length, waves, waveAtMs, elapsedMs: nowMs, paths };
    }
  }
  throw new Error("It does not end");
}

const ttlsOf = (wave: readonly PlannedProbe[] | undefined) => [...new Set(wave?.map(({ ttl }) => ttl))];

test("a near target gets each hop's probes, one beyond it for each flow at most, and the scouting ones", () => {
  const { probes, waves, elapsedMs } = played([{ end: () => 3 }]);
  expect(waves.map(ttlsOf)).toEqual([
    [1, 2, 3, 4, 5, 6, 7, 8],
    [1, 2, 3],
    [1, 2, 3],
  ]);
  expect(probes).toBe(3 * 3 * 8 + 8 + 4);
  expect(elapsedMs).toBe(2 * answerMs + 300);
});

test("the first flow scouts eight hops ahead, the others follow, and hops are probed again meanwhile", () => {
  const { probes, waves } = played([{ end: () => 15 }]);
  const farthest = (wave: readonly PlannedProbe[], flows: readonly number[]) =>
    Math.max(0, ...wave.filter(({ flow }) => flows.includes(flow)).map(({ ttl }) => ttl));
  expect(waves.map((wave) => [farthest(wave, [0]), farthest(wave, [1, 2, 3, 4, 5, 6, 7])])).toEqual([
    [8, 4],
    [16, 12],
    [8, 8],
    [0, 8],
    [15, 16],
    [15, 15],
    [0, 15],
  ]);
  expect(probes).toBe(15 * 24 + 8);
});

test("while agents still have much to send, a wave waits until the one before has left", () => {
  const { waveAtMs } = played([{ end: () => 3, sentAfterMs: 3000 }]);
  expect(waveAtMs).toEqual([0, 3800, 6800]);
});

test("silent hops on the way stop nothing, and get no more probes than show it until something answers beyond", () => {
  const { probes, paths } = played([{ end: () => 9, silent: [4, 5, 6, 7, 8] }]);
  expect(paths[0]?.path.ends()).toEqual(Array.from({ length: 8 }, () => 9));
  expect(probes).toBeLessThanOrEqual(9 * 24 + 3 * 8);
});

test("a silent hop on the way delays no wave: only its last probes are waited for", () => {
  const whole = played([{ end: () => 8 }]);
  const silent = played([{ end: () => 8, silent: [6] }]);
  expect(silent.waves.map(ttlsOf)).toEqual(whole.waves.map(ttlsOf));
  expect(silent.waveAtMs).toEqual(whole.waveAtMs);
});

test("a path that goes silent is given up, eight hops beyond the last answer", () => {
  const { waves, probes, elapsedMs } = played([{ end: () => 99, silent: range(3, 99) }]);
  expect(Math.max(...ttlsOf(waves.flat()))).toBe(10);
  expect(probes).toBe(2 * 24 + 8 * 8);
  expect(elapsedMs).toBeLessThan(15_000);
});

test("an agent that is late to send is waited for: no more probes than else, and the target is reached", () => {
  const prompt = played([{ end: () => 12 }]);
  const late = played([{ end: () => 12, sentAfterMs: 12_000 }]);
  expect(late.probes).toBe(prompt.probes);
  expect(late.paths[0]?.path.reached()).toBe(true);
});

test("an agent that never sends is given up", () => {
  const { elapsedMs } = played([{ end: () => 12, silent: range(1, 12), sentAfterMs: 10_000_000 }], {
    maxTtl: 4,
  });
  expect(elapsedMs).toBeLessThan(100_000);
});

test("without any answer it ends likewise", () => {
  const { waves, probes } = played([{ end: () => 99, silent: range(1, 99) }]);
  expect(Math.max(...ttlsOf(waves.flat()))).toBe(8);
  expect(probes).toBe(8 * 8);
});

test("with few flows a silent hop gets all its queries", () => {
  const { probes } = played([{ end: () => 99, silent: [2, 3] }], { flows: 1, queries: 2, maxTtl: 3 });
  expect(probes).toBe(6);
});

test("flows that end earlier get nothing beyond their end", () => {
  const { waves } = played([{ end: (flow) => (flow === 0 ? 5 : 7) }]);
  const beyond = waves.slice(2).flat();
  expect(beyond.filter(({ flow, ttl }) => flow === 0 && ttl > 5)).toEqual([]);
});

test("agents of different distance: all are finished, at the cost of the farthest", () => {
  const { probes, paths } = played([{ end: () => 3 }, { end: () => 10 }]);
  expect(paths.map(({ path }) => path.lastTtl())).toEqual([3, 10]);
  expect(probes).toBeLessThanOrEqual(10 * 24 + 2 * 8 + 4);
});

test("no hop beyond the last that is allowed", () => {
  const { waves } = played([{ end: () => 99 }], { maxTtl: 6 });
  expect(Math.max(...ttlsOf(waves.flat()))).toBe(6);
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
