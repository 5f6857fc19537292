/**
 * E-mail addresses: asked for in the background, kept in memory only, waited for by those alone who need them.
 *
 * @alone: it waits for most of its time
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { dump } from "./dump.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import { hashOf, PeeringHome, serviceKey, subjectKey } from "./peering-home.ts";

let engine: EngineHome;
let database: Database;
let provider: IdentityProvider;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());
beforeEach(async () => {
  provider = startIdentityProvider();
  database = await openDatabase(await engine.freshDatabase(), { applicationName: "vantage test" });
});
afterEach(async () => {
  provider[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
});

const auth0 = () =>
  `email: { provider: auth0, url: "${provider.url}/", client_id: reader, client_secret: hush }`;
const keycloak = () =>
  `email: { provider: keycloak, url: "${provider.url}", realm: vantage, client_id: reader, client_secret: hush }`;

function start(yaml = auth0(), subjects = `{ keys: ["${subjectKey}"] }`): Promise<PeeringHome> {
  return PeeringHome.start({ database, yaml, subjects });
}

/** As our own generator asks, which needs no address. */
async function emailsOf(home: PeeringHome): Promise<(string | null)[]> {
  const { status, body } = await home.service("/service/mappings?partial=true");
  expect(status).toBe(200);
  return body.mappings.map(({ email }: { email: string | null }) => email);
}

/** Asks, as a generator does, until the addresses are these. */
async function emailsBecome(home: PeeringHome, expected: (string | null)[]): Promise<void> {
  while (!Bun.deepEquals(await emailsOf(home), expected)) {
    await Bun.sleep(10);
  }
}

async function lookups(home: PeeringHome): Promise<Record<string, number>> {
  const metric = await home.services.metrics.registry
    .getSingleMetric("vantage_gateway_email_lookups_total")
    ?.get();
  return Object.fromEntries(
    (metric?.values ?? []).map(({ labels, value }) => [String(labels.result), value]),
  );
}

test.each([
  ["auth0", auth0, "/api/v2/users/auth0%7C68a1"],
  ["keycloak", keycloak, "/admin/realms/vantage/users/auth0%7C68a1"],
])("%s: one login, one question for each user, then out of memory", async (_, yaml, path) => {
  provider.emails.set("auth0|68a1", "ann@example.net");
  await using home = await start(yaml());
  await home.lease("auth0|68a1");
  await home.ask("nobody", "POST", "/api/user/asn");
  expect(await emailsOf(home)).toEqual([null, null]);
  await emailsBecome(home, [null, "ann@example.net"]);
  await emailsBecome(home, [null, "ann@example.net"]);
  expect(provider.logins).toHaveLength(1);
  expect(Object.fromEntries(provider.logins[0] ?? [])).toMatchObject({
    grant_type: "client_credentials",
    client_id: "reader",
    client_secret: "hush",
  });
  expect(provider.asked.filter((asked) => asked === path)).toHaveLength(1);
  expect(await lookups(home)).toMatchObject({ found: 1, none: 1 });
});

test("the audience that Auth0 wants is asked for", async () => {
  await using home = await start();
  await home.lease("ann");
  await emailsOf(home);
  while (provider.logins.length === 0) {
    await Bun.sleep(10);
  }
  expect(provider.logins[0]?.get("audience")).toBe(`${provider.url}/api/v2/`);
});

test("one user's mapping waits a moment for the address; email=false asks nobody", async () => {
  provider.emails.set("ann", "ann@example.net");
  await using home = await start();
  await home.lease("ann");
  expect((await home.service("/service/mappings?email=false")).body.mappings[0].email).toBeNull();
  expect((await home.service(`/service/mappings/${hashOf("ann")}?email=false`)).body.email).toBeNull();
  expect(provider.asked).toEqual([]);
  expect((await home.service(`/service/mappings/${hashOf("ann")}`)).body.email).toBe("ann@example.net");
});

/** As generators ask that join users by their address: null would be nobody. */
const joining = (home: PeeringHome) => home.service("/service/mappings");

test("after a restart, readers that join by e-mail wait or get 503; never are all addresses null", async () => {
  const users = Array.from({ length: 40 }, (_, n) => `user${n}`);
  for (const user of users) {
    provider.emails.set(user, `${user}@example.net`);
  }
  {
    await using home = await start();
    for (const user of users) {
      await home.ask(user, "POST", "/api/user/asn");
    }
  }
  provider.mood = "unhurried";
  await using home = await start();
  let answer = await joining(home);
  while (answer.status === 503) {
    expect(answer.body).toMatchObject({ code: "emails_unknown" });
    answer = await joining(home);
  }
  expect(answer.status).toBe(200);
  const emails = answer.body.mappings.map(({ email }: { email: string | null }) => email);
  expect(emails.toSorted()).toEqual(users.map((user) => `${user}@example.net`).sort());
});

test.each(["down", "limited", "garbage", "slow"] as const)(
  "while the provider is %s: 503 with Retry-After for who needs addresses, an answer for who does not",
  async (mood) => {
    provider.emails.set("ann", "ann@example.net");
    provider.mood = mood;
    await using home = await start();
    await home.lease("ann");
    const headers = { authorization: `Bearer ${serviceKey}` };
    const answer = await home.app.request("/service/mappings", { headers });
    expect([answer.status, Number(answer.headers.get("retry-after"))]).toEqual([503, 5]);
    expect((await home.service(`/service/mappings/${hashOf("ann")}`)).status).toBe(503);
    expect(await emailsOf(home)).toEqual([null]);
  },
);

test("a user without an address holds up nobody", async () => {
  provider.emails.set("ann", "ann@example.net");
  await using home = await start();
  await home.lease("ann");
  await home.lease("bob");
  const { status, body } = await joining(home);
  expect(status).toBe(200);
  expect(body.mappings.map(({ email }: { email: string | null }) => email)).toEqual([
    null,
    "ann@example.net",
  ]);
});

test("a token that is refused is renewed", async () => {
  provider.emails.set("ann", "ann@example.net").set("bob", "bob@example.net");
  await using home = await start();
  await home.lease("ann");
  await emailsBecome(home, ["ann@example.net"]);
  provider.forgetTokens();
  await home.lease("bob");
  await emailsBecome(home, ["bob@example.net", "ann@example.net"]);
  expect(provider.logins).toHaveLength(2);
});

test.each([
  ["down", "unreachable"],
  ["limited", "limited"],
  ["garbage", "malformed"],
] as const)(
  "a provider that is %s: null at once, counted, and all is well when it is well",
  async (mood, code) => {
    provider.emails.set("ann", "ann@example.net");
    provider.mood = mood;
    await using home = await start();
    await home.lease("ann");
    await emailsOf(home);
    while ((await lookups(home))[code] === undefined) {
      expect(await emailsOf(home)).toEqual([null]);
      await Bun.sleep(20);
    }
    provider.mood = "well";
    await emailsBecome(home, ["ann@example.net"]);
  },
);

test("while it is limited, the provider is left alone for as long as it asks", async () => {
  provider.mood = "limited";
  await using home = await start();
  for (const user of ["a", "b", "c", "d", "e", "f"]) {
    await home.ask(user, "POST", "/api/user/asn");
  }
  await emailsOf(home);
  while ((await lookups(home)).limited === undefined) {
    await Bun.sleep(10);
  }
  const asked = provider.asked.length;
  for (let i = 0; i < 10; i++) {
    await emailsOf(home);
    await Bun.sleep(20);
  }
  expect(provider.asked.length).toBeLessThanOrEqual(asked + 8);
});

test("a provider that does not answer holds up nobody", async () => {
  provider.mood = "slow";
  await using home = await start();
  await home.lease("ann");
  expect(await emailsOf(home)).toEqual([null]);
  expect((await home.service(`/service/mappings/${hashOf("ann")}?partial=true`)).body).toMatchObject({
    email: null,
    asn: 65000,
  });
  expect(await emailsOf(home)).toEqual([null]);
});

test("few questions go out at one time", async () => {
  provider.mood = "unhurried";
  await using home = await start();
  for (let i = 0; i < 60; i++) {
    provider.emails.set(`user${i}`, `user${i}@example.net`);
    await home.ask(`user${i}`, "POST", "/api/user/asn");
  }
  await emailsBecome(
    home,
    Array.from({ length: 60 }, (_, i) => `user${59 - i}@example.net`),
  );
  expect(provider.atOnceMax).toBeLessThanOrEqual(8);
});

test("no table and no log holds an address or a subject", async () => {
  provider.emails.set("auth0|known-subject", "known.address@example.net");
  await using home = await start();
  const prefix = await home.lease("auth0|known-subject");
  await emailsBecome(home, ["known.address@example.net"]);
  await home.service(`/service/mappings/${hashOf("auth0|known-subject")}`);
  const text = await dump(database);
  expect(text).toContain(prefix);
  expect(text).toContain(hashOf("auth0|known-subject"));
  for (const secret of [
    "known.address",
    "example.net",
    "known-subject",
    btoa("auth0|known-subject").slice(0, 20),
  ]) {
    expect(text).not.toContain(secret);
    expect(home.logged.join("\n")).not.toContain(secret);
  }
});

test("keys rotate: old ones decrypt, the first one encrypts all again, a missing one stops the start", async () => {
  const second = "second:YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXoxMjM0NTY";
  provider.emails.set("ann", "ann@example.net");
  {
    await using home = await start();
    await home.lease("ann");
  }
  await expect(start(auth0(), `{ keys: ["${second}"] }`)).rejects.toThrow(
    "Cannot decrypt the subjects of users: add the keys first (1 users) to subjects.keys, behind the first",
  );
  {
    await using home = await start(auth0(), `{ keys: ["${second}", "${subjectKey}"] }`);
    expect(await database.sql`SELECT DISTINCT subject_kid FROM users`).toMatchObject([
      { subject_kid: "second" },
    ]);
    await emailsBecome(home, ["ann@example.net"]);
  }
  await using home = await start(auth0(), `{ keys: ["${second}"] }`);
  await emailsBecome(home, ["ann@example.net"]);
});
