/** `vantage admin` of agents, keys, blocklist, kill switch, announcements, and the audit of all that. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { admin, hashOf, json, line, olga, place } from "./admin-place.ts";

describe("agents", () => {
  test("are made, described, and then chosen by users", async () => {
    const made = await json("agents", "add", "north", "--tag", "eu", "--grant", "2001:db8:a::/48");
    expect(made).toMatchObject({ id: "north", tags: ["eu"], granted_prefixes: ["2001:db8:a::/48"] });
    expect(made.agent_key).toStartWith("vantage_");
    const set = ["agents", "set", "west", "--tag", "eu", "--tag", "any cast"];
    expect((await admin(...set)).stderr.join("\n")).toContain("must be of letters, digits");
    const args = ["--tag", "eu", "--country", "no", "--location", "Oslo", "--as", "64500"];
    expect(await json("agents", "set", "west", ...args)).toMatchObject({
      ...{ tags: ["eu"], country: "NO", location: "Oslo", asn: 64_500, state: "healthy" },
    });
    const sent = await place.run("bob", ["send", "-a", "tag:eu"], {
      input: line,
    });
    expect(sent.stderr).toEqual(["vantage send: tag:eu is west (1 match)"]);
    expect(await json("agents", "set", "west", "--clear-tags")).toMatchObject({ tags: [], country: "NO" });
  });

  test("are paused and resumed", async () => {
    expect(await json("agents", "pause", "west")).toMatchObject({ state: "paused" });
    expect(await json("agents", "resume", "west")).toMatchObject({ state: "healthy" });
    expect(await json("agents", "list")).toMatchObject([{ id: "north", state: "offline" }, { id: "west" }]);
  });

  test("get keys, and lose them", async () => {
    const more = await json("agents", "key", "north");
    expect(more.keys).toHaveLength(2);
    expect(await json("agents", "revoke-key", "north", more.keys[0])).toMatchObject({ keys: [more.keys[1]] });
    expect((await json("agents", "key", "north", "--revoke-others")).keys).toHaveLength(1);
  });

  test("are retired only by their name", async () => {
    const refused = await place.run("olga", ["admin", "agents", "retire", "north"], { input: "nroth\n" });
    expect(refused).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: [
        "Agent north will be retired. This cannot be undone.",
        "Type north to continue:",
        "vantage admin agents retire: Nothing was changed: the word was not north",
      ],
    });
    expect(await json("agents", "show", "north")).toMatchObject({ state: "offline" });
    expect(await json("agents", "retire", "north", "--confirm", "north")).toMatchObject({
      state: "retired",
      keys: [],
    });
  });
});

test("each feed of the store says what waits for it, or why that is not known", async () => {
  const [replies, probes] = await json("ingest");
  expect(replies).toMatchObject({ feed: "replies", waiting_records: null, rows_last_minute: null });
  expect([replies.broker_trouble, replies.store_trouble]).toEqual([
    expect.stringContaining("has not been created"),
    expect.stringContaining("no column store"),
  ]);
  expect(probes).toMatchObject({ feed: "probes", topic: "measure-probes", broker_trouble: null });
  expect(probes.waiting_records).toBeGreaterThan(0);
});

test("enrolment keys carry place and grants, and end", async () => {
  const args = [
    "rack 1",
    "--uses",
    "3",
    "--expires",
    "7d",
    "--tag",
    "rack",
    "--country",
    "DE",
    "--grant",
    "2001:db8:b::/48",
  ];
  const made = await json("enrolment", "add", ...args);
  expect(made).toMatchObject({ label: "rack 1", uses_left: 3, tags: ["rack"], country: "DE" });
  expect(made.enrolment_key).toStartWith("vantage_");
  const listed = await json("enrolment", "list");
  expect(listed).toMatchObject([{ key_id: made.key_id, granted_prefixes: ["2001:db8:b::/48"] }]);
  expect(JSON.stringify(listed)).not.toContain(made.enrolment_key);
  expect(await json("enrolment", "revoke", made.key_id)).toEqual({ key_id: made.key_id });
  expect(await json("enrolment", "list")).toEqual([]);
});

test("service keys are made, listed and ended at the peering gateway", async () => {
  expect((await json("service-keys", "add", "exchange-1")).key).toStartWith("vantage_");
  expect(await json("service-keys", "revoke", "exchange-1")).toEqual({ name: "exchange-1" });
  const [key] = await json("service-keys", "list");
  expect(key).toMatchObject({ name: "exchange-1", revoked_at: expect.any(String) });
});

test("the blocklist gets a destination and loses it", async () => {
  const reason = ["--reason", "asked for"];
  expect(await json("blocklist", "add", "192.0.2.0/24", ...reason)).toMatchObject({ prefix: "192.0.2.0/24" });
  expect(await json("blocklist", "list")).toMatchObject([{ prefix: "192.0.2.0/24", reason: "asked for" }]);
  expect(await json("blocklist", "remove", "192.0.2.0/24")).toEqual({ prefix: "192.0.2.0/24" });
  expect((await admin("blocklist", "remove", "192.0.2.0/24")).stderr[0]).toContain("was not blocked here");
});

describe("the kill switch", () => {
  const switchOn = ["admin", "kill-switch", "on", "--reason", "a loop", "-o", "json"];

  test("asks for the gateway's name", async () => {
    const { host } = new URL(place.address);
    const { exitCode, stderr } = await place.run("olga", switchOn, { input: "yes\n" });
    expect([exitCode, stderr.at(-1)]).toEqual([
      1,
      `vantage admin kill-switch on: Nothing was changed: the word was not ${host}`,
    ]);
    expect(await json("kill-switch", "status")).toMatchObject({ killed: false });
    const { stdout } = await place.run("olga", switchOn, { input: `${host}\n` });
    expect(JSON.parse(stdout)).toMatchObject({ killed: true, killed_reason: "a loop" });
  });

  test("lets probing continue", async () => {
    expect(await json("kill-switch", "off")).toMatchObject({ killed: false, killed_reason: null });
  });
});

test("all announcements are stopped, by the gateway's name, and resumed", async () => {
  const stop = ["announcements", "stop", "--reason", "a leak"];
  const refused = await admin(...stop, "--confirm", "nobody");
  expect(refused.exitCode).toBe(1);
  expect(await json("announcements", "status")).toMatchObject({ stopped: false });
  const [, host = ""] = /the word was not (\S+)$/.exec(refused.stderr.at(-1) ?? "") ?? [];
  expect(await json(...stop, "--confirm", host)).toMatchObject({ stopped: true, stopped_reason: "a leak" });
  expect(await json("announcements", "resume")).toMatchObject({ stopped: false, stopped_reason: null });
});

test("announcements are listed with their users, and withdrawn by their prefix", async () => {
  const [live] = await json("announcements", "list");
  expect(live).toMatchObject({ user_hash: hashOf("ann"), asn: 65_000, suspended: false });
  expect(await json("announcements", "withdraw", live.prefix, "--confirm", live.prefix)).toEqual({
    prefix: live.prefix,
  });
  expect(await json("announcements", "list")).toEqual([]);
  expect(await json("users", "release-asn", "ann")).toMatchObject([{ asn: null }]);
});

test("the source of a packet is found", async () => {
  const { stdout } = await place.run("ann", ["whoami", "-o", "json"]);
  const [, prefix = ""] =
    /"agent": "west",\s+"agent_prefix": "[^"]+",\s+"user_prefix": "([^"]+)"/.exec(stdout) ?? [];
  const address = prefix.replace(/::\/80$/, "::1");
  expect(await json("source", address)).toMatchObject([{ user_hash: hashOf("ann"), agent: "west" }]);
});

test("a measurement is traced by its id and by its request's, in words and as JSON", async () => {
  const sent = await place.run("bob", ["send", "-a", "west", "-o", "json"], { input: line });
  const { measurement_id: id } = JSON.parse(sent.stdout) as { measurement_id: string };
  const [traced] = (await json("trace", id)) as unknown as [{ request_id: string }];
  expect(traced).toMatchObject({
    ...{ measurement_id: id, user_hash: hashOf("bob"), made_by: expect.stringContaining("vantage") },
    agents: [{ agent_id: "west", expected_probes: 1 }],
  });
  expect(traced.request_id).toMatch(/^[0-9a-f]{8}-\d+$/);
  const shown = (await admin("trace", traced.request_id)).stdout;
  expect(shown).toContain(id);
  expect(shown).toContain("1 of 1 probes for each source");
  const headers = {
    ...{ authorization: `Bearer ${await place.issuer.tokenFor("bob")}`, "content-type": "text/csv" },
    ...{ "x-request-id": "client-refused" },
  };
  const order = { method: "POST", headers, body: line };
  expect((await fetch(`${place.address}/api/probes`, order)).status).toBe(422);
  // Refusals are written each second.
  const refused = await until("the refusal is kept", async () => {
    const { exitCode, stdout } = await admin("trace", "client-refused");
    return exitCode === 0 && stdout;
  });
  expect(refused).toMatch(/code +missing_agents \(422\)\n.*reason +Probe lines contain no agents/);
  expect(await json("trace", "client-refused")).toMatchObject([
    { request_id: "client-refused", user_hash: hashOf("bob"), status: 422, code: "missing_agents" },
  ]);
  const none = await admin("trace", "no-such-request");
  expect(none.stderr.join("\n")).toContain("No measurement has this id, and no request with it was accepted");
  expect((await admin("trace", "a b")).stderr.join("\n")).toContain(
    "must be the id of a measurement or a request",
  );
});

test("the audit says that it was olga, at both gateways", async () => {
  const rows = (await json("audit", "-n", "1000", "--actor", olga)) as { gateway: string; action: string }[];
  const actions = new Set(rows.map(({ gateway, action }) => `${gateway} ${action}`));
  expect([...actions].sort()).toEqual([
    ...[
      "peering announcements.resume",
      "peering announcements.stop",
      "peering asn.release",
      "peering lease.revoke",
      "peering service_key.add",
      "peering service_key.revoke",
    ],
    ...["peering user.limits", "peering user.resume", "peering user.suspend", "probing agent.change"],
    ...["probing agent.create", "probing agent.key", "probing agent.retire", "probing agent.revoke"],
    ...["probing blocklist.add", "probing blocklist.remove", "probing enrolment.create"],
    ...["probing enrolment.revoke", "probing platform.kill", "probing platform.resume"],
    ...["probing user.limits", "probing user.resume", "probing user.suspend"],
  ]);
  expect(await json("audit", "--user", "ann", "--only", "probing")).toHaveLength(4);
  expect((await json("audit", "--subject", "agent:west"))[0]).toMatchObject({
    actor: olga,
    action: "agent.change",
  });
});

describe("a login without the right", () => {
  test("is refused with what gives it", async () => {
    const { exitCode, stderr } = await place.run("bob", ["admin", "agents", "list"]);
    expect([exitCode, stderr]).toEqual([
      1,
      [
        "vantage admin agents list: Your login has no operator's right here: it is given by oidc.operators or " +
          "oidc.operator_claim",
      ],
    ]);
  });

  test("does not matter to who holds the key", async () => {
    const key = readFileSync(join(place.folder, "state/admin.key"), "utf8").trim();
    const environment = { VANTAGE_TOKEN: key };
    const { exitCode } = await place.run("bob", ["admin", "agents", "list"], { environment });
    expect(exitCode).toBe(0);
    const args = ["admin", "users", "list", "--only", "probing", "--token-stdin"];
    expect((await place.run("bob", args, { input: key })).exitCode).toBe(0);
  });
});
