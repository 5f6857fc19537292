/** Whose replies are, as the column store tells it, beside the rule of docs/internals/store.md in plain TypeScript. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type ReplyRow, repliesView } from "../../../lib/answers/results/views/replies.ts";
import type { Sending } from "../../../lib/engines/store/clickhouse/attribution.ts";
import { unattributedOf } from "../../../lib/engines/store/clickhouse/reply-source.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { type ProbeGiven, type ReplyGiven, StoreProcess } from "../client/store-with-paths.ts";
import { viewRows } from "./view-rows.ts";

const runs = 6;
const startMs = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
const ids = [1, 2, 3].map((digit) => `${String(digit).repeat(8)}-1111-4111-8111-111111111111`);
const sources = ["192.0.2.1", "192.0.2.2"];
const agents = ["west", "east"];
/** Seconds in steps of a half: submissions at whole steps, answers 100 ms behind one, so that no bound is met. */
const stepMs = 500;

interface Submission {
  readonly measurement: number;
  readonly step: number;
  readonly port: number;
  readonly agent: string;
  /** Undefined: left to the agent. */
  readonly source: string | undefined;
}

interface OracleAnswer {
  readonly step: number;
  readonly port: number;
  readonly heardBy: string;
  /** Empty: nobody knows. */
  readonly sender: string;
  readonly source: string;
  /** Undefined: not known. */
  readonly rttSteps: number | undefined;
}

const step = fc.integer({ min: 0, max: 60 });
const port = fc.integer({ min: 1, max: 3 });
const submission = fc.record<Submission>({
  measurement: fc.integer({ min: 0, max: 2 }),
  step,
  port,
  agent: fc.constantFrom(...agents),
  source: fc.constantFrom(undefined, ...sources),
});
const answer = fc.record<OracleAnswer>({
  step,
  port,
  heardBy: fc.constantFrom(...agents),
  sender: fc.constantFrom("", "", ...agents),
  source: fc.constantFrom(...sources),
  rttSteps: fc.constantFrom(undefined, 0, 1, 6),
});
/** After the last submission; null = still sending. */
const end = fc.constantFrom(null, 0, 1, 8);
const scene = fc.record({
  submissions: fc.array(submission, { minLength: 1, maxLength: 16 }),
  answers: fc.array(answer, { minLength: 40, maxLength: 200 }),
  ends: fc.tuple(end, end, end),
});

let process: StoreProcess;
beforeAll(async () => {
  process = await StoreProcess.start();
});
afterAll(() => process[Symbol.asyncDispose]());

function sendings(submissions: readonly Submission[], ends: readonly (number | null)[]): Sending[] {
  return ids.map((id, i) => {
    const last = Math.max(0, ...submissions.filter((one) => one.measurement === i).map((one) => one.step));
    const endSteps = ends[i] ?? null;
    const endMs = endSteps === null ? null : startMs + (last + endSteps) * stepMs;
    return { id, endMs, answersUntilMs: (endMs ?? startMs + 60_000) + 5000 };
  });
}

/** Numbers of the measurements that an answer can be of, and of those that submitted its probe at all. */
function judge(one: OracleAnswer, submissions: readonly Submission[], all: readonly Sending[]) {
  const receivedMs = startMs + one.step * stepMs + 100;
  const leftMs = receivedMs - (one.rttSteps ?? 0) * stepMs;
  const leftFromMs = one.rttSteps === undefined ? leftMs - 7000 : leftMs;
  const same = submissions.filter(
    (probe) =>
      probe.port === one.port &&
      (probe.source === undefined
        ? probe.agent === (one.sender || one.heardBy)
        : probe.source === one.source && (one.sender === "" || one.sender === probe.agent)),
  );
  const begun = same.filter((probe) => startMs + probe.step * stepMs <= leftMs + 1000);
  const sendingOf = ({ measurement }: Submission) => all[measurement];
  const fitting = begun.filter((probe) => leftFromMs <= (sendingOf(probe)?.endMs ?? Infinity) + 1000);
  const waiting = begun.filter((probe) => receivedMs <= (sendingOf(probe)?.answersUntilMs ?? 0));
  const numbers = (probes: readonly Submission[]) => new Set(probes.map(({ measurement }) => measurement));
  return {
    owners: numbers(fitting.length > 0 ? fitting : waiting),
    same: numbers(same),
    isEarly: begun.length === 0,
  };
}

async function fill(submissions: readonly Submission[], answers: readonly OracleAnswer[]): Promise<void> {
  for (const table of ["probes", "replies"]) {
    await process.store.client.command({ query: `TRUNCATE TABLE measure.${table}` });
  }
  await process.insertProbes(
    submissions.map((one, index): ProbeGiven => {
      const given = { measurement: ids[one.measurement] ?? "", agent: one.agent, index };
      const place = {
        destination: "203.0.113.9",
        srcPort: one.port,
        ttl: 5,
        timeMs: startMs + one.step * stepMs,
      };
      return { ...given, ...place, ...(one.source === undefined ? {} : { source: one.source }) };
    }),
  );
  await process.insertReplies(
    answers.map((one, i): ReplyGiven => {
      const rttTenthMs = one.rttSteps === undefined ? 65_535 : one.rttSteps * stepMs * 10;
      const place = { destination: "203.0.113.9", srcPort: one.port, ttl: 5, from: `198.51.100.${i}` };
      const who = { measurement: "", agent: one.heardBy, sender: one.sender && `${one.sender}/1` };
      return { ...who, ...place, source: one.source, rttTenthMs, timeMs: startMs + one.step * stepMs + 100 };
    }),
  );
}

test("each answer is its one measurement's, or ambiguous for each that it may be of, or early", async () => {
  await fc.assert(
    fc.asyncProperty(scene, async ({ submissions, answers, ends }) => {
      const all = sendings(submissions, ends);
      const judged = answers.map((one) => judge(one, submissions, all));
      await fill(submissions, answers);
      for (const [number, own] of all.entries()) {
        const attribution = {
          ...{ fromMs: startMs - 60_000, untilMs: startMs + 600_000, isCrowded: false },
          ...{ sources: sources.map(address), agents, own, rivals: all.filter((other) => other !== own) },
        };
        const filter = { measurementId: own.id, attribution };
        const found = await viewRows<ReplyRow>(process.store, repliesView, filter);
        const mine = judged.flatMap(({ owners }, i) => (owners.size === 1 && owners.has(number) ? [i] : []));
        expect(found.map((reply) => Number(reply.reply_src_addr.split(".")[3])).toSorted()).toEqual(
          mine.toSorted(),
        );
        expect(await unattributedOf(process.store, filter)).toEqual({
          ambiguous: judged.filter(({ owners }) => owners.size > 1 && owners.has(number)).length,
          early: judged.filter(({ same, isEarly }) => isEarly && same.has(number)).length,
        });
      }
    }),
    { numRuns: runs, endOnFailure: true },
  );
});
