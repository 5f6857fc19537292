/** Messages about alerts in the bodies that other services read; Alertmanager itself judges its own. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import * as v from "valibot";
import { bodyBy, bodyIn } from "../../../apps/probing/campaigns/delivery/bodies.ts";
import { postWebhook } from "../../../apps/probing/campaigns/delivery/webhook.ts";
import { alertsSchema, shownAlerts } from "../../../apps/probing/campaigns/notice/alerts-definition.ts";
import { alertFormats } from "../../../lib/base/api/alerts.ts";
import { startAlertmanager } from "../../deploy/drill/watchers.ts";
import { until } from "../../run/until.ts";
import { freePortsFor } from "../../server/free-ports.ts";

const raised = {
  ...{
    id: "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55",
    kind: "raised",
    alert_id: "11111111-1111-4111-8111-111111111111",
  },
  ...{ campaign_id: "22222222-2222-4222-8222-222222222222", campaign: "path <!channel> & co\u202e", run: 41 },
  ...{ planned_at: "2026-11-22T12:00:00.000Z", detector: "loss", agent: "west", destination: "192.0.2.1" },
  ...{ value: 0.3, threshold: 0.1, reason: "12 of 40 probes lost" },
};
const cleared = {
  ...raised,
  kind: "cleared",
  planned_at: "2026-11-22T13:00:00.000Z",
  reason: "0 of 40 probes lost",
};
const digest = {
  ...{ id: raised.id, kind: "digest", campaign_id: raised.campaign_id, campaign: "watch", run: 42 },
  ...{ planned_at: raised.planned_at, raised: 100, cleared: 3, omitted: 3 },
  alerts: Array.from({ length: 100 }, (_, i) => ({
    ...raised,
    alert_id: `alert-${i}`,
    reason: "x".repeat(300),
  })),
};
const read = (format: (typeof alertFormats)[number], said: object) =>
  JSON.parse(bodyIn(format, said, "the key of it"));

const { port } = freePortsFor("port");
let alertmanager: AsyncDisposable;
beforeAll(async () => {
  alertmanager = await startAlertmanager(port, {
    route: { receiver: "none" },
    receivers: [{ name: "none" }],
  });
});
afterAll(() => alertmanager?.[Symbol.asyncDispose]());

const head = "loss raised: from west to 192.0.2.1\n12 of 40 probes lost";

test("chats get a text, in which nothing calls everybody or turns the line around", () => {
  const text = `path <!channel> & co\\u202e: loss raised (run 41)\n${head}`;
  expect(read("mattermost", raised)).toEqual({ text });
  expect(read("matrix", raised)).toEqual({ text });
  const slack = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  expect(read("slack", raised)).toEqual({ text: slack });
  expect(read("discord", raised)).toEqual({ content: text, allowed_mentions: { parse: [] } });
});

test("a digest is as long as each takes, and says what it leaves out", () => {
  expect(read("discord", digest).content).toHaveLength(2000);
  expect(read("slack", digest).text.length).toBeLessThanOrEqual(16_000);
  expect(read("slack", { ...digest, alerts: digest.alerts.slice(0, 2) }).text).toEndWith(
    "and 3 more: vantage alerts",
  );
});

test("PagerDuty gets a trigger and, with the same key, what resolves it", () => {
  expect(read("pagerduty", raised)).toMatchObject({
    ...{ routing_key: "the key of it", event_action: "trigger", dedup_key: raised.alert_id },
    payload: {
      ...{ source: "west", severity: "warning", timestamp: raised.planned_at, class: "loss" },
      summary: "path <!channel> & co\\u202e: loss raised: from west to 192.0.2.1; 12 of 40 probes lost",
      group: "path <!channel> & co\\u202e",
      custom_details: { campaign: "path <!channel> & co\\u202e", value: 0.3 },
    },
  });
  expect(read("pagerduty", cleared)).toMatchObject({ event_action: "resolve", dedup_key: raised.alert_id });
  expect(read("pagerduty", digest)).toMatchObject({ event_action: "trigger", dedup_key: digest.id });
});

interface Shown {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

test("Alertmanager takes what is raised, all of a digest, and ends what is cleared", async () => {
  const url = `http://127.0.0.1:${port}/api/v2/alerts`;
  const post = (said: object) =>
    postWebhook({
      id: raised.id,
      url,
      secret: null,
      body: bodyIn("alertmanager", said, ""),
      allowedHosts: ["127.0.0.1"],
    });
  const shown = async () => (await (await fetch(url)).json()) as Shown[];
  const now = new Date().toISOString();
  expect(await post({ ...raised, planned_at: now })).toMatchObject({ kind: "delivered" });
  await until(async () => (await shown()).length === 1);
  expect((await shown())[0]).toMatchObject({
    labels: { alertname: "vantage_loss", agent: "west", destination: "192.0.2.1", alert_id: raised.alert_id },
    annotations: {
      summary: "loss raised: from west to 192.0.2.1",
      description: "12 of 40 probes lost",
      value: "0.3",
    },
  });
  expect(await post({ ...digest, alerts: digest.alerts.slice(0, 7), planned_at: now })).toMatchObject({
    kind: "delivered",
  });
  await until(async () => (await shown()).length === 8);
  expect(await post({ ...cleared, planned_at: new Date().toISOString() })).toMatchObject({
    kind: "delivered",
  });
  await until(async () => (await shown()).length === 7);
});

test("a format needs no secret but for PagerDuty, and what is shown has it, without the path", () => {
  const webhook = "https://hooks.example.net/services/hidden";
  const secret = "16 characters, or more";
  const fault = (given: object) =>
    v.safeParse(alertsSchema, { deliveries: [given] }).issues?.[0]?.message ?? null;
  expect(fault({ webhook, format: "slack" })).toBeNull();
  expect(fault({ webhook, format: "pagerduty", secret })).toBeNull();
  expect(fault({ webhook, format: "pagerduty" })).toContain("PagerDuty's integration key");
  expect(fault({ webhook })).toContain("needs a secret");
  expect(fault({ webhook, format: "irc" })).toContain("webhook and format");
  const alerts = v.parse(alertsSchema, { deliveries: [{ webhook, format: "discord" }] });
  expect(shownAlerts(alerts).deliveries).toEqual([
    { webhook: "https://hooks.example.net/…", format: "discord" },
  ]);
});

test("a template is JSON whose strings name members of the message", () => {
  const webhook = "https://hooks.example.net/services/hidden";
  const fault = (template: string, more: object = {}) =>
    v.safeParse(alertsSchema, { deliveries: [{ webhook, template, ...more }] }).issues?.[0]?.message ?? null;
  expect(fault('{"title": "{{subject}}", "body": ["{{text}}"]}')).toBeNull();
  expect(fault('{"title": "{{constructor}}"}')).toContain("may name only {{id}}");
  expect(fault('{"run": {{run}}, }')).toContain("must be JSON");
  expect(fault("x".repeat(4001))).toContain("at most 4000");
  expect(fault('{"text": "{{text}}"}', { format: "slack" })).toContain('either "format" or "template"');
  const given =
    '{"title":"{{subject}}","to":"{{destination}}","run":"{{run}}","why":"{{reason}}","body":"{{text}}"}';
  const reason = 'a "quoted" \\ line\n{{agent}}\u202e';
  const body = JSON.parse(bodyBy(given, { ...raised, reason }));
  expect(body).toMatchObject({
    title: expect.stringMatching(/^path <!channel> & co.*: loss raised$/),
    run: "41",
  });
  expect(body.to).toBe("192.0.2.1");
  expect(body.why).toContain('a "quoted" \\ line');
  expect(body.why).toContain("{{agent}}");
  expect(body.why).not.toContain("\u202e");
  expect(body.body.split("\n")[1]).toBe("loss raised: from west to 192.0.2.1");
  expect(JSON.parse(bodyBy(given, digest))).toMatchObject({
    to: "",
    title: "watch: 100 alerts raised, 3 cleared",
  });
  const alerts = v.parse(alertsSchema, { deliveries: [{ webhook, template: '{"a": "{{text}}"}' }] });
  expect(shownAlerts(alerts).deliveries).toEqual([
    { webhook: "https://hooks.example.net/…", template: '{"a": "{{text}}"}' },
  ]);
});

test.each([...alertFormats])("%s: a message without any member fails nothing", (format) => {
  expect(() => bodyIn(format, {}, "")).not.toThrow();
});
