/** Pings and multipaths of warts against scamper's own readers: each field, by chance. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { multipathWriters, type ProgramWriter, pingWriters } from "../../../lib/measuring/formats/forms.ts";
import type { LinkProbe, MultipathFlows } from "../../../lib/measuring/formats/multipath.ts";
import type { Ping } from "../../../lib/measuring/formats/ping.ts";
import { isTcp, receivedUs, type TraceReply } from "../../../lib/measuring/formats/trace.ts";
import { wartsGraph } from "../../../lib/measuring/formats/warts-tracelb.ts";
import { inTier } from "../../run/tier.ts";
import { randomMultipath, randomPing } from "./random-pings.ts";
import { output } from "./scamper.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-warts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const numRuns = inTier({ usual: 300, long: 10_000 });
/** Each has up to four traces. */
const graphs = inTier({ usual: 1000, long: 4000 });

async function written(name: string, writer: ProgramWriter, rows: readonly object[]): Promise<string> {
  const file = join(folder, name);
  await Bun.write(file, Buffer.concat([...rows.map((row) => writer.row(row)), writer.end()]));
  return file;
}

interface ScamperPing {
  readonly type: string;
  readonly responses: readonly object[];
}

test("sc_warts2json reads pings, each field as it was; sc_warts2text and sc_wartsdump read them too", async () => {
  const pings = fc.sample(randomPing, { numRuns, seed: 7 });
  const file = await written("pings.warts", pingWriters.warts(), pings);
  const objects = (await output(["sc_warts2json", file])).trimEnd().split("\n");
  const read = objects.map((line) => JSON.parse(line) as ScamperPing).filter(({ type }) => type === "ping");
  expect(read).toHaveLength(numRuns);
  for (const [i, ping] of pings.entries()) {
    expect(read[i]).toMatchObject(expectedPing(ping));
    expect(read[i]?.responses).toHaveLength(ping.replies.length);
  }
  expect((await output(["sc_warts2text", file])).match(/^ping /gm)).toHaveLength(numRuns);
  expect((await output(["sc_wartsdump", file])).match(/^cycle stop/gm)).toHaveLength(3);
});

function expectedPing({ address, protocol, sent, ttl, replies, ...ping }: Ping) {
  const methods: Record<string, string> = { UDP: "udp", TCP: "tcp-syn" };
  return {
    ...{ method: methods[protocol] ?? "icmp-echo", dst: address, ping_sent: sent, ttl },
    ...(protocol.startsWith("ICMP") ? {} : { sport: ping.src_port, dport: ping.dst_port }),
    responses: replies
      .toSorted((a, b) => sentUs(a) - sentUs(b))
      .map((reply, seq) => ({
        ...{ from: reply.reply_src_addr, seq, reply_size: wholeSize(reply), reply_ttl: reply.reply_ttl },
        ...{ tx: timeOf(sentUs(reply)), rtt: reply.rtt_ms ?? 0 },
        ...(isTcp(reply)
          ? { tcp_flags: reply.reply_icmp_code }
          : { icmp_type: reply.reply_icmp_type, icmp_code: reply.reply_icmp_code }),
        ...(address.includes(":") ? {} : { reply_ipid: reply.reply_id }),
      })),
  };
}

test("sc_wartsdump reads multipaths: nodes, links, and each probe with its answer", async () => {
  const all = fc.sample(randomMultipath, { numRuns: graphs, seed: 8 });
  const file = await written("multipaths.warts", multipathWriters.warts(), all);
  const parts = (await output(["sc_wartsdump", file])).split(/^tracelb /m).slice(1);
  expect(parts).toHaveLength(graphs);
  for (const [i, multipath] of all.entries()) {
    const lines = (parts[i] ?? "")
      .replace(/\n\n[\s\S]*/, "")
      .trimEnd()
      .split("\n");
    expect(lines.slice(lines.findIndex((line) => line.startsWith("node 0")))).toEqual(
      expectedLines(multipath),
    );
  }
  const texts = await output(["sc_warts2text", file]);
  expect(texts.match(/^tracelb from/gm)).toHaveLength(graphs);
  expect((await output(["sc_warts2json", file])).match(/^\{"type":"tracelb"/gm)).toHaveLength(graphs);
});

/** As sc_wartsdump prints them. */
function expectedLines(multipath: MultipathFlows): string[] {
  const { nodes, links } = wartsGraph(multipath);
  const ports = multipath.flows.map(({ src_port: port }) => port);
  const nameOf = (node: number | null) => (node === null ? "*" : nodes[node]?.address);
  return nodes.flatMap(({ address }, i) => [
    `node ${i} ${address}`,
    ...links
      .filter(({ from }) => from === i)
      .flatMap(({ from, to, hops, sets }) => [
        ` link ${nameOf(from)} -> ${nameOf(to)} hopc ${hops}`,
        ...sets.flat().flatMap((probe) => probeLines(probe, 1 + ports.indexOf(probe.srcPort))),
      ]),
  ]);
}

function probeLines({ ttl, attempt, reply }: LinkProbe, flow: number): string[] {
  const sent = reply === null ? 0 : sentUs(reply);
  const head = `  probe flowid: ${flow}, ttl: ${ttl}, attempt: ${attempt}, tx: ${seconds(sent)}`;
  return reply === null ? [head] : [head, ...replyLines(reply)];
}

function replyLines(reply: TraceReply): string[] {
  const { reply_src_addr: from, reply_icmp_type: type, reply_icmp_code: code } = reply;
  const rtt = seconds(Math.round(1000 * (reply.rtt_ms ?? 0)));
  const id = from.includes(":") ? "" : `, ipid: 0x${reply.reply_id.toString(16).padStart(4, "0")}`;
  const head = `   reply from: ${from}, rtt: ${rtt}, ttl: ${reply.reply_ttl}${id}`;
  if (isTcp(reply)) {
    return [head, "     tcp flags 0x12 ( syn ack )"];
  }
  const ttl = type === 0 || type === 129 ? "" : `, q-ttl: ${reply.reply_quoted_ttl}`;
  // It shows a quoted TOS always.
  const tos = (reply.reply_quoted_traffic_class ?? 0).toString(16).padStart(2, "0");
  const quote = `, q-tos: 0x${tos}${ttl}`;
  return [head, `     icmp: ${type}/${code}${quote}`, ...labelLines(reply)];
}

function labelLines({ reply_mpls_labels: labels }: TraceReply): string[] {
  return labels.map(({ label, exp, bottom_of_stack: bottom, ttl }, i) => {
    const head = i === 0 ? "     icmp-ext mpls: label" : "            : label";
    return `${head} ${label} exp ${exp} s ${Number(bottom)} ttl ${ttl}`;
  });
}

function sentUs(reply: TraceReply): number {
  return receivedUs(reply) - Math.round(1000 * (reply.rtt_ms ?? 0));
}

function wholeSize({ reply_src_addr: from, reply_size: bytes }: TraceReply): number {
  return bytes + (from.includes(":") ? 40 : 0);
}

function timeOf(us: number) {
  return { sec: Math.floor(us / 1e6), usec: us % 1e6 };
}

function seconds(us: number): string {
  return `${Math.floor(us / 1e6)}.${String(us % 1e6).padStart(6, "0")}`;
}
