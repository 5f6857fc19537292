/** POST /api/probes: what is accepted, what is refused, and what agents are sent; on both engines of the database. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SubmissionAnswer } from "../../../apps/probing-gateway/submit/acceptance.ts";
import { ProbeCursor } from "../../../lib/wire/probe-codec.ts";
import { type EngineHome, engines, startEngine } from "../../postgres/engines.ts";
import { addAgent, GatewayHome, probeArrays, probeText } from "./gateway-home.ts";

describe.each(engines)("on %s", (engine) => {
  let database: EngineHome;
  let gateway: GatewayHome;

  beforeAll(async () => {
    database = await startEngine(engine);
    gateway = await GatewayHome.start({ databaseAddress: await database.freshDatabase() });
    await addAgent(gateway, "west");
    await addAgent(gateway, "east", { prefixes: ["2001:db8:5678::/64"] });
    await addAgent(gateway, "ill", { healthy: false });
    await addAgent(gateway, "gone", { isOnline: false });
    await addAgent(gateway, "held", { paused: true });
    await addAgent(gateway, "silent", { isSilent: true });
  }, 60_000);
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  const used = async (user: string) => (await gateway.json(user, "/api/user/me")).used;

  describe("what is accepted", () => {
    test("an existing client's body reaches the agents, and is charged for each of them", async () => {
      const { user_id, agents } = await gateway.json("test-user-id", "/api/user/prefixes");
      expect(user_id).toBe(3378200448);
      expect(agents).toMatchObject(
        [
          { agent_id: "east", prefixes: [{ user_prefix: "2001:db8:5678:0:c95b:3f80::/96" }] },
          { agent_id: "held" },
          { agent_id: "gone" },
          { agent_id: "ill" },
          { agent_id: "west", prefixes: [{ user_prefix: "2001:db8:1234:c95b:3f80::/80" }] },
        ].sort((a, b) => a.agent_id.localeCompare(b.agent_id)),
      );
      const metadata = [
        { id: "west", ip_address: "2001:db8:1234:c95b:3f80::1" },
        { id: "east", ip_address: "2001:db8:5678:0:c95b:3f80:0:1" },
        { id: "ill", ip_address: "2001:db8:1234:c95b:3f80::1" },
      ];
      const response = await gateway.submit("test-user-id", { metadata, probes: probeArrays(1500) });
      expect(response.status).toBe(200);
      const answer = (await response.json()) as SubmissionAnswer;
      expect(answer).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        probes: 3000,
        agents: metadata.slice(0, 2),
        rejected: [
          { id: "ill", ip_address: "2001:db8:1234:c95b:3f80::1", reason: "the agent is not healthy" },
        ],
      });
      const records = await gateway.records(answer.id);
      expect(records.map(({ headers }) => headersOf(headers))).toEqual([
        {
          west: sent(0, false, "2001:db8:1234:c95b:3f80::1"),
          east: sent(0, false, "2001:db8:5678:0:c95b:3f80:0:1"),
        },
        {
          west: sent(1000, true, "2001:db8:1234:c95b:3f80::1"),
          east: sent(1000, true, "2001:db8:5678:0:c95b:3f80:0:1"),
        },
      ]);
      expect(records.flatMap(({ value }) => ttlsOf(value))).toEqual(
        probeArrays(1500).map(([, , , ttl]) => Number(ttl)),
      );
      expect(await used("test-user-id")).toBe(3000);
    });

    function sent(firstProbe: number, isLast: boolean, source: string) {
      return { src_ip: source, end_of_measurement: isLast, first_probe: firstProbe };
    }

    test.each<[string, string, string | Uint8Array, string, Record<string, string>]>([
      [
        "probe lines",
        "text/csv",
        "# two\n192.0.2.1,0,0,1,ICMP\n\n2001:db8::1,1,2,3,tcp\n",
        "?agents=west",
        {},
      ],
      [
        "plain text",
        "text/plain; charset=utf-8",
        "192.0.2.1,1,2,3,udp\r\n2001:db8::1,1,2,3,udp",
        "?agents=west",
        {},
      ],
      [
        "NDJSON with its targets",
        "application/x-ndjson",
        '{"metadata":[{"id":"west"}]}\n["192.0.2.1",0,0,1,"icmp"]\n{"dst":"2001:db8::1","src_port":1,"dst_port":2,"ttl":3,"protocol":"tcp"}\n',
        "",
        {},
      ],
      [
        "NDJSON with targets in the query",
        "application/x-ndjson",
        '["192.0.2.1",0,0,1,"icmp"]\n["2001:db8::1",1,2,3,"ICMPv6"]',
        "?agents=west",
        {},
      ],
      [
        "JSON with targets in the query",
        "application/json",
        '{"probes":[["192.0.2.1",1,2,1,"icmp"],["2001:db8::1",1,2,3,"tcp"]]}',
        "?agents=west",
        {},
      ],
      [
        "gzip",
        "text/csv",
        Bun.gzipSync("192.0.2.1,1,2,3,udp\n2001:db8::1,1,2,3,udp\n"),
        "?agents=west",
        { "content-encoding": "gzip" },
      ],
    ])("%s", async (name, type, body, query, headers) => {
      const user = `forms ${name}`;
      const response = await gateway.submit(user, body, { type, query, headers });
      const answer = (await response.json()) as SubmissionAnswer;
      expect([response.status, answer]).toEqual([
        200,
        { id: expect.any(String), probes: 2, agents: [{ id: "west", ip_address: null }], rejected: [] },
      ]);
      const [record, ...more] = await gateway.records(answer.id);
      expect([record?.value.length, more.length]).toEqual([96, 0]);
      expect(headersOf(record?.headers ?? {})).toEqual({ west: sent(0, true, "") });
    });

    test("two sources of one agent are two targets, in records of their own", async () => {
      const response = await gateway.submit("two sources", probeText(3), {
        type: "text/csv",
        query: "?agents=west,west:192.0.2.7",
      });
      const answer = (await response.json()) as SubmissionAnswer;
      expect(answer.probes).toBe(6);
      const records = await gateway.records(answer.id);
      expect(records.map(({ headers }) => headersOf(headers))).toEqual([
        { west: sent(0, false, "") },
        { west: sent(0, true, "192.0.2.7") },
      ]);
      const status = await gateway.json("two sources", `/api/measurement/${answer.id}/status`);
      expect(status).toMatchObject({
        total_agents: 1,
        total_expected_probes: 6,
        agents: [{ agent_id: "west", expected_probes: 6, status: "queued" }],
      });
    });

    test("records are as small as the slowest agent asks", async () => {
      await addAgent(gateway, "slow", { rate: 2 });
      const response = await gateway.submit("slow", probeText(50), {
        type: "text/csv",
        query: "?agents=west,slow",
      });
      const { id } = (await response.json()) as SubmissionAnswer;
      expect((await gateway.records(id)).map(({ value }) => value.length / 48)).toEqual([20, 20, 10]);
    });
  });

  describe("what is refused leaves no trace", () => {
    const good = probeArrays(2);
    const own = { id: "west", ip_address: "2001:db8:1234:c95b:3f80::1" };
    const json = "application/json";
    type Case = [
      name: string,
      body: unknown,
      status: number,
      code: string,
      message: string,
      options?: object,
    ];
    const cases: Case[] = [
      ["no probes", { metadata: [own], probes: [] }, 400, "no_probes", "Probe list cannot be empty"],
      [
        "no probes before any other fault",
        { metadata: [{ id: "x", ip_address: "y" }], probes: [] },
        400,
        "no_probes",
        "Probe list cannot be empty",
      ],
      [
        "a short probe",
        { metadata: [own], probes: [...good, ["2001:db8::1", 1, 2, 3]] },
        400,
        "invalid_probe",
        "Probe validation failed: Probe at index 2: Expected an array of 5: [dst, src_port, dst_port, ttl, protocol]",
      ],
      [
        "a bad address",
        { metadata: [own], probes: [["host", 1, 2, 3, "udp"]] },
        400,
        "invalid_probe",
        'Probe validation failed: Probe at index 0: "host" is not an IP address',
      ],
      [
        "port 0 in JSON",
        { metadata: [own], probes: [["2001:db8::1", 0, 2, 3, "udp"]] },
        400,
        "invalid_probe",
        "Probe validation failed: Probe at index 0: Ports must be between 1 and 65535",
      ],
      [
        "a port too high",
        { metadata: [own], probes: [["2001:db8::1", 1, 65536, 3, "udp"]] },
        400,
        "invalid_probe",
        'Probe validation failed: Probe at index 0: Destination port "65536" is not a number from 0 to 65535',
      ],
      [
        "TTL 0",
        { metadata: [own], probes: [["2001:db8::1", 1, 2, 0, "udp"]] },
        400,
        "invalid_probe",
        'Probe validation failed: Probe at index 0: TTL "0" is not a number from 1 to 255',
      ],
      [
        "an unknown protocol",
        { metadata: [own], probes: [["2001:db8::1", 1, 2, 3, "sctp"]] },
        400,
        "invalid_probe",
        'Probe validation failed: Probe at index 0: Protocol "sctp" is not one of udp, icmp, icmpv6, tcp',
      ],
      [
        "ICMP to IPv6",
        { metadata: [own], probes: [["2001:db8::1", 1, 2, 3, "icmp"]] },
        400,
        "invalid_probe",
        "Probe validation failed: Probe at index 0: Protocol icmp cannot go to 2001:db8::1: use icmpv6",
      ],
      [
        "a source that is no address",
        { metadata: [{ id: "west", ip_address: "x" }], probes: good },
        400,
        "invalid_target",
        "Invalid IP address for agent 'west': x",
      ],
      [
        "the same target twice",
        { metadata: [own, own], probes: good },
        400,
        "invalid_target",
        "Agent 'west' is given twice with the same source",
      ],
      [
        "another user's source",
        { metadata: [{ id: "west", ip_address: "2001:db8:1234:c95b:3f81::1" }], probes: good },
        403,
        "source_not_yours",
        "IP address 2001:db8:1234:c95b:3f81::1 is not within your allocated prefix",
      ],
      [
        "an IPv4 source of nobody",
        { metadata: [{ id: "west", ip_address: "198.51.100.1" }], probes: good },
        403,
        "source_not_yours",
        "IP address 198.51.100.1 is not within an IPv4 prefix of agent 'west'",
      ],
      [
        "nobody to probe",
        { metadata: [], probes: good },
        400,
        "no_healthy_agents",
        "No healthy agents found for the requested measurement",
      ],
      [
        "agents that cannot",
        { metadata: ["nobody", "ill", "gone", "held"].map((id) => ({ id })), probes: good },
        400,
        "no_healthy_agents",
        "No healthy agents found for the requested measurement",
      ],
      [
        "a source at a silent agent",
        { metadata: [{ id: "silent", ip_address: "2001:db8::1" }], probes: good },
        400,
        "no_healthy_agents",
        "No healthy agents found for the requested measurement",
      ],
      [
        "no metadata",
        { probes: good },
        422,
        "invalid_body",
        'Missing "metadata": [{"id": AGENT, "ip_address": SOURCE}, …]',
      ],
      [
        "metadata of another shape",
        { metadata: [{ ip: "x" }], probes: good },
        422,
        "invalid_body",
        "Cannot use metadata.0.id",
      ],
      ["no probes member", { metadata: [own] }, 422, "invalid_body", 'Missing "probes": […]'],
      [
        "probes that are no array",
        { metadata: [own], probes: 7 },
        422,
        "invalid_body",
        'Missing "probes": […]',
      ],
      ["half a JSON", '{"metadata":[', 400, "invalid_json", "The JSON ends too early"],
      ["no JSON", "hello", 400, "invalid_json", 'Unexpected "h" in JSON at byte 0'],
      [
        "another type",
        "x",
        415,
        "unsupported_media_type",
        "Send application/json",
        { type: "application/xml" },
      ],
      [
        "lines without targets",
        "192.0.2.1,1,2,3,udp",
        422,
        "missing_agents",
        "Probe lines do not say who is to probe",
        { type: "text/csv" },
      ],
      [
        "a bad line",
        "192.0.2.1,1,2,3,udp\n# x\n192.0.2.1,1,2\n",
        400,
        "invalid_probe",
        "Probe validation failed: Line 3: Expected 5 fields",
        { type: "text/csv", query: "?agents=west" },
      ],
      [
        "bad targets",
        "192.0.2.1,1,2,3,udp",
        400,
        "invalid_query",
        "Agent id",
        { type: "text/csv", query: `?agents=${"a".repeat(300)}` },
      ],
      [
        "NDJSON without a head",
        '["192.0.2.1",1,2,3,"udp"]',
        422,
        "invalid_body",
        'Missing "metadata"',
        { type: "application/x-ndjson" },
      ],
      [
        "NDJSON with a bad line",
        '{"metadata":[{"id":"west"}]}\n[1]',
        400,
        "invalid_probe",
        "Probe validation failed: Line 2: Expected an array of 5",
        { type: "application/x-ndjson" },
      ],
      [
        "broken gzip",
        "x",
        400,
        "malformed_gzip",
        "Cannot unpack the body",
        { type: "text/csv", query: "?agents=west", headers: { "content-encoding": "gzip" } },
      ],
      [
        "another encoding",
        "x",
        415,
        "unsupported_encoding",
        "Cannot read this Content-Encoding",
        { type: "text/csv", query: "?agents=west", headers: { "content-encoding": "br" } },
      ],
      [
        "a bad idempotency key",
        { metadata: [own], probes: good },
        400,
        "invalid_idempotency_key",
        "An Idempotency-Key has 1 to 255",
        { headers: { "idempotency-key": "x".repeat(256) } },
      ],
      [
        "too many for the day",
        { metadata: [own], probes: probeArrays(10_001) },
        429,
        "quota_exceeded",
        "Daily probe limit exceeded",
      ],
      [
        "too many for the day, and nobody to probe",
        { metadata: [{ id: "nobody" }], probes: probeArrays(10_001) },
        429,
        "quota_exceeded",
        "Daily probe limit exceeded",
      ],
    ];
    const whole = cases.map(([name, body, status, code, message, options = {}]) => ({
      name,
      body,
      status,
      code,
      message,
      options,
    }));
    test.each(whole)("$name", async ({ body, status, code, message, options }) => {
      // The user of the vectors, without what the first test charged.
      const before = await used("test-user-id");
      const response = await gateway.submit("test-user-id", body, { type: json, ...options });
      const problem = (await response.json()) as { message: string };
      expect([response.status, problem]).toEqual([
        status,
        expect.objectContaining({ status, code, error: status, detail: problem.message }),
      ]);
      expect(problem.message).toStartWith(message);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(await used("test-user-id")).toBe(before);
      expect(gateway.services.spoolFolder.list()).toEqual([]);
      expect(gateway.services.spoolFolder.bytes).toBe(0);
    });

    test("a token is needed", async () => {
      const response = await gateway.ask(null, "/api/probes", { method: "POST" });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: "Authorization header is missing" });
    });

    test("of many bad lines the first are named", async () => {
      const response = await gateway.submit("many", "x\n".repeat(1000), {
        type: "text/csv",
        query: "?agents=west",
      });
      const { fields } = (await response.json()) as { fields: { path: string }[] };
      expect(fields.map(({ path }) => path)).toEqual(Array.from({ length: 10 }, (_, i) => `line ${i + 1}`));
    });

    test("429 says what is left and when to come again", async () => {
      await gateway.submit("figures", { metadata: [{ id: "west" }], probes: probeArrays(9_999) });
      const response = await gateway.submit("figures", {
        metadata: [{ id: "west" }],
        probes: probeArrays(2),
      });
      expect(response.status).toBe(429);
      expect(await response.json()).toMatchObject({ used: 9999, limit: 10_000, requested: 2, remaining: 1 });
      const after = Number(response.headers.get("retry-after"));
      expect(after > 0 && after <= 86_400).toBe(true);
    });
  });

  describe("an Idempotency-Key", () => {
    const body = { metadata: [{ id: "west" }], probes: probeArrays(3) };
    const headers = { "idempotency-key": "k-1" };

    test("makes a repetition the same measurement, charged once", async () => {
      const first = await (await gateway.submit("again", body, { headers })).json();
      const second = await gateway.submit("again", body, { headers });
      expect([second.status, await second.json()]).toEqual([200, first]);
      expect(await used("again")).toBe(3);
      expect(await gateway.records((first as { id: string }).id)).toHaveLength(1);
    });

    test("holds when the quota has gone and the agents too", async () => {
      const all = { metadata: [{ id: "fickle" }], probes: probeArrays(10_000) };
      await addAgent(gateway, "fickle");
      const first = await (await gateway.submit("spent", all, { headers })).json();
      await addAgent(gateway, "fickle", { healthy: false });
      const second = await gateway.submit("spent", all, { headers });
      expect([second.status, await second.json()]).toEqual([200, first]);
    });

    test("with another content is refused", async () => {
      await gateway.submit("other", body, { headers });
      const response = await gateway.submit("other", { ...body, probes: probeArrays(4) }, { headers });
      expect([response.status, await response.json()]).toMatchObject([
        409,
        { code: "idempotency_key_reused" },
      ]);
      expect(await used("other")).toBe(3);
    });

    test("is a user's own", async () => {
      const [a, b] = await Promise.all(
        ["one", "two"].map(async (user) => (await gateway.submit(user, body, { headers })).json()),
      );
      expect((a as { id: string }).id).not.toBe((b as { id: string }).id);
    });

    test("given by 20 at once makes one measurement", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => gateway.submit("crowd", body, { headers })),
      );
      const ids = await Promise.all(answers.map(async (one) => ((await one.json()) as { id: string }).id));
      expect([new Set(ids).size, await used("crowd")]).toEqual([1, 3]);
      expect(gateway.services.spoolFolder.list().filter((id) => id !== ids[0])).toEqual([]);
    });
  });

  test("200 at once against one quota: as many as it has room for, and not one more", async () => {
    const body = { metadata: [{ id: "west" }, { id: "east" }], probes: probeArrays(500) };
    const responses = await Promise.all(Array.from({ length: 200 }, () => patiently("race", body)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200 || status === 202)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(190);
    expect(await used("race")).toBe(10_000);
  });

  /** More than the gateway reads at once get 503, and come again. */
  async function patiently(user: string, body: unknown): Promise<Response> {
    for (;;) {
      const response = await gateway.submit(user, body);
      if (response.status !== 503) {
        return response;
      }
      await Bun.sleep(10);
    }
  }
});

function headersOf(headers: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).map(([agent, text]) => {
      const { measurement_id, not_after, ...rest } = JSON.parse(text);
      expect(measurement_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(Date.parse(not_after)).toBeGreaterThan(Date.now() + 500_000);
      return [agent, rest];
    }),
  );
}

function ttlsOf(value: Uint8Array): number[] {
  const ttls: number[] = [];
  const cursor = new ProbeCursor(value);
  while (cursor.next < value.length) {
    cursor.advance();
    expect(cursor.reason).toBeNull();
    ttls.push(cursor.ttl);
  }
  return ttls;
}
