/**
 * POST /api/probes: what is refused, with status, code and message (docs/operate/probing-gateway.md); it leaves no
 * trace.
 */
import { expect, test } from "bun:test";
import { probeArrays } from "./gateway-home.ts";
import { onBothEngines } from "./on-both-engines.ts";

onBothEngines((gateway) => {
  const used = async (user: string) => (await gateway().json(user, "/api/user/me")).used;

  const good = probeArrays(2);
  const own = { id: "west", ip_address: "2001:db8:1234:c95b:3f80::1" };
  const json = "application/json";
  type Case = [name: string, body: unknown, status: number, code: string, message: string, options?: object];
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
      "a source that is not an address",
      { metadata: [{ id: "west", ip_address: "x" }], probes: good },
      400,
      "invalid_target",
      "Invalid IP address for agent 'west': x",
    ],
    [
      "a source with a port",
      { metadata: [{ id: "west", ip_address: "192.0.2.1:80" }], probes: good },
      400,
      "invalid_target",
      "Invalid IP address for agent 'west': 192.0.2.1:80, " +
        "which has a port: write 192.0.2.1, and give port 80 by itself",
    ],
    [
      "a probe to a bracketed address",
      { metadata: [own], probes: [["[2001:db8::1]", 1, 2, 3, "udp"]] },
      400,
      "invalid_probe",
      'Probe validation failed: Probe at index 0: "[2001:db8::1]" is not an IP address as lines have it: ' +
        "write 2001:db8::1",
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
      "probes that are not an array",
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
      "Probe lines contain no agents",
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
    const response = await gateway().submit("test-user-id", body, { type: json, ...options });
    const problem = (await response.json()) as { message: string };
    expect([response.status, problem]).toEqual([
      status,
      expect.objectContaining({ status, code, error: status, detail: problem.message }),
    ]);
    expect(problem.message).toStartWith(message);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await used("test-user-id")).toBe(before);
    expect(gateway().services.spoolFolder.list()).toEqual([]);
    expect(gateway().services.spoolFolder.bytes).toBe(0);
  });

  test("a token is needed", async () => {
    const response = await gateway().ask(null, "/api/probes", { method: "POST" });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: "Authorization header is missing" });
  });

  test("of many bad lines the first are named", async () => {
    const response = await gateway().submit("many", "x\n".repeat(1000), {
      type: "text/csv",
      query: "?agents=west",
    });
    const { fields } = (await response.json()) as { fields: { path: string }[] };
    expect(fields.map(({ path }) => path)).toEqual(Array.from({ length: 10 }, (_, i) => `line ${i + 1}`));
  });

  test("429 says what is left and when to come again", async () => {
    await gateway().submit("figures", { metadata: [{ id: "west" }], probes: probeArrays(9_999) });
    const response = await gateway().submit("figures", {
      metadata: [{ id: "west" }],
      probes: probeArrays(2),
    });
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ used: 9999, limit: 10_000, requested: 2, remaining: 1 });
    const after = Number(response.headers.get("retry-after"));
    expect(after > 0 && after <= 86_400).toBe(true);
  });
});
