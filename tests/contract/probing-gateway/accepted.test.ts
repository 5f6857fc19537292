/** POST /api/probes: what is accepted, in every form, and what agents are sent for it. */
import { expect, test } from "bun:test";
import type { SubmissionAnswer } from "../../../apps/probing/gateway/submit/acceptance.ts";
import { ProbeCursor } from "../../../lib/net/wire/probe-codec.ts";
import { addAgent, probeArrays, probeText } from "./gateway-home.ts";
import { onBothEngines } from "./on-both-engines.ts";

onBothEngines((gateway) => {
  const used = async (user: string) => (await gateway().json(user, "/api/user/me")).used;

  test("an existing client's body reaches the agents, and is charged for each of them", async () => {
    const { user_id, agents } = await gateway().json("test-user-id", "/api/user/prefixes");
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
    const response = await gateway().submit("test-user-id", { metadata, probes: probeArrays(1500) });
    expect(response.status).toBe(200);
    const answer = (await response.json()) as SubmissionAnswer;
    expect<object>(answer).toEqual({
      measurement_id: answer.id,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      probes: 3000,
      agents: metadata.slice(0, 2),
      rejected: [{ id: "ill", ip_address: "2001:db8:1234:c95b:3f80::1", reason: "the agent is not healthy" }],
      request_id: expect.any(String),
    });
    const records = await gateway().records(answer.id);
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
    const request_id = expect.any(String);
    const header = { src_ip: source, end_of_measurement: isLast, first_probe: firstProbe, request_id };
    const some = expect.any(Number);
    const rates = { user_address_rate: some, address_rate: some, network_rate: some };
    const crowd = { agents: some, known_at_ms: some };
    return { ...header, share: { user: expect.stringMatching(/^[\w-]{10}$/), ...crowd, ...rates } };
  }

  test.each<[string, string, string | Uint8Array, string, Record<string, string>]>([
    ["probe lines", "text/csv", "# two\n192.0.2.1,0,0,1,ICMP\n\n2001:db8::1,1,2,3,tcp\n", "?agents=west", {}],
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
      [
        '{"metadata":[{"id":"west"}]}',
        '["192.0.2.1",0,0,1,"icmp"]',
        '{"dst":"2001:db8::1","src_port":1,"dst_port":2,"ttl":3,"protocol":"tcp"}',
      ].join("\n"),
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
    const response = await gateway().submit(user, body, { type, query, headers });
    const answer = (await response.json()) as SubmissionAnswer;
    expect<unknown[]>([response.status, answer]).toEqual([
      200,
      {
        id: expect.any(String),
        measurement_id: expect.any(String),
        probes: 2,
        agents: [{ id: "west", ip_address: null }],
        rejected: [],
        request_id: expect.any(String),
      },
    ]);
    const [record, ...more] = await gateway().records(answer.id);
    expect([record?.value.length, more.length]).toEqual([96, 0]);
    expect(headersOf(record?.headers ?? {})).toEqual({ west: sent(0, true, "") });
  });

  test("two sources of one agent are two targets, in records of their own", async () => {
    const response = await gateway().submit("two sources", probeText(3), {
      type: "text/csv",
      query: "?agents=west,west:192.0.2.7",
    });
    const answer = (await response.json()) as SubmissionAnswer;
    expect(answer.probes).toBe(6);
    const records = await gateway().records(answer.id);
    expect(records.map(({ headers }) => headersOf(headers))).toEqual([
      { west: sent(0, false, "") },
      { west: sent(0, true, "192.0.2.7") },
    ]);
    const status = await gateway().json("two sources", `/api/measurement/${answer.id}/status`);
    expect(status).toMatchObject({
      total_agents: 1,
      total_expected_probes: 6,
      agents: [{ agent_id: "west", expected_probes: 6, status: "queued" }],
    });
  });

  test("a large one goes out in several turns, each probe once and in order", async () => {
    const response = await gateway().submit("large", probeText(9500), {
      type: "text/csv",
      query: "?agents=west",
    });
    const { id } = (await response.json()) as SubmissionAnswer;
    const records = await gateway().records(id);
    const firsts = records.map(({ headers }) => JSON.parse(headers.west ?? "{}").first_probe);
    expect(firsts).toEqual([0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000]);
    const ttls = probeArrays(9500).map(([, , , ttl]) => Number(ttl));
    expect(records.flatMap(({ value }) => ttlsOf(value))).toEqual(ttls);
  });

  test("records are as small as the slowest agent asks", async () => {
    await addAgent(gateway(), "slow", { rate: 2 });
    const response = await gateway().submit("slow", probeText(50), {
      type: "text/csv",
      query: "?agents=west,slow",
    });
    const { id } = (await response.json()) as SubmissionAnswer;
    expect((await gateway().records(id)).map(({ value }) => value.length / 48)).toEqual([20, 20, 10]);
  });
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
