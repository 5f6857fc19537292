/**
 * A part of the units of a large discovery, round by round, in this process: `scale-worker.ts UNITS FROM TO FOLDER`.
 *
 * Between rounds nothing is kept but the file of replies to the units that go on. It prints what each round took, as
 * JSON, and at the end what the process had.
 */
import { renameSync } from "node:fs";
import { join } from "node:path";
import { strategies } from "../../../lib/measuring/discovery/strategies.ts";
import {
  type RoundProbe,
  type RoundReply,
  strategyOptions,
} from "../../../lib/measuring/discovery/strategy.ts";
import { LevelledInternet } from "../../discovery/simulator/levelled-internet.ts";
import { LinkRecord } from "../../discovery/simulator/link-record.ts";
import { threeLevels } from "../../discovery/simulator/networks.ts";
import { linkKey } from "../../discovery/simulator/topology.ts";
import { packReply, ReplyReader, ReplyWriter, unpackReply } from "./reply-file.ts";

const [units = 0, from = 0, to = 0] = process.argv.slice(2, 5).map(Number);
const folder = process.argv[5] ?? "";
const options = strategyOptions();
const strategy = strategies.shared;
/** Units whose probes are kept until they are answered together. */
const unitsAtOnce = 64;
/** Units whose links are compared with the drawing: one of so many. */
const sampleEvery = 16;
const plan = threeLevels(1, { units });
const transitNetworks = 500;
/** Routers have numbers of 31 bits. */
const net = new LevelledInternet({ ...plan, transit: { ...plan.transit, count: transitNetworks } }, 2 ** 31);
const each = net.subnetsEach;
const links = { found: 0, there: 0 };
/** The simulator's own time, which is not the strategy's. */
const answering = { ms: 0, cpuMs: 0 };

for (let round = 0; ; round++) {
  const done = roundOf(round);
  process.stdout.write(`${JSON.stringify(done)}\n`);
  if (done.probes === 0) {
    break;
  }
  renameSync(join(folder, `${from}.next`), join(folder, `${from}.replies`));
}
process.stdout.write(`${JSON.stringify({ peakKb: process.resourceUsage().maxRSS, ...links })}\n`);

interface Asked {
  readonly unit: number;
  readonly words: Uint32Array;
  readonly probes: readonly RoundProbe[];
}

function roundOf(round: number) {
  const startedAt = performance.now();
  const before = { ...answering, usedMs: cpuMs() };
  const asked: Asked[] = [];
  let [probes, open] = [0, 0];
  using writer = new ReplyWriter(join(folder, `${from}.next`));
  for (const [unit, words] of round === 0 ? fresh() : known()) {
    const subnets = Array.from({ length: each }, (_, i) => unit * each + i);
    const next = strategy.next(repliesOf(unit, words), { subnets, round }, options);
    if (next.length === 0) {
      compare(unit, words);
      continue;
    }
    asked.push({ unit, words, probes: next });
    probes += next.length;
    open++;
    if (asked.length === unitsAtOnce) {
      answer(asked.splice(0), writer);
    }
  }
  answer(asked, writer);
  const sec = (performance.now() - startedAt - (answering.ms - before.ms)) / 1000;
  const cpuSec = (cpuMs() - before.usedMs - (answering.cpuMs - before.cpuMs)) / 1000;
  return { round, probes, open, sec, cpuSec };
}

/** Several units at once, as the clock of the processor takes longer than a small unit. */
function answer(asked: readonly Asked[], writer: ReplyWriter): void {
  const [askedAt, askedAtCpuMs] = [performance.now(), cpuMs()];
  const answers = asked.map(({ unit, probes }) => {
    const words = new Uint32Array(2 * probes.length);
    let at = 0;
    for (const { subnet, flow, ttl } of probes) {
      words[at++] = packReply(subnet - unit * each, flow, ttl);
      words[at++] = net.nodeAt(subnet, flow, ttl, 0);
    }
    return words;
  });
  answering.ms += performance.now() - askedAt;
  answering.cpuMs += cpuMs() - askedAtCpuMs;
  for (const [i, { unit, words }] of asked.entries()) {
    writer.write(unit, words, answers[i] ?? new Uint32Array());
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function* fresh(): Generator<[unit: number, words: Uint32Array]> {
  for (let unit = from; unit < to; unit++) {
    yield [unit, new Uint32Array()];
  }
}

function* known(): Generator<[unit: number, words: Uint32Array]> {
  using reader = new ReplyReader(join(folder, `${from}.replies`));
  while (reader.next()) {
    yield [reader.unit, reader.replies];
  }
}

function repliesOf(unit: number, words: Uint32Array): RoundReply[] {
  return Array.from({ length: words.length / 2 }, (_, i) => {
    const { subnet, flow, ttl } = unpackReply(words[2 * i] ?? 0);
    return { subnet: unit * each + subnet, flow, ttl, node: words[2 * i + 1] || null };
  });
}

/** Links that lead to a router of the unit itself. */
function compare(unit: number, words: Uint32Array): void {
  if (unit % sampleEvery !== 0) {
    return;
  }
  // Numbers of their own, as a link of two numbers of 31 bits has more than a number holds.
  const numbers = new Map<number, number>();
  const numberOf = (node: number) => {
    const number = numbers.get(node) ?? numbers.size + 1;
    numbers.set(node, number);
    return number;
  };
  const there = new Set<number>();
  net.visitLinks(unit, (near, far) => {
    if (net.isOwn(far)) {
      there.add(linkKey(numberOf(near), numberOf(far)));
    }
  });
  const record = new LinkRecord();
  for (const { subnet, flow, ttl, node } of repliesOf(unit, words)) {
    if (node !== null) {
      record.add(subnet, flow, ttl, numberOf(node));
    }
  }
  links.there += there.size;
  links.found += [...record.links()].filter((link) => there.has(link)).length;
}
