/** What an agent exports, and what its page says of it. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { metricMeanings } from "../../apps/probing/agent/observe/metric-meanings.ts";
import { metricName } from "../../apps/probing/agent/observe/metrics.ts";
import { metricsPage, metricsPagePath } from "../reference/agent-metrics-page.ts";
import { agentMetrics } from "./exported-metrics.ts";

test("every metric is explained, with its labels, and nothing else is", async () => {
  const exported = (await agentMetrics().getMetricsAsJSON()).map(({ name, help, type, values }) => {
    const labels = Object.keys(values[0]?.labels ?? {}).filter((label) => label !== "agent");
    return { name, help, type: String(type), labels: labels.sort() };
  });
  const explained = Object.entries(metricMeanings).map(([name, { help, isGauge, labels = [] }]) => {
    const type = isGauge ? "gauge" : "counter";
    return { name: metricName(name), help, type, labels: [...labels].sort() };
  });
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
  expect(exported.sort(byName)).toEqual(explained.sort(byName));
});

test("the page is what the table gives today", () => {
  expect(readFileSync(metricsPagePath, "utf8")).toBe(metricsPage());
});
