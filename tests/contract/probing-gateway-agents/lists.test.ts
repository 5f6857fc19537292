/** Files of destinations, and reserved ranges: read at start, read again when they change, kept when they go bad. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { until } from "../../run/until.ts";
import { GatewayHome } from "../probing-gateway/gateway-home.ts";
import { AgentCaller } from "./callers.ts";

describe("lists of destinations", () => {
  let database: EngineHome;
  let folder: string;
  beforeAll(async () => {
    database = await startEngine();
    folder = mkdtempSync(join(tmpdir(), "vantage-lists-"));
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  let files = 0;
  const listFile = (text: string): string => {
    const path = join(folder, `list-${files++}`);
    writeFileSync(path, text);
    return path;
  };
  const start = async (safety: string) =>
    GatewayHome.start({ databaseAddress: await database.freshDatabase(), safety });
  const statusOf = async (gateway: GatewayHome, destination: string): Promise<number> => {
    const probe = [destination, 24_000, 33_434, 5, "udp"];
    const response = await gateway.submit("user", { metadata: [{ id: "sender" }], probes: [probe] });
    return response.status;
  };
  test("a blocklist is followed, keeps its last good version, and is good again", async () => {
    const path = listFile("# asked for\n8.8.8.0/24\n");
    await using gateway = await start(`{ blocklist_file: "${path}" }`);
    const agent = await AgentCaller.ready(gateway, "sender", { src_ipv4_prefix: "192.0.2.0/24" });
    expect([await statusOf(gateway, "8.8.8.8"), await statusOf(gateway, "9.9.9.9")]).toEqual([422, 200]);
    writeFileSync(path, "9.9.9.9\n");
    await until(async () => (await statusOf(gateway, "9.9.9.9")) === 422);
    expect(await statusOf(gateway, "8.8.8.8")).toBe(200);
    writeFileSync(path, "9.9.9.9\n8.8.8.8/24 # a typo\n");
    await until(async () => {
      await gateway.services.safety.destinations();
      return gateway.logged.some((line) => line.includes("Keeping the last good blocklist"));
    });
    expect(gateway.logged.join("")).toContain(
      `Cannot use the list ${path}: line 2: \\"8.8.8.8/24\\" is not a prefix`,
    );
    expect([await statusOf(gateway, "9.9.9.9"), await statusOf(gateway, "8.8.8.8")]).toEqual([422, 200]);
    rmSync(path);
    await gateway.services.safety.reload();
    expect(await statusOf(gateway, "9.9.9.9")).toBe(422);
    const metrics = await (await gateway.ask(null, "/metrics")).text();
    expect(metrics).toContain('vantage_gateway_bad_lists_total{list="blocklist"} 2');
    writeFileSync(path, "8.8.0.0/16\n");
    await gateway.services.safety.reload();
    expect([await statusOf(gateway, "9.9.9.9"), await statusOf(gateway, "8.8.4.4")]).toEqual([200, 422]);
    const { body } = await agent.get("/blocklist");
    expect(body.blocked).toContain("8.8.0.0/16");
  });

  test("with an allowlist, only what it holds is probed, and of that not what is blocked", async () => {
    const allowed = listFile("9.9.0.0/16\n2620:fe::/48\n");
    const blocked = listFile("9.9.9.0/24\n");
    await using gateway = await start(`{ allowlist_file: "${allowed}", blocklist_file: "${blocked}" }`);
    const agent = await AgentCaller.ready(gateway, "sender", { src_ipv4_prefix: "192.0.2.0/24" });
    const destinations = ["9.9.8.1", "2620:fe::9", "9.9.9.9", "8.8.8.8"];
    const statuses: number[] = [];
    for (const destination of destinations) {
      statuses.push(await statusOf(gateway, destination));
    }
    expect(statuses).toEqual([200, 200, 422, 422]);
    expect((await agent.get("/blocklist")).body.allowed).toEqual(["9.9.0.0/16", "2620:fe::/48"]);
  });

  test("reserved ranges are refused with the reason, unless the operator says otherwise", async () => {
    await using strict = await start("{}");
    await AgentCaller.ready(strict, "sender", { src_ipv4_prefix: "192.0.2.0/24" });
    const probes = [["10.1.2.3", 24_000, 33_434, 5, "udp"]];
    const response = await strict.submit("user", { metadata: [{ id: "sender" }], probes });
    const { message } = (await response.json()) as { message: string };
    expect([response.status, message]).toEqual([
      422,
      "Probe at index 0 must not be sent: it lies in 10.0.0.0/8 (private use, RFC 1918), " +
        "which this gateway allows only with safety.block_reserved_ranges: false",
    ]);
    expect([await statusOf(strict, "fe80::1"), await statusOf(strict, "2606:4700::1111")]).toEqual([
      422, 200,
    ]);
    const disguised = [
      "2002:a01:203::1",
      "2001:0:909:909::f5fe:fdfc",
      "64:ff9b::a01:203",
      "::a01:203",
      "6000::1",
    ];
    expect(await Promise.all(disguised.map((text) => statusOf(strict, text)))).toEqual(
      disguised.map(() => 422),
    );
    expect(await statusOf(strict, "2002:909:909::1")).toBe(200);
    await using lax = await start("{ block_reserved_ranges: false }");
    await AgentCaller.ready(lax, "sender", { src_ipv4_prefix: "192.0.2.0/24" });
    expect(await statusOf(lax, "10.1.2.3")).toBe(200);
  });

  test("a gateway does not start with a list that is bad or not there", async () => {
    const bad = listFile("10.0.0.0/8\nnonsense\n");
    await expect(start(`{ blocklist_file: "${bad}" }`)).rejects.toThrow(`Cannot use the list ${bad}: line 2`);
    const missing = join(folder, "missing");
    await expect(start(`{ allowlist_file: "${missing}" }`)).rejects.toThrow(
      `Cannot read the list ${missing}`,
    );
  });
});
