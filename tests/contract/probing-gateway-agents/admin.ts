/** The admin API: its key, what it changes, and the record of it. */
import { describe, expect, test } from "bun:test";
import { type GatewayHome, probeArrays } from "../probing-gateway/gateway-home.ts";
import { AgentCaller, admin, call } from "./callers.ts";

const paths = [
  ["GET", "/ingest"],
  ["GET", "/users"],
  ["GET", `/users/${"0".repeat(64)}`],
  ["PATCH", `/users/${"0".repeat(64)}`],
  ["POST", `/users/${"0".repeat(64)}/suspend`],
  ["POST", `/users/${"0".repeat(64)}/resume`],
  ["GET", "/agents"],
  ["POST", "/agents"],
  ["GET", "/agents/x"],
  ["PATCH", "/agents/x"],
  ["DELETE", "/agents/x"],
  ["PUT", "/agents/x/desired"],
  ["POST", "/agents/x/keys"],
  ["DELETE", "/agents/x/keys/0123456789abcdef"],
  ["DELETE", `/users/${"0".repeat(64)}`],
  ["GET", `/users/${"0".repeat(64)}/export`],
  ["GET", `/users/${"0".repeat(64)}/export/replies`],
  ["GET", "/enrolment-keys"],
  ["POST", "/enrolment-keys"],
  ["DELETE", "/enrolment-keys/0123456789abcdef"],
  ["GET", "/kill-switch"],
  ["PUT", "/kill-switch"],
  ["DELETE", "/kill-switch"],
  ["GET", "/blocklist"],
  ["POST", "/blocklist"],
  ["DELETE", "/blocklist/192.0.2.0%2F24"],
  ["GET", "/sources/192.0.2.1"],
  ["GET", "/audit"],
  ["GET", "/trace/00000000-0000-4000-8000-000000000000"],
  ["GET", "/campaigns"],
  ["POST", "/campaigns/00000000-0000-4000-8000-000000000000/stop"],
  ["PUT", "/measurements/00000000-0000-4000-8000-000000000000/hidden"],
  ["DELETE", "/measurements/00000000-0000-4000-8000-000000000000/hidden"],
  ["PUT", "/campaigns/00000000-0000-4000-8000-000000000000/hidden"],
  ["DELETE", "/campaigns/00000000-0000-4000-8000-000000000000/hidden"],
] as const;

export function adminSuite(gateway: () => GatewayHome): void {
  const hashOf = (user: string) => new Bun.CryptoHasher("sha256").update(user).digest("hex");
  const audit = async (subject: string) => {
    const { body } = await admin(gateway(), `/audit?subject=${encodeURIComponent(subject)}`);
    return body as unknown as { audit_id: number; actor: string; action: string; details: object }[];
  };

  describe("the admin API", () => {
    test("the list of paths above is all of it", async () => {
      const { body } = await call(gateway(), null, "/openapi.json");
      const described = Object.entries(body.paths as Record<string, object>)
        .filter(([path]) => path.startsWith("/admin/"))
        .flatMap(([, methods]) => Object.keys(methods));
      expect(described).toHaveLength(paths.length);
    });

    test.each(paths)("%s %s opens to its key alone", async (method, path) => {
      const agent = await AgentCaller.ready(gateway(), `prying-${crypto.randomUUID()}`);
      const answers = await Promise.all(
        [null, "vantage_guess", agent.key].map((key) => call(gateway(), key, `/admin${path}`, { method })),
      );
      const codes = answers.map(({ status, body }) => [status, body.code]);
      expect(codes).toEqual([
        [401, "missing_authorization"],
        [401, "unknown_key"],
        [401, "unknown_key"],
      ]);
    });

    test("an unknown agent, user or key is not found, and nothing is recorded", async () => {
      const nobody = "0".repeat(64);
      const answers = await Promise.all([
        admin(gateway(), "/agents/nobody"),
        admin(gateway(), "/agents/nobody", { method: "PATCH", body: { paused: true } }),
        admin(gateway(), "/agents/nobody", { method: "DELETE" }),
        admin(gateway(), "/agents/nobody/desired", { method: "PUT", body: {} }),
        admin(gateway(), "/agents/nobody/keys", { body: {} }),
        admin(gateway(), "/agents/nobody/keys/0123456789abcdef", { method: "DELETE" }),
        admin(gateway(), `/users/${nobody}`),
        admin(gateway(), `/users/${nobody}/suspend`, { body: { reason: "x" } }),
        admin(gateway(), `/users/${nobody}`, { method: "PATCH", body: { probes_per_day_max: 1 } }),
        admin(gateway(), "/enrolment-keys/0123456789abcdef", { method: "DELETE" }),
        admin(gateway(), "/blocklist/192.0.2.0%2F24", { method: "DELETE" }),
        admin(gateway(), "/sources/198.51.100.77"),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
      expect([...(await audit("agent:nobody")), ...(await audit(`user:${nobody}`))]).toEqual([]);
    });

    test.each([
      ["POST", "/agents", { id: "with space" }, 422],
      ["POST", "/agents", { id: "x", asn: 2 ** 32 }, 422],
      ["POST", "/agents", { id: "x", unknown: 1 }, 422],
      ["POST", "/agents", { id: "x", location: "\0" }, 422],
      ["GET", "/agents?limit=0", undefined, 400],
      ["GET", "/agents?limit=1001", undefined, 400],
      ["GET", "/users/not-a-hash", undefined, 400],
      ["GET", "/users?hash=%00", undefined, 400],
      ["GET", "/users?suspended=perhaps", undefined, 400],
      ["GET", "/audit?after=x", undefined, 400],
      ["GET", "/audit?subject=%00", undefined, 400],
      ["POST", "/enrolment-keys", { label: "" }, 422],
      ["POST", "/enrolment-keys", { label: "x", uses: 0 }, 422],
      ["POST", "/enrolment-keys", { label: "x", expires_at: "soon" }, 422],
      ["PUT", "/kill-switch", {}, 422],
      ["POST", "/blocklist", { prefix: "192.0.2.1/24", reason: "host bits" }, 422],
      ["POST", "/blocklist", { prefix: "everything", reason: "x" }, 422],
      ["DELETE", "/blocklist/nothing", undefined, 400],
      ["GET", "/blocklist?after=nothing", undefined, 400],
      ["GET", "/sources/nowhere", undefined, 400],
    ])("%s %s %j is refused", async (method, path, body, status) => {
      const answer = await admin(gateway(), path, { method, body });
      expect({ status: answer.status, title: typeof answer.body.title }).toEqual({ status, title: "string" });
    });

    test.each([
      ["an unknown setting", { main: { colour: "red" } }],
      ["a rate of zero", { main: { probing_rate: 0 } }],
      ["an IPv4 prefix for IPv6", { main: { src_ipv6_prefix: "192.0.2.0/24" } }],
      ["an instance that the agent does not have", { man: { probing_rate: 5 } }],
    ])("%s cannot be desired", async (_, desired) => {
      const agent = await AgentCaller.ready(gateway(), `desired-${crypto.randomUUID()}`);
      const { status } = await admin(gateway(), `/agents/${agent.id}/desired`, {
        method: "PUT",
        body: desired,
      });
      expect(status).toBe(422);
      expect((await agent.post("/health", { healthy: true })).body).toMatchObject({
        config_version: 0,
        desired: {},
      });
    });

    test("an agent is made once, with a key that is shown once", async () => {
      const made = await admin(gateway(), "/agents", { body: { id: "made", tags: ["a", "b"] } });
      expect(made).toMatchObject({
        status: 201,
        body: { id: "made", tags: ["a", "b"], keys: [{ revoked_at: null }] },
      });
      expect((await admin(gateway(), "/agents", { body: { id: "made" } })).body.code).toBe("agent_id_taken");
      const shown = JSON.stringify((await admin(gateway(), "/agents/made")).body);
      expect(shown).not.toContain(String(made.body.agent_key));
    });

    test("a user's limit holds for the next submission, and the default comes back with null", async () => {
      await AgentCaller.ready(gateway(), "limited-agent");
      const submit = async (probes: number) => {
        const body = { metadata: [{ id: "limited-agent" }], probes: probeArrays(probes) };
        return (await gateway().submit("limited", body)).status;
      };
      expect(await submit(3)).toBe(200);
      const user = `/users/${hashOf("limited")}`;
      const limited = await admin(gateway(), user, { method: "PATCH", body: { probes_per_day_max: 5 } });
      expect(limited.body).toMatchObject({
        probes_per_day_max: 5,
        used_today: 3,
        rate_probes_per_sec_max: null,
      });
      expect([await submit(3), await submit(2)]).toEqual([429, 200]);
      await admin(gateway(), user, { method: "PATCH", body: { probes_per_day_max: null } });
      expect(await submit(3)).toBe(200);
      const unknown = await admin(gateway(), user, { method: "PATCH", body: { probes_per_day: 5 } });
      expect([unknown.status, unknown.body.message]).toEqual([
        422,
        "Cannot use the body: probes_per_day is unknown; " +
          "known here: probes_per_day_max, rate_probes_per_sec_max, may_record_packets",
      ]);
    });

    test("a suspended user sees why, and another user is not affected", async () => {
      await AgentCaller.ready(gateway(), "suspending-agent");
      const submit = (user: string) =>
        gateway().submit(user, { metadata: [{ id: "suspending-agent" }], probes: probeArrays(1) });
      expect((await submit("rude")).status).toBe(200);
      await admin(gateway(), `/users/${hashOf("rude")}/suspend`, { body: { reason: "scans a hospital" } });
      const refused = await submit("rude");
      expect([refused.status, await refused.json()]).toMatchObject([
        403,
        { code: "user_suspended", message: "Your account is suspended: scans a hospital" },
      ]);
      expect((await submit("polite")).status).toBe(200);
      const found = await admin(gateway(), `/users?suspended=true&hash=${hashOf("rude").slice(0, 10)}`);
      expect(found.body).toMatchObject([{ user_hash: hashOf("rude"), suspended_reason: "scans a hospital" }]);
      await admin(gateway(), `/users/${hashOf("rude")}/resume`, { method: "POST" });
      expect((await submit("rude")).status).toBe(200);
    });

    test("lists are paged by a link", async () => {
      const prefixes = ["198.51.100.0/26", "198.51.100.64/26", "198.51.100.128/26"];
      for (const prefix of prefixes) {
        await admin(gateway(), "/blocklist", { body: { prefix, reason: "paging" } });
      }
      const seen: unknown[] = [];
      let path: string | undefined = "/admin/blocklist?limit=2";
      while (path !== undefined) {
        const response: Response = await gateway().ask(gateway().services.adminKey, path);
        seen.push(...((await response.json()) as { prefix: string }[]).map(({ prefix }) => prefix));
        path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
      }
      expect(seen).toEqual(expect.arrayContaining(prefixes));
      expect(new Set(seen).size).toBe(seen.length);
      for (const prefix of prefixes) {
        await admin(gateway(), `/blocklist/${encodeURIComponent(prefix)}`, { method: "DELETE" });
      }
    });

    test("every change is recorded with who, what and how, and nobody can change the record", async () => {
      const agent = await AgentCaller.ready(gateway(), "audited");
      await admin(gateway(), "/agents/audited", {
        method: "PATCH",
        body: { paused: true, location: "Oslo" },
      });
      await admin(gateway(), "/agents/audited/desired", {
        method: "PUT",
        body: { main: { probing_rate: 5 } },
      });
      const { body } = await admin(gateway(), "/agents/audited/keys", { body: {} });
      const [key] = body.keys as { key_id: string }[];
      await admin(gateway(), `/agents/audited/keys/${key?.key_id}`, { method: "DELETE" });
      await admin(gateway(), "/agents/audited", { method: "DELETE" });
      const entries = (await audit("agent:audited")).toReversed();
      expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
        ["admin", "agent.create"],
        ["agent:audited", "agent.register"],
        ["agent:audited", "agent.config"],
        ["admin", "agent.change"],
        ["admin", "agent.desire"],
        ["admin", "agent.key"],
        ["admin", "agent.revoke"],
        ["admin", "agent.retire"],
      ]);
      expect(entries[3]?.details).toEqual({ paused: true, location: "Oslo" });
      expect(JSON.stringify(entries)).not.toContain(agent.key);
      const { sql } = gateway().services.database;
      await sql`DELETE FROM audit`;
      await sql`UPDATE audit SET actor = 'nobody'`;
      expect((await audit("agent:audited")).toReversed()).toEqual(entries);
    });
  });
}
