/**
 * A whole agent with something behind it: `bun hear-agent.ts embedded|kafka|store REPLIES_PER_RECORD REPLIES`, inside
 * the receiver's namespace, where Kafka or the stack runs too.
 *
 * Says `ready`, then, when REPLIES have reached the broker, or rows of the store, or none has for two seconds, as
 * hear.ts does, and `cpuSec` and `peakMb` of the agent.
 */
import { startKafka } from "../../kafka/kafka.ts";
import { AgentRig } from "../../lab/agent-rig.ts";
import { run } from "../../lab/namespaces.ts";
import { metricSum } from "../metric-sum.ts";
import { benchSecret } from "../parse/replies-file.ts";
import { usageByName } from "../pipeline/process-usage.ts";
import { receiverInterface } from "../send/veth-link.ts";
import { StackRig } from "./stack-rig.ts";

const quietMs = 2000;
const patienceMs = 20_000;
const lookEveryMs = 20;
const agentPage = "http://127.0.0.1:8080/metrics";

const [engine = "", repliesPerRecord, count] = Bun.argv.slice(2);
const expected = Number(count);
await run(["ip", "link", "set", "lo", "up"]);
await using behind = await startBehind();
await using rig = await AgentRig.open(null, behind?.broker ?? null);
await rig.start("", "bench", {
  agent: { integrity_key: benchSecret },
  kafka: { replies_per_record: Number(repliesPerRecord), out_batch_wait_time: 200 },
  prober: [{ interface: receiverInterface, src_ipv4_prefix: "0.0.0.0/0", src_ipv6_prefix: "::/0" }],
});
console.log("ready");

const startedAtMs = performance.now();
let taken = 0;
let firstAtMs = 0;
let lastAtMs = startedAtMs;
while (taken < expected && performance.now() - lastAtMs < (taken === 0 ? patienceMs : quietMs)) {
  await Bun.sleep(lookEveryMs);
  // The clock starts with the first packet, not with the first batch that is safe with the broker.
  if (firstAtMs === 0 && (await metricSum(agentPage, "vantage_agent_capture_frames_total")) > 0) {
    firstAtMs = performance.now();
  }
  const total = await takenSoFar();
  if (total > taken) {
    lastAtMs = performance.now();
    taken = total;
  }
}
const usage = usageByName(process.pid, { "agent --config": "agent" }).get("agent");
const lost = await metricSum(agentPage, "vantage_agent_capture_dropped_total");
console.log(JSON.stringify({ replies: taken, lost, elapsedMs: lastAtMs - firstAtMs, ...usage }));

async function startBehind(): Promise<(AsyncDisposable & { readonly broker: string }) | null> {
  if (engine === "kafka") {
    const kafka = await startKafka();
    return Object.assign(kafka, { broker: `kafka:${kafka.server}` });
  }
  return engine === "store" ? StackRig.start() : null;
}

function takenSoFar(): Promise<number> {
  return behind instanceof StackRig
    ? behind.storedReplies()
    : metricSum(agentPage, "vantage_agent_replies_published_total");
}
