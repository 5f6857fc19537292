/** A gateway that has something to show, also text of strangers who want it to be taken for the page's own. */
import { userHashOf } from "../../lib/engines/auth/token-verifier.ts";
import { type ConsoleHome, operator } from "../contract/console/console-home.ts";
import { addAgent, probeArrays } from "../contract/probing-gateway/gateway-home.ts";
import { until } from "../exchange/until.ts";
import type { Tab } from "./tab.ts";

/** Markup, an end of an attribute, a template, characters that turn the line around. */
export const hostile = `<img src=x onerror="stolen=1">'"</td></script><script>stolen=1</script>{{7*7}}\u202Egnp.exe`;

/** Pages by what is seen there, when the operator looks. */
export const scenes: Readonly<Record<string, string>> = {
  "the start": "/console",
  "a measurement that is prepared": "/console?from=west&to=192.0.2.1&protocol=udp",
  "a target that is not a name": `/console?from=west&to=${encodeURIComponent(hostile)}`,
  measurements: "/console/measurements",
  "no measurement that is like that": "/console/measurements?status=failed",
  "a filter that is refused": `/console/measurements?since=${encodeURIComponent(hostile)}`,
  campaigns: "/console/campaigns",
  experiments: "/console/experiments",
  "an experiment that is not there": `/console/experiments/${encodeURIComponent(hostile)}`,
  "discoveries, and what may be one": "/console/discovery",
  "SQL that this gateway has no store for": "/console/sql?query=SELECT+1",
  "a discovery that is not there": `/console/discovery?discovery=${encodeURIComponent(hostile)}`,
  "no such page": "/console/nothing/here",
  "what is public": "/console/public",
  "a link that opens nothing": `/console/shared/${encodeURIComponent(hostile)}`,
  "an account, its quota and tokens": "/console/account",
  "leases and an AS number": "/console/peering",
  "routes, before anything is looked up": "/console/routes",
  "routes of an AS": "/console/routes?asn=64500",
  "routes to what is not a prefix": `/console/routes?resource=${encodeURIComponent(hostile)}`,
  "agents of operators": "/console/operators",
  "enrolment keys": "/console/operators?view=keys",
  "users and their limits": "/console/operators?view=users",
  "kill switch and blocklist": "/console/operators?view=safety",
  "leases and service keys": "/console/operators?view=leases",
  "campaigns of all users": "/console/operators?view=campaigns",
  "who used an address": "/console/operators?view=find&source=192.0.2.1",
  "what became of a measurement": `/console/operators?view=find&trace=${encodeURIComponent(hostile)}`,
  "sessions at exchanges": "/console/operators?view=exchanges",
  "how far the store is behind": "/console/operators?view=ingest",
  "the audit": "/console/operators?view=audit",
};

/** `foreign` is what strangers say wherever they can say something. */
export async function fill(home: ConsoleHome, foreign: string): Promise<void> {
  const { gateway } = home;
  const { sql } = gateway.services.database;
  for (const [id, options] of [
    ["amsterdam", {}],
    ["east", { isOnline: false }],
    ["lisbon", { paused: true }],
    ["oslo", { healthy: false }],
    ["west", {}],
  ] as const) {
    await addAgent(gateway, id, options);
  }
  await sql`
    UPDATE agents SET location = CASE agent_id WHEN 'oslo' THEN ${foreign} ELSE initcap(agent_id) END,
      country = CASE agent_id WHEN 'amsterdam' THEN 'NL' WHEN 'lisbon' THEN 'PT' WHEN 'oslo' THEN 'NO' ELSE 'US' END,
      asn = 64500, tags = '{anycast,eu}', pending_prefixes = '{198.51.100.0/24}'`;
  await sql`UPDATE agents SET health_message = ${foreign} WHERE agent_id = 'oslo'`;
  for (const count of [30, 5, 1]) {
    const body = { metadata: [{ id: "west" }, { id: "amsterdam" }], probes: probeArrays(count) };
    const answer = await gateway.submit(operator, body);
    if (answer.status !== 200) {
      throw new Error(`The scene's measurement is refused: ${await answer.text()}`);
    }
  }
  await sql`UPDATE measurement_agents SET sent_probes = least(expected_probes, 12), received_replies = 1
    WHERE agent_id = 'west'`;
  await makePublic(home, foreign);
  const key = gateway.services.adminKey;
  const admin = async (method: string, path: string, body: unknown) => {
    const headers = { "content-type": "application/json" };
    const answer = await gateway.ask(key, path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) {
      throw new Error(`The scene's ${method} ${path} is refused: ${await answer.text()}`);
    }
  };
  const mallory = userHashOf("mallory");
  await gateway.ask("mallory", "/api/user/me");
  // Controls are refused at the door; the rest is text.
  const reason = foreign.replace("\u202E", "");
  await admin("POST", `/admin/users/${mallory}/suspend`, { reason });
  await admin("POST", "/admin/blocklist", { prefix: "203.0.113.0/24", reason });
  await admin("POST", "/admin/enrolment-keys", { label: reason });
}

/** The oldest measurement of the operator, with what its user says about it. */
async function makePublic({ gateway }: ConsoleHome, foreign: string): Promise<void> {
  const [first] = await gateway.services.database.sql<{ id: string }[]>`
    SELECT measurement_id AS id FROM measurements ORDER BY started_at LIMIT 1`;
  const words = foreign.replace("\u202E", "");
  const answer = await gateway.ask(operator, `/api/measurements/${first?.id}/sharing`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ visibility: "public", licence: words, contact: words, citation: words }),
  });
  if (!answer.ok) {
    throw new Error(`The scene's measurement does not become public: ${await answer.text()}`);
  }
}

/** Types a name at the issuer, and waits until the console is there. */
export async function logInWith(tab: Tab, url: string, name: string): Promise<void> {
  await tab.go(`${url}console/login`);
  await until("the issuer's form", () => tab.eval<boolean>("document.querySelector('[name=name]') !== null"));
  await tab.eval("document.querySelector('[name=name]').focus()");
  await tab.type(name);
  await tab.press("Enter");
  await until("the console", () =>
    tab.eval<boolean>("location.pathname === '/console' && document.readyState === 'complete'"),
  );
}
