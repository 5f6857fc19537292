/**
 * At the core, where the broker is:
 *
 *   bun broker-hand.ts topics SERVER                         makes the topics of probes and replies
 *   bun broker-hand.ts replies SERVER MEASUREMENT COUNT      prints a line for each reply, when there are so many
 */
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { decodeReply } from "../../../lib/net/wire/reply-codec.ts";
import { probesTopic, repliesTopic } from "../../../lib/net/wire/target-header.ts";

const waitMsMax = 30_000;
const [, , order = "", server = "", measurement = "", count = "0"] = process.argv;
await using broker = await openBroker(`kafka:${server}`);

async function makeTopics(): Promise<void> {
  for (const name of [probesTopic, repliesTopic]) {
    await broker.ensureTopic({ name, partitions: 1, retentionMs: 3_600_000 });
  }
}

async function printReplies(wanted: number): Promise<void> {
  await using subscription = await broker.subscribe(`lab-${crypto.randomUUID()}`, [repliesTopic]);
  const lines: string[] = [];
  const endMs = performance.now() + waitMsMax;
  while (lines.length < wanted && performance.now() < endMs) {
    for (const { value, headers } of await subscription.next({ recordsMax: 1000, waitMs: 100 })) {
      lines.push(
        ...(Object.values(headers).some((text) => text.includes(measurement)) ? linesOf(value) : []),
      );
    }
  }
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

function linesOf(value: Uint8Array): string[] {
  const lines: string[] = [];
  for (let at = 0; at < value.length; ) {
    const decoded = decodeReply(value, at);
    if (!decoded.ok) {
      throw new Error(`Cannot decode a reply: ${decoded.reason}`);
    }
    lines.push(
      JSON.stringify({ from: formatAddress(decoded.reply.replySrcAddr), ttl: decoded.reply.probeTtl }),
    );
    at = decoded.next;
  }
  return lines;
}

await (order === "topics" ? makeTopics() : printReplies(Number(count)));
