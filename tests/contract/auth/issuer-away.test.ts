/** Issuers change their keys and are away at times: who has a good token must hardly notice, and nobody else gain. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { startTestIssuer } from "../../issuer/issuer.ts";
import { adminKey, subjectKey } from "../peering-gateway/peering-home.ts";
import { GatewayProcess } from "../probing-gateway/gateway-process.ts";
import { type GuardedApp, guardedApp } from "./guarded-app.ts";

const minuteMs = 60_000;

async function statusOf(app: GuardedApp, token: string): Promise<string> {
  const { status, body } = await app.ask(`Bearer ${token}`);
  return status === 200 ? "200" : `${status} ${body.code}`;
}

test("keys are read once for all tokens, however many come at once", async () => {
  await using issuer = await startTestIssuer();
  const app = guardedApp(issuer);
  const tokens = await Promise.all(Array.from({ length: 20 }, (_, i) => issuer.tokenFor(`user-${i}`)));
  const statuses = await Promise.all(tokens.map((token) => statusOf(app, token)));
  expect(new Set(statuses)).toEqual(new Set(["200"]));
  expect(app.asked).toEqual(["/.well-known/openid-configuration", "/jwks"]);
});

test("the keys that are known keep working while the issuer is away", async () => {
  await using issuer = await startTestIssuer();
  const app = guardedApp(issuer);
  const [known, other] = [await issuer.tokenFor("alice"), await issuer.tokenFor("bob")];
  expect(await statusOf(app, known)).toBe("200");
  await issuer.stop();
  app.wait(10 * minuteMs);
  expect(await statusOf(app, known)).toBe("200");
  expect(await statusOf(app, other)).toBe("200");
});

test("an issuer that is away from the start is a 503, and tokens are good as soon as it is there", async () => {
  await using issuer = await startTestIssuer();
  const app = guardedApp(issuer);
  const token = await issuer.tokenFor("alice");
  await issuer.stop();
  expect(await statusOf(app, token)).toBe("503 issuer_unavailable");
  expect(await statusOf(app, "rubbish")).toBe("401 malformed_token");
  const triedBefore = app.asked.length;
  expect(await statusOf(app, token)).toBe("503 issuer_unavailable");
  expect(app.asked).toHaveLength(triedBefore);
  await issuer.startAgain();
  app.wait(2_000);
  expect(await statusOf(app, token)).toBe("200");
});

test("an issuer that becomes unreachable is noticed when its keys are old", async () => {
  await using issuer = await startTestIssuer();
  const app = guardedApp(issuer);
  expect(await app.reachesIssuer()).toBe(true);
  await issuer.stop();
  app.wait(5 * minuteMs + 1);
  await until("it is noticed", async () => !(await app.reachesIssuer()));
  await issuer.startAgain();
  app.wait(minuteMs);
  await until("it is back", () => app.reachesIssuer());
});

const ofPeering = { leases: { pool: ["2001:db8:1::/48"] }, subjects: { keys: [subjectKey] } };

test.each([
  ["probing", {}],
  ["peering", ofPeering],
] as const)(
  "a %s gateway whose users cannot log in says so in /ready, and serves the others",
  async (kind, more) => {
    await using issuer = await startTestIssuer();
    await issuer.stop();
    const folder = mkdtempSync(join(tmpdir(), "vantage-issuer-away-"));
    const config = join(folder, "gateway.yaml");
    const oidc = { issuer: issuer.url, audiences: [issuer.audience] };
    const section = { address: "127.0.0.1:0", state_dir: join(folder, "state"), admin_key: adminKey };
    writeFileSync(config, JSON.stringify({ gateway: section, oidc, ...more }));
    const gateway = await GatewayProcess.start(config, [], `${kind}-gateway`);
    const ready = async () => {
      const response = await fetch(`${gateway.url}ready`);
      const { status, checks } = (await response.json()) as { status: string; checks: { issuer?: string } };
      return `${response.status} ${status}, issuer ${checks.issuer}`;
    };
    expect(await ready()).toBe("200 degraded, issuer unavailable");
    await issuer.startAgain();
    await until("users can log in", async () => (await ready()) === "200 ready, issuer ready");
    await gateway.stop();
    rmSync(folder, { recursive: true });
  },
);

test("a new key is fetched when a token names it, and the old one is refused from then on", async () => {
  await using issuer = await startTestIssuer();
  const app = guardedApp(issuer);
  const old = await issuer.tokenFor("alice");
  expect(await statusOf(app, old)).toBe("200");
  await issuer.rotateKeys();
  app.wait(minuteMs);
  expect(await statusOf(app, await issuer.tokenFor("alice"))).toBe("200");
  expect(await statusOf(app, old)).toBe("401 unknown_key");
});

test("a withdrawn key is noticed within five minutes, though only known tokens come", async () => {
  await using issuer = await startTestIssuer();
  const app = guardedApp(issuer);
  const old = await issuer.tokenFor("alice");
  // What is verified while keys are read is not remembered; the second time is.
  expect(await statusOf(app, old)).toBe("200");
  expect(await statusOf(app, old)).toBe("200");
  await issuer.rotateKeys();
  app.wait(5 * minuteMs + 1);
  // The first request after that makes us look, without waiting for it.
  expect(await statusOf(app, old)).toBe("200");
  while ((await statusOf(app, old)) === "200") {
    await Bun.sleep(1);
  }
  expect(await statusOf(app, old)).toBe("401 unknown_key");
});

test("made-up key ids do not turn us against the issuer", async () => {
  await using issuer = await startTestIssuer();
  const app = guardedApp(issuer);
  expect(await statusOf(app, await issuer.tokenFor("alice"))).toBe("200");
  app.wait(minuteMs);
  const readBefore = app.asked.length;
  for (let i = 0; i < 50; i++) {
    const token = await issuer.tokenFor("mallory", { header: { kid: `made-up-${i}` } });
    expect(await statusOf(app, token)).toBe("401 unknown_key");
  }
  // Discovery and key set, once.
  expect(app.asked).toHaveLength(readBefore + 2);
});

test("a token that was good is refused when it has expired", async () => {
  await using issuer = await startTestIssuer();
  const app = guardedApp(issuer);
  const token = await issuer.tokenFor("alice", { claims: { exp: Math.floor(Date.now() / 1000) + 60 } });
  expect(await statusOf(app, token)).toBe("200");
  app.wait(1.5 * minuteMs);
  expect(await statusOf(app, token)).toBe("200");
  app.wait(minuteMs);
  expect(await statusOf(app, token)).toBe("401 expired_token");
});

test("keys of an issuer that calls itself otherwise are not taken", async () => {
  await using issuer = await startTestIssuer();
  const alias = issuer.url.replace("127.0.0.1", "localhost");
  const app = guardedApp({ url: alias, audience: issuer.audience });
  const token = await issuer.tokenFor("alice", { claims: { iss: alias } });
  expect(await statusOf(app, token)).toBe("503 issuer_unavailable");
});
