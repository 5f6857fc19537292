/** The page of a user: what it says in words, that only its own script may run, and that it keeps itself fresh. */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { pagePolicy, statusPage } from "../../../apps/peering/bootstrap/http/status-page.ts";
import { nothingKnown, type Snapshot } from "../../../apps/peering/bootstrap/snapshot.ts";
import { statusView } from "../../../apps/peering/bootstrap/status/status-view.ts";
import { type Refusal, refusalWords } from "../../../lib/peering/policy/refusal.ts";
import { one, two } from "./client-home.ts";

const atMs = Date.UTC(2026, 0, 1);
const address = "100.64.0.1";
const up = {
  isUp: true,
  state: "Established",
  forSec: 3700,
  lastError: null,
  receivedRoutes: 230_001,
  acceptedRoutes: 230_000,
};
const heardOf = (routes: object) => ({
  address: "100.64.0.11",
  ...{ asn: 65_011, is_up: true, remark: null, suspended_until: null, leases: [], accepted: [], refused: [] },
  ...routes,
});
const known: Snapshot = {
  ...nothingKnown,
  ...{ atMs, vpnState: "Running", ownAddress: "100.64.0.11", isInForce: true },
  exchanges: [{ name: "ixp-1", address, isOnline: true }],
  sessions: new Map([[address, up]]),
};
const user = { asn: 65_011, platformAsn: 64_500, prefixes: [one, two] };

const escaped = (text: string) => text.replaceAll("'", "&#39;");
const pageOf = (parts: Partial<Snapshot>, who = user) =>
  statusPage(statusView({ ...known, user: who, ...parts }));

test("a session that is up shows since when, and what it has received and accepted", () => {
  const page = pageOf({});
  expect(page).toContain('class="mark good">Up<');
  expect(page).toContain("for 1 h 1 min");
  expect(page).toContain("<dd>230,001 ");
  expect(page).toContain("1 of 1 sessions up");
});

test("a session that is down says so, with the daemon's last error", () => {
  const down = { ...up, isUp: false, state: "Active", forSec: 5, lastError: "Socket: Connection refused" };
  const page = pageOf({ sessions: new Map([[address, down]]) });
  expect(page).toContain("Down (Active)");
  expect(page).toContain("Socket: Connection refused");
  expect(page).toContain("0 of 1 sessions up");
});

test.each(Object.keys(refusalWords) as Refusal[])(
  "refusal %s is shown in words, with what to do",
  (reason) => {
    const refused = [{ prefix: one, as_path: "65011", reason, explanation: refusalWords[reason] }];
    const session = heardOf({ refused });
    const status = statusView({ ...known, user, received: new Map([[address, { session, failure: null }]]) });
    const [route] = status.exchanges[0]?.refused ?? [];
    expect(status.prefixes[0]?.exchanges[0]).toMatchObject({
      verdict: "refused",
      advice: route?.advice ?? "",
    });
    const page = statusPage(status);
    expect(page).toContain(escaped(refusalWords[reason]));
    expect(page).toContain(escaped(route?.advice ?? "?"));
  },
);

test("an announcement that is taken shows its path to the exchange, and to whom that passes it on", () => {
  const pageWith = (heardBy: readonly { name: string; asn: number }[]) => {
    const accepted = [{ prefix: one, as_path: "65011 65011", heard_by: [...heardBy] }];
    return pageOf({ received: new Map([[address, { session: heardOf({ accepted }), failure: null }]]) });
  };
  const page = pageWith([
    { name: "upstream_transit", asn: 64_496 },
    { name: "route_server_<b>", asn: 64_497 },
  ]);
  expect(page).toContain("<li>AS65011</li><li>AS65011</li><li>ixp-1</li>");
  expect(page).toContain("Passed on to AS64496 (upstream transit), AS64497 (route server &lt;b&gt;)");
  expect(pageWith([])).not.toContain("Passed on");
});

test("what to look at comes first, and nobody's text becomes markup", () => {
  const page = pageOf({ failures: { vpn: 'x"><script>alert(1)</script>' }, vpnState: "NeedsLogin" });
  expect(page).not.toContain("<script>alert");
  expect(page).toContain("The VPN waits for your login");
  expect(page.indexOf("Needs attention")).toBeLessThan(page.indexOf("Sessions"));
});

test("before an exchange is known there is no session, and the page says just that", () => {
  expect(statusPage(statusView({ ...nothingKnown, user }))).toContain("no session yet");
});

test("a user who announces nothing sees that", () => {
  expect(pageOf({}, { ...user, prefixes: [] })).toContain("you receive the table and announce nothing");
});

test("the policy lets the page's own script run, and that is the only one there is", () => {
  const scripts = [...pageOf({}).matchAll(/<script>([\s\S]*?)<\/script>/g)];
  expect(scripts.length).toBe(1);
  const digest = createHash("sha256")
    .update(scripts[0]?.[1] ?? "")
    .digest("base64");
  expect(pagePolicy).toContain(`script-src 'sha256-${digest}'`);
  expect(() => new Bun.Transpiler({ loader: "js" }).scan(scripts[0]?.[1] ?? "")).not.toThrow();
});

test("the script keeps what it finds by id, and changes are announced to screen readers", () => {
  const page = pageOf({});
  for (const id of ["headline", "content", "said"]) {
    expect(page.match(new RegExp(`id="${id}"`, "g"))?.length).toBe(1);
  }
  expect(page).toContain('role="status" id="headline"');
  expect(page).toContain('role="alert" id="said"');
  expect(page).toContain("light-dark(");
});
