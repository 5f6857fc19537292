/** Writes docs/reference/agent-metrics.md: `npm run generate`. A test holds the page to what is exported. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { metricMeanings } from "../../apps/probing/agent/observe/metric-meanings.ts";
import { metricName } from "../../apps/probing/agent/observe/metrics.ts";

export const metricsPagePath = join(import.meta.dirname, "../../docs/reference/agent-metrics.md");

const head = `# Metrics of an agent

Made from \`apps/probing/agent/observe/metric-meanings.ts\` by \`npm run generate\`; do not edit.

\`/metrics\` on \`agent.metrics_address\` (port 8080) is for Prometheus; \`/health\` beside it says in words how the
agent is. Names are stable. Every metric has the label \`agent\`. Those that end in \`_total\` only grow, from 0 at the
start: \`rate(vantage_agent_sender_sent_total[1m])\` is packets a second. Those of the gateway are there with a
\`gateway\` in the configuration only. What to watch: [observability.md](../operate/observability.md).
`;

export function metricsPage(): string {
  const rows = Object.entries(metricMeanings).map(([name, { help, labels = [] }]) => {
    return `| \`${metricName(name)}\` | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help} |`;
  });
  return `${head}\n| metric | labels | counts |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
}

if (import.meta.main) {
  writeFileSync(metricsPagePath, metricsPage());
}
