/**
 * A whole agent with a broker behind it: `bun hear-agent.ts embedded|kafka REPLIES_PER_RECORD REPLIES`, inside the
 * receiver's namespace, where Kafka runs too.
 *
 * Says `ready`, then, when REPLIES are published or nothing has been for two seconds, as hear.ts does, and
 * `cpuSec` and `peakMb` of the agent.
 */
import { startKafka } from "../../kafka/kafka.ts";
import { AgentRig } from "../../lab/agent-rig.ts";
import { run } from "../../lab/namespaces.ts";
import { benchSecret } from "../parse/replies-file.ts";
import { usageByName } from "../pipeline/process-usage.ts";
import { receiverInterface } from "../send/veth-link.ts";

const quietMs = 2000;
const patienceMs = 20_000;
const lookEveryMs = 20;
const port = 8080;

const [engine, repliesPerRecord, count] = Bun.argv.slice(2);
const expected = Number(count);
await run(["ip", "link", "set", "lo", "up"]);
await using kafka = engine === "kafka" ? await startKafka() : null;
await using rig = await AgentRig.open(null, kafka === null ? null : `kafka:${kafka.server}`);
await rig.start("", "bench", {
  agent: { integrity_key: benchSecret },
  kafka: { replies_per_record: Number(repliesPerRecord), out_batch_wait_time: 200 },
  prober: [{ interface: receiverInterface, src_ipv4_prefix: "0.0.0.0/0", src_ipv6_prefix: "::/0" }],
});
console.log("ready");

const startedAtMs = performance.now();
let published = 0;
let firstAtMs = 0;
let lastAtMs = startedAtMs;
while (published < expected && performance.now() - lastAtMs < (published === 0 ? patienceMs : quietMs)) {
  await Bun.sleep(lookEveryMs);
  const page = await metrics();
  // The clock starts with the first packet, not with the first batch that is safe with the broker.
  if (firstAtMs === 0 && metricOf(page, "capture_frames_total") > 0) {
    firstAtMs = performance.now();
  }
  const total = metricOf(page, "replies_published_total");
  if (total > published) {
    lastAtMs = performance.now();
    published = total;
  }
}
const usage = usageByName(process.pid, { "agent --config": "agent" }).get("agent");
const lost = metricOf(await metrics(), "capture_dropped_total");
console.log(JSON.stringify({ replies: published, lost, elapsedMs: lastAtMs - firstAtMs, ...usage }));

async function metrics(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** The sum over all labels. */
function metricOf(page: string, name: string): number {
  const values = page.matchAll(new RegExp(`^vantage_agent_${name}(?:\\{[^}]*\\})? (\\S+)$`, "gm"));
  return [...values].reduce((sum, [, value]) => sum + Number(value), 0);
}
