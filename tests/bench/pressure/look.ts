/**
 * Reads the metrics of the agent at its own address, inside its namespace, every 10 ms until it is killed; each time
 * it writes a line of JSON, an AgentSample.
 */
import type { AgentSample } from "./agent-watch.ts";

const lookEveryMs = 10;
const page = "http://127.0.0.1:8080/metrics";

for (;;) {
  const lines = (await (await fetch(page)).text()).split("\n");
  const sum = (name: string) =>
    lines
      .filter((line) => line.startsWith(`vantage_agent_${name}{`))
      .reduce((total, line) => total + Number(line.split(" ").at(-1)), 0);
  const sample: AgentSample = {
    atMs: performance.timeOrigin + performance.now(),
    sent: sum("sender_sent_total"),
    matched: sum("reply_matched_total"),
    published: sum("replies_published_total"),
    publishFailures: sum("publish_failures_total"),
    spoolBytes: sum("spool_bytes"),
    spoolFull: sum("spool_full_total"),
  };
  console.log(JSON.stringify(sample));
  await Bun.sleep(lookEveryMs);
}
