/**
 * `vantage doctor` of an agent and of both gateways at HTTP servers whose answers are hostile: to terminals and
 * spreadsheets, by their length, as no JSON, as no UTF-8, and without an end.
 */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PeakMemory } from "../../bench/peak-memory.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { hostile } from "../cli/hostile-gateway.ts";
import { subjectKey } from "../peering-gateway/peering-home.ts";
import { hostileParts } from "./obeyed.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-doctor-http-"));

const markup = `<script>alert(1)</script>&lt;${hostile}`;
const long = hostile + "x".repeat(1 << 20);
/** Answers to whatever is asked: `/health`, `/ready`, `/metrics`, an issuer's document, the agent API. */
const bodies: Record<string, () => string | Uint8Array<ArrayBuffer> | ReadableStream> = {
  text: () => markup,
  json: () => JSON.stringify({ status: markup, reasons: [markup, { a: 1 }], message: markup, code: markup }),
  long: () => JSON.stringify({ status: long, reasons: Array(100).fill(long.slice(0, 9000)), message: long }),
  shapes: () => '{"status":{"toString":1},"reasons":{"length":9e9},"message":{"__proto__":[]},"version":[]}',
  deep: () => "[".repeat(2 << 20),
  names: () => `{"${"broker_".repeat(200_000)}":"unavailable","=cmd()":"unavailable"}`,
  bytes: () => new Uint8Array([0xff, 0xfe, 0xc0, 0xaf, 0x1b, 0x5b, 0x32, 0x4a, 0xed, 0xa0, 0x80, 0x9b, 0x0a]),
  endless: () => {
    const piece = new TextEncoder().encode(hostile.repeat(4096));
    return new ReadableStream({
      type: "bytes",
      pull: (controller) => controller.enqueue(piece.slice()),
    });
  },
};
let body: keyof typeof bodies = "text";
let asked = 0;
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => {
    asked++;
    const { pathname } = new URL(request.url);
    const status = pathname === "/metrics" ? 200 : 503;
    const headers = { date: hostile.replaceAll(/[^ -~]/g, "?"), "content-type": "application/json" };
    // The client of the column store, an engine of the operator's own, reads errors whole.
    const name = body === "endless" && pathname === "/" ? "long" : body;
    return new Response(bodies[name]?.() ?? "", { status, headers });
  },
});
afterAll(async () => {
  await server.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

const address = `127.0.0.1:${server.port}`;
const url = `http://${address}`;
const gateway = `gateway: {address: "${address}", state_dir: ${folder}}
oidc: {issuer: "${url}", audiences: [a]}
`;
writeFileSync(join(folder, "probing-gateway.yaml"), `${gateway}store: {address: "${url}"}\n`);
const peering = `leases: {pool: ["2001:db8:1::/48"]}\nsubjects: {keys: [${subjectKey}]}\n`;
writeFileSync(join(folder, "peering-gateway.yaml"), `${gateway}${peering}`);
writeFileSync(
  join(folder, "agent.yaml"),
  `agent: {id: east, metrics_address: "${address}", state_dir: ${folder}}
gateway: {url: "${url}", agent_key: ${"k".repeat(20)}, agent_secret: ${"s".repeat(20)}}
kafka: {brokers: "embedded:${folder}/broker"}
prober: [{name: dry, dry_run: true}]
`,
);

async function run(part: string, file: string, format: string) {
  const child = Bun.spawn([...vantageCommand, "doctor", part, "--config", join(folder, file), "-o", format], {
    env: { PATH: process.env.PATH },
    stdout: "pipe",
    stderr: "pipe",
  });
  using memory = new PeakMemory(child.pid);
  const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  return { code, text: said.join(""), memoryMb: memory.megabytes };
}

const parts = [
  ["agent", "agent.yaml", ["gateway", "agent"]],
  ["gateway", "probing-gateway.yaml", ["issuer", "probing gateway", "ready", "column store"]],
  ["gateway", "peering-gateway.yaml", ["issuer", "peering gateway", "ready"]],
] as const;
/** A line of our own has 1,000 characters of theirs, each written as 6 at most, and some words. */
const lineCharsMax = 7000;
const memoryMbMax = 400;

test.each(parts.flatMap((part) => Object.keys(bodies).map((name) => [...part, name] as const)))(
  "%s by %s: %j, answered with %s",
  async (part, file, looks, name) => {
    body = name;
    for (const format of name === "json" ? ["table", "csv", "json", "ndjson"] : ["table"]) {
      const before = asked;
      const { code, text, memoryMb } = await run(part, file, format);
      expect(asked).toBeGreaterThan(before);
      expect({ format, obeyed: hostileParts(text) }).toEqual({ format, obeyed: [] });
      expect(text).not.toMatch(/^vantage: all is well/m);
      expect(text).not.toMatch(/(^|,)"?[=+@]/m);
      expect(code).toBe(1);
      expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThan(lineCharsMax);
      expect(memoryMb).toBeLessThan(memoryMbMax);
      const found = text.split("\n");
      expect(
        looks.filter((look) => !found.some((line) => /fail|warn/.test(line) && line.includes(look))),
      ).toEqual([]);
    }
  },
);
