import { expect, test } from "bun:test";
import type { ProbeAnswer } from "../../../../lib/measuring/paths/path.ts";
import { address } from "../../../../lib/net/ip/address.ts";
import { backlogProbesMin } from "../limits.ts";
import { AgentProgress } from "./agent-progress.ts";
import type { PlannedProbe } from "./probe-plan.ts";
import { RemotePath } from "./remote-path.ts";
import { TraceSchedule } from "./trace-schedule.ts";

const shape = {
  srcPort: 24_000,
  dstPort: 33_434,
  firstTtl: 1,
  maxTtl: 8,
  queries: 1,
  flows: 1,
  waitMs: 2000,
};
const lookMs = 100;
const targetAddress = (number: number) => address(`198.18.${number >> 8}.${number & 255}`);

/** Agents and a gateway, played: everything that is requested is sent, and reported, when a test says so. */
class Stage {
  readonly submitted;
  readonly progress = new AgentProgress();
  readonly plan: PlannedProbe[] = [];
  readonly schedule: TraceSchedule;
  isReading = true;
  nowMs = 0;
  readonly #paths: readonly (readonly RemotePath[])[];

  constructor(agents: readonly string[], targetsCount: number) {
    const targets = Array.from({ length: targetsCount }, (_, number) => ({
      ...{ name: `${number}`, address: targetAddress(number), protocol: "udp" as const },
    }));
    this.submitted = {
      ...{ id: "", probes: 0, rejected: [], selections: [] },
      agents: agents.map((id) => ({ id, ip_address: null })),
    };
    this.#paths = targets.map((target) =>
      agents.map((agent) => new RemotePath({ agent, target, flows: shape.flows, requestedSource: null })),
    );
    this.schedule = new TraceSchedule(targets, shape, 0);
    this.plan.push(...this.schedule.begin());
  }

  get requested(): number {
    return this.plan.length;
  }

  pathsTo(number: number): readonly RemotePath[] {
    return this.#paths[number] ?? [];
  }

  /** All that was requested is reported as sent by these agents. */
  send(...agents: readonly string[]): void {
    for (const agent of agents) {
      const from = this.progress.noteSent(agent, this.plan.length);
      for (const { target, flow, ttl } of this.plan.slice(from)) {
        this.#pathOf(agent, target)?.markSent({ flow, ttl }, this.nowMs);
      }
    }
  }

  /** An answer of the target, or of a router before it. */
  answer(agent: string, target: number, ttl: number, isTarget: boolean): void {
    const answer: ProbeAnswer = {
      ...{ from: isTarget ? targetAddress(target) : address(`198.51.100.${ttl}`), rttMs: 1, labels: [] },
      kind: isTarget ? { kind: "unreachable", family: 4, code: 3 } : { kind: "ttl_exceeded" },
    };
    this.progress.noteRead(agent);
    this.#pathOf(agent, target)?.path.record(0, ttl, answer);
    this.schedule.answered(target);
  }

  /** Looks as often as a client does for so long; the paths that ended. */
  pass(ms: number, everyMs = lookMs) {
    const ended = [];
    for (const untilMs = this.nowMs + ms; this.nowMs < untilMs; ) {
      this.nowMs += everyMs;
      this.plan.push(...this.schedule.next(this, this.nowMs));
      ended.push(...this.schedule.ended(this, this.nowMs));
    }
    return ended.map(({ remote, isWhole }) => [remote.agent, remote.target.name, isWhole]);
  }

  end(agent: string): void {
    const part = {
      ...{ agent_id: agent, expected_probes: 0, sent_probes: 0, is_complete: false, cancelled: true },
      ...{ status: "cancelled", received_replies: 0, failed_probes: 0, held_probes: 0 },
      held_by_host: null,
      ...{ error: null, updated_at: null },
    };
    this.progress.status = {
      ...{ total_agents: 1, completed_agents: 0, total_expected_probes: 0, total_sent_probes: 0 },
      ...{ measurement_complete: false, measurement_cancelled: false, finished_early: false },
      ...{ measurement_id: "", started_at: null, last_updated: null },
      ...{ title: null, name: null, tags: [], note: null, origin: null, folded_runs: null },
      agents: [...(this.progress.status?.agents ?? []), part],
    };
  }

  #pathOf(agent: string, target: number): RemotePath | undefined {
    return this.pathsTo(target).find((path) => path.agent === agent);
  }
}

test("each target is done by itself, when its own probes are answered", () => {
  const stage = new Stage(["west", "east"], 2);
  stage.send("west", "east");
  for (const agent of ["west", "east"]) {
    stage.answer(agent, 1, 1, false);
    stage.answer(agent, 1, 2, true);
  }
  expect(stage.pass(1000)).toEqual([
    ["west", "1", true],
    ["east", "1", true],
  ]);
  expect(stage.schedule.remaining).toBe(1);
});

test("silence does not count while the stream is interrupted, or the process stood still", () => {
  const stage = new Stage(["west"], 1);
  stage.send("west");
  stage.isReading = false;
  expect(stage.pass(600_000)).toEqual([]);
  stage.isReading = true;
  expect(stage.pass(600_000, 600_000)).toEqual([]);
  expect(stage.plan).toHaveLength(shape.maxTtl);
});

test("while answers of others take long to arrive, missing ones are waited for longer, up to a limit", () => {
  const silentMs = (delayMs: number) => {
    const stage = new Stage(["west"], 1);
    stage.progress.noteReport("west", 1, -delayMs);
    stage.progress.noteDelay("west", 0, 0);
    stage.send("west");
    let passedMs = 0;
    while (stage.schedule.remaining > 0) {
      stage.pass(lookMs);
      stage.send("west");
      passedMs += lookMs;
    }
    return passedMs;
  };
  expect(silentMs(5000)).toBeGreaterThan(silentMs(0) + 5000);
  expect(silentMs(60_000)).toBeLessThan(silentMs(0) + 20_000);
});

test("where one agent's part ends, its path is not whole, and the others' are", () => {
  const stage = new Stage(["west", "east"], 1);
  stage.send("west", "east");
  stage.answer("west", 0, 1, true);
  stage.answer("east", 0, 1, false);
  stage.end("east");
  expect(stage.pass(1000)).toEqual([
    ["west", "0", true],
    ["east", "0", false],
  ]);
});

test("when all parts have ended, nothing is done before it is known that no answers can arrive", () => {
  const stage = new Stage(["west"], 1);
  stage.send("west");
  stage.end("west");
  expect(stage.pass(60_000)).toEqual([]);
  expect(stage.schedule.rest(stage).map(({ isWhole }) => isWhole)).toEqual([false]);
});

test("every target gets a probe at the start, and the first ones all of theirs; the others follow", () => {
  const count = backlogProbesMin;
  const stage = new Stage(["west"], count);
  expect(new Set(stage.plan.map(({ target }) => target)).size).toBe(count);
  expect(stage.plan.length).toBeLessThan(2 * count);
  stage.send("west");
  stage.pass(lookMs);
  expect(stage.plan.length).toBeGreaterThan(2 * count);
  const perCell = Map.groupBy(stage.plan, ({ target, ttl }) => `${target} ${ttl}`);
  expect(Math.max(...[...perCell.values()].map((probes) => probes.length))).toBe(1);
});
