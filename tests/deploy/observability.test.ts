/** Alerts and dashboards: promtool takes them, they name what is exported, and each alert fires when it should. */
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import * as v from "valibot";
import { guestAccount, rowsAccount } from "../../lib/engines/store/clickhouse/door.ts";
import { exportedMetrics } from "./exported-metrics.ts";

const root = join(import.meta.dirname, "../..");
const deploy = join(root, "deploy");

function promtool(...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["promtool", ...args]);
  return exitCode === 0 ? "" : `${stdout}${stderr}`;
}

const rule = v.object({
  alert: v.string(),
  expr: v.string(),
  labels: v.object({ severity: v.picklist(["warning", "critical"]) }),
  annotations: v.object({ summary: v.string(), runbook: v.string() }),
});
const rules = v
  .parse(
    v.object({ groups: v.array(v.object({ rules: v.array(rule) })) }),
    Bun.YAML.parse(readFileSync(join(deploy, "prometheus/alerts.yaml"), "utf8")),
  )
  .groups.flatMap((group) => group.rules);

const dashboard = v.object({
  uid: v.string(),
  panels: v.array(
    v.object({
      id: v.number(),
      title: v.string(),
      // PromQL, or SQL: results-dashboard.test.ts.
      targets: v.array(v.object({ expr: v.optional(v.string()), rawSql: v.optional(v.string()) })),
    }),
  ),
});
const dashboards = readdirSync(join(deploy, "grafana"))
  .filter((file) => file.endsWith(".json"))
  .map((file) => ({ file, text: readFileSync(join(deploy, "grafana", file), "utf8") }))
  .map(({ file, text }) => ({ file, ...v.parse(dashboard, JSON.parse(text)) }));

const queries = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboards.flatMap(({ file, panels }) =>
    panels.flatMap(({ title, targets }) =>
      targets.flatMap(({ expr }) => (expr === undefined ? [] : [[`${file}: ${title}`, expr] as const])),
    ),
  ),
];

test("the dashboards are those of the five services, of the results, and of a user's campaigns", () => {
  const services = [
    "agents",
    "campaigns",
    "exchange",
    "peering-gateway",
    "probing-gateway",
    "results",
    "stack",
  ];
  expect(dashboards.map(({ uid }) => uid).sort()).toEqual(services.map((name) => `vantage-${name}`));
  expect(dashboards.map(({ file }) => file)).toEqual(dashboards.map(({ uid }) => `${uid}.json`));
});

test("every metric that an alert or a dashboard names is exported", async () => {
  const exported = await exportedMetrics();
  const named = queries.flatMap(([where, expr]) =>
    (expr.match(/\bvantage_\w+/g) ?? []).map((name) => ({ where, name })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !exported.has(name))).toEqual([]);
});

test("every metric that a page of docs names is exported", async () => {
  const exported = await exportedMetrics();
  const whole = [...exported].map((name) => name.replace(/_(bucket|sum|count)$/, ""));
  // Accounts at the store are named alike.
  const known = new Set([...exported, ...whole, guestAccount, rowsAccount]);
  const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
  const named = pages
    .filter((page) => page.endsWith(".md"))
    .flatMap((page) =>
      (readFileSync(join(root, "docs", page), "utf8").match(/`vantage_\w*[a-z](?!\w)/g) ?? []).map(
        (name) => ({
          page,
          name: name.slice(1),
        }),
      ),
    );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
});

test("the rules and the configuration are those of Prometheus", () => {
  expect(promtool("check", "rules", join(deploy, "prometheus/alerts.yaml"))).toBe("");
  expect(promtool("check", "config", "--syntax-only", join(deploy, "prometheus/prometheus.yaml"))).toBe("");
});

test("every query of a dashboard is PromQL", async () => {
  // Variables of Grafana stand for values; as rules, promtool reads the queries.
  const groups = queries.map(([, expr], i) => ({
    name: `query-${i}`,
    rules: [{ record: "dashboard:query", expr: expr.replaceAll(/\[\$__\w+\]/g, "[5m]") }],
  }));
  const folder = mkdtempSync(join(tmpdir(), "vantage-queries-"));
  try {
    await Bun.write(join(folder, "queries.json"), JSON.stringify({ groups }));
    expect(promtool("check", "rules", "--lint=none", join(folder, "queries.json"))).toBe("");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("each alert fires on what it is for, and only then", () => {
  const file = join(import.meta.dirname, "alerts-fire.yaml");
  expect(promtool("test", "rules", file)).toBe("");
  const text = readFileSync(file, "utf8");
  expect(rules.filter(({ alert }) => !text.includes(`alertname="${alert}"`))).toEqual([]);
});

test("each alert has its runbook page, and each page its alert", () => {
  const pages = readdirSync(join(root, "docs/operate/runbook")).map((file) => basename(file, ".md"));
  expect(pages.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  for (const { alert, labels, annotations } of rules) {
    const page = readFileSync(join(root, annotations.runbook), "utf8");
    expect(page).toStartWith(`# ${alert}\n`);
    expect(page).toContain(`Severity: ${labels.severity}.`);
    expect(page).toMatch(/## Check\n\n- .+## Fix\n\n- /s);
  }
});
