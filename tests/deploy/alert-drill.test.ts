/**
 * A drill: every service is in every trouble, a real Prometheus reads them by our rules, and each alert has to come out
 * of a real Alertmanager, at a webhook.
 *
 * Rules are used as they are, with their waits. Nobody waits a quarter of an hour here: Prometheus keeps in its own
 * series since when an alert holds, and goes on from there after a restart. So it runs once until all alerts hold, and
 * then again with a past in which each of them has held for two hours.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { until } from "../exchange/until.ts";
import { freePortsFor } from "../server/free-ports.ts";
import { Receiver } from "./drill/receiver.ts";
import { silentAgent, troubledServices } from "./drill/troubles.ts";
import { startAlertmanager, startPrometheus } from "./drill/watchers.ts";

const deploy = join(import.meta.dirname, "../../deploy");
const limitMs = 120_000;
const heldForSec = 7200;
/**
 * Between two looks at the rules in the second run: Prometheus begins to scrape after 5 s, and goes on with what held
 * before only for what holds at its second look.
 */
const goesOnSec = 10;

function shipped<T extends v.GenericSchema>(file: string, schema: T): v.InferOutput<T> {
  return v.parse(schema, Bun.YAML.parse(readFileSync(join(deploy, file), "utf8")));
}

const ruleFile = join(deploy, "prometheus/alerts.yaml");
const rules = shipped(
  "prometheus/alerts.yaml",
  v.object({ groups: v.array(v.object({ rules: v.array(v.object({ alert: v.string() })) })) }),
);
const names = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert)).sort();

/** As shipped, with other hosts, and a scrape each second. */
function prometheusConfig(
  targets: Readonly<Record<string, readonly string[]>>,
  evaluationSec: number,
): unknown {
  const config = shipped(
    "prometheus/prometheus.yaml",
    v.looseObject({ scrape_configs: v.array(v.looseObject({ job_name: v.string() })) }),
  );
  return {
    ...config,
    global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: `${evaluationSec}s` },
    rule_files: [ruleFile],
    alerting: { alertmanagers: [{ static_configs: [{ targets: targets.alertmanager }] }] },
    scrape_configs: config.scrape_configs.map((job) => ({
      ...job,
      static_configs: [{ targets: targets[job.job_name] ?? [] }],
    })),
  };
}

/** As shipped, to our webhook (Debian's Alertmanager cannot read its address from a file), and without its waits. */
function alertmanagerConfig(url: string): unknown {
  const text = readFileSync(join(deploy, "alertmanager/alertmanager.yaml"), "utf8")
    .replace(/url_file: .*/, `url: ${url}`)
    .replaceAll(/(group_wait|group_interval): \d+[sm]/g, "$1: 1s");
  return Bun.YAML.parse(text);
}

const alertsAnswer = v.object({
  data: v.object({ alerts: v.array(v.object({ labels: v.record(v.string(), v.string()) })) }),
});

/** Those that hold now, whether or not for long enough. */
async function holding(prometheus: string): Promise<Record<string, string>[]> {
  const answer = await fetch(`http://${prometheus}/api/v1/alerts`);
  return v.parse(alertsAnswer, await answer.json()).data.alerts.map(({ labels }) => labels);
}

/** In which each alert has held for two hours, until a moment ago. */
function pastOf(alerts: readonly Readonly<Record<string, string>>[]): string {
  const nowSec = Math.floor(Date.now() / 1000);
  const lines = alerts.map((labels) => {
    const inside = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    return `ALERTS_FOR_STATE{${inside}} ${nowSec - heldForSec} ${nowSec - 1}`;
  });
  return ["# TYPE ALERTS_FOR_STATE gauge", ...lines, "# EOF", ""].join("\n");
}

test("each alert is set off, and comes out at the webhook", async () => {
  await using owned = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "vantage-drill-"));
  owned.defer(() => rmSync(folder, { recursive: true }));
  const receiver = owned.use(new Receiver());
  const { prometheus, alertmanager, nobody } = freePortsFor("prometheus", "alertmanager", "nobody");
  const targets: Record<string, string[]> = {
    prometheus: [`127.0.0.1:${prometheus}`],
    alertmanager: [`127.0.0.1:${alertmanager}`],
  };
  for (const [job, page] of Object.entries(troubledServices(folder))) {
    const fetch = async () => new Response(await page(), { headers: { "content-type": "text/plain" } });
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
    owned.defer(() => server.stop(true));
    targets[job] = [`127.0.0.1:${server.port}`];
  }
  targets["vantage-agent"]?.push(`127.0.0.1:${nobody}`);
  owned.use(await startAlertmanager(alertmanager, alertmanagerConfig(receiver.url)));

  let held: Record<string, string>[] = [];
  {
    const config = prometheusConfig(targets, 1);
    await using _first = await startPrometheus({ port: prometheus, config, past: null });
    await allOf("hold", async () => {
      held = await holding(`127.0.0.1:${prometheus}`);
      return held.map(({ alertname = "" }) => alertname);
    });
  }
  const config = prometheusConfig(targets, goesOnSec);
  await using _second = await startPrometheus({ port: prometheus, config, past: pastOf(held) });
  await allOf("have been delivered", async () => receiver.names());
  for (const { labels, annotations } of receiver.delivered) {
    // A label that is not there leaves a hole.
    expect([labels.alertname, annotations.summary]).not.toEqual([
      labels.alertname,
      expect.stringMatching(/<no value>| {2}|^ | $|\{\{/),
    ]);
    expect(annotations.runbook).toBe(`docs/operate/runbook/${labels.alertname}.md`);
  }
  await expectInhibited(`http://127.0.0.1:${alertmanager}`);
});

/** Resolves when every alert is among them; else says which are not. */
async function allOf(what: string, found: () => Promise<readonly string[]>): Promise<void> {
  let missing = names;
  try {
    await until(
      what,
      async () => {
        const now = new Set(await found());
        missing = names.filter((name) => !now.has(name));
        return missing.length === 0;
      },
      limitMs / 2,
    );
  } catch (cause) {
    throw new Error(`These alerts never ${what}: ${missing.join(", ")}`, { cause });
  }
}

/** Another trouble of an agent that is down is kept, and not sent. */
async function expectInhibited(alertmanager: string): Promise<void> {
  const labels = { alertname: "VantageClockStepped", severity: "warning", agent: silentAgent };
  await fetch(`${alertmanager}/api/v2/alerts`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify([{ labels }]),
  });
  const kept = v.array(v.object({ status: v.object({ inhibitedBy: v.array(v.string()) }) }));
  const filter = encodeURIComponent(`agent="${silentAgent}"`);
  await until("the other trouble is inhibited", async () => {
    const answer = await fetch(
      `${alertmanager}/api/v2/alerts?filter=${filter}&filter=severity%3D%22warning%22`,
    );
    return v.parse(kept, await answer.json()).some(({ status }) => status.inhibitedBy.length > 0);
  });
}
