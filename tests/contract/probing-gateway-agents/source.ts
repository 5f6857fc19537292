/** Who is behind a source address, for everybody and for admins. */
import { describe, expect, test } from "bun:test";
import type { GatewayHome } from "../probing-gateway/gateway-home.ts";
import { AgentCaller, admin, call } from "./callers.ts";

export function sourceSuite(gateway: () => GatewayHome): void {
  const address = "2001:db8:aaaa:c95b:3f80::1";
  const hash = "c95b3f800751698e8f935156112885cc49789e687a3bca5def774fcf96f96ea4";

  describe("a source address", () => {
    test("names the agent, a contact, how to opt out, and a reference that does not name the user", async () => {
      const instance = { src_ipv6_prefix: "2001:db8:aaaa::/48", src_ipv4_prefix: "198.18.7.0/24" };
      await AgentCaller.ready(gateway(), "named", instance);
      await admin(gateway(), "/agents/named", {
        method: "PATCH",
        body: { location: "Rome, IT", asn: 64_500 },
      });
      await gateway().ask("test-user-id", "/api/user/prefixes");
      const { body } = await call(gateway(), null, `/source/${address}`);
      expect(body).toMatchObject({
        address,
        agents: [{ id: "named", location: "Rome, IT", asn: 64_500 }],
        reference: "2001:db8:aaaa:c95b:3f80::/80",
        contact: "noc@example.net",
      });
      expect(String(body.opt_out)).toContain("noc@example.net");
      expect(JSON.stringify(body)).not.toContain(hash.slice(0, 12));
      const shared = await call(gateway(), null, "/source/198.18.7.9");
      expect(shared.body).toMatchObject({ agents: [{ id: "named" }], reference: null });
    });

    test("is a page for a browser", async () => {
      const headers = { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" };
      const response = await gateway().ask(null, `/source/${address}`, { headers });
      expect(response.headers.get("content-type")).toContain("text/html");
      const page = await response.text();
      expect(page).toContain("Rome, IT, AS64500");
      expect(page).toContain('href="mailto:noc@example.net"');
      expect(page).not.toContain(hash.slice(0, 12));
    });

    test("has a page in which nothing of an agent is markup", async () => {
      await AgentCaller.ready(gateway(), "hostile", { src_ipv6_prefix: "2001:db8:bbbb::/48" });
      await admin(gateway(), "/agents/hostile", {
        method: "PATCH",
        body: { location: "<script>alert(1)</script>" },
      });
      const response = await gateway().ask(null, "/source/2001:db8:bbbb::1", {
        headers: { accept: "text/html" },
      });
      expect(await response.text()).not.toContain("<script>");
    });

    test("stays attributable when the agent's prefix has changed", async () => {
      const { sql } = gateway().services.database;
      await sql`UPDATE agents SET config = '[]' WHERE agent_id = 'named'`;
      gateway().services.agents.changed();
      expect((await call(gateway(), null, `/source/${address}`)).body).toMatchObject({
        agents: [{ id: "named" }],
      });
      const { body } = await admin(gateway(), `/sources/${address}`);
      expect(body).toMatchObject({
        users: [{ user_hash: hash, agent_id: "named", user_prefix: "2001:db8:aaaa:c95b:3f80::/80" }],
      });
    });

    test("names an agent that was retired, and the user whose measurement named the address", async () => {
      await AgentCaller.ready(gateway(), "leaving", { src_ipv4_prefix: "198.18.9.0/24" });
      const submitted = await gateway().ask("test-user-id", "/api/probes", {
        method: "POST",
        body: JSON.stringify({
          metadata: [{ id: "leaving", ip_address: "198.18.9.7" }],
          probes: [["9.9.9.9", 24000, 33434, 7, "udp"]],
        }),
        headers: { "content-type": "application/json" },
      });
      expect(await submitted.json()).toMatchObject({ probes: 1 });
      await admin(gateway(), "/agents/leaving", { method: "DELETE" });
      const { body } = await call(gateway(), null, "/source/198.18.9.7");
      expect(body).toMatchObject({ agents: [{ id: "leaving" }], reference: null, references: [] });
      const known = await admin(gateway(), "/sources/198.18.9.7");
      expect(known.body).toMatchObject({ users: [{ user_hash: hash, agent_id: "leaving" }] });
    });

    test("of an agent that posts prefix after prefix, the last 64 of a user are remembered", async () => {
      const { sql } = gateway().services.database;
      await AgentCaller.ready(gateway(), "restless", { src_ipv6_prefix: "2001:db8:cccc::/48" });
      await sql`
        INSERT INTO user_prefixes (user_hash, agent_id, agent_prefix, user_prefix, first_given_at)
        SELECT ${hash}, 'restless', ('2001:db8:' || to_hex(4096 + i) || '::/48')::cidr,
          ('2001:db8:' || to_hex(4096 + i) || ':c95b:3f80::/80')::cidr, now() - make_interval(hours => i)
        FROM generate_series(1, 100) AS i`;
      await gateway().ask("test-user-id", "/api/user/prefixes");
      const [kept] = await sql<{ count: number; oldest: string }[]>`
        SELECT count(*)::int AS count, max(agent_prefix)::text AS oldest FROM user_prefixes
        WHERE agent_id = 'restless' AND agent_prefix <> '2001:db8:cccc::/48'`;
      expect(kept).toEqual({ count: 63, oldest: "2001:db8:103f::/48" });
    });

    test("that is not ours, or is invalid, gets a clear answer", async () => {
      const answers = [
        await call(gateway(), null, "/source/192.0.2.99"),
        await call(gateway(), null, "/source/me"),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [404, "unknown_source"],
        [400, "invalid_address"],
      ]);
    });
  });
}
