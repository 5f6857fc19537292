/**
 * What a language model, or the program around it, can send to `vantage mcp`: each call gets an answer of bounded size
 * that prints as it is, nothing is sent beyond the budget, and the next call is answered too.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentId, WatchedGateway } from "../../attacks/work/watched-gateway.ts";
import { until } from "../../run/until.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-mcp-attacks-"));
/** No measurement here takes so few. */
const budget = 3;
let gateway: WatchedGateway;
let server: McpProcess;

beforeAll(async () => {
  gateway = await WatchedGateway.start();
  server = await McpProcess.start();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

class McpProcess implements AsyncDisposable {
  readonly #child;
  readonly #lines: string[] = [];
  #rest = "";
  #calls = 0;

  private constructor(token: string) {
    this.#child = Bun.spawn(
      [...vantageCommand, "mcp", "--gateway", gateway.url, "--budget", String(budget)],
      {
        env: { ...process.env, VANTAGE_TOKEN: token, XDG_CONFIG_HOME: folder },
        stdin: "pipe",
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    void this.#read();
  }

  static async start(): Promise<McpProcess> {
    const own = new McpProcess(await gateway.tokenOf("model"));
    const clientInfo = { name: "attack", version: "1" };
    await own.answer("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    own.say(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    return own;
  }

  async #read(): Promise<void> {
    const utf8 = new TextDecoder();
    for await (const chunk of this.#child.stdout) {
      const lines = `${this.#rest}${utf8.decode(chunk, { stream: true })}`.split("\n");
      this.#rest = lines.pop() ?? "";
      this.#lines.push(...lines);
    }
  }

  say(line: string): void {
    // A server that has had enough reads no more.
    const written = [this.#child.stdin.write(`${line}\n`), this.#child.stdin.flush()];
    Promise.all(written).catch(() => {});
  }

  /** The whole line. */
  async answer(method: string, params: unknown): Promise<string> {
    const id = ++this.#calls;
    this.say(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const isOurs = (line: string) => (JSON.parse(line) as { id?: unknown }).id === id;
    await until(() => this.#lines.some(isOurs));
    return this.#lines.find(isOurs) ?? "";
  }

  call(name: string, args: unknown): Promise<string> {
    return this.answer("tools/call", { name, arguments: args });
  }

  /** Its exit code, and what it has said to people. */
  async ended(): Promise<{ exitCode: number; stderr: string }> {
    const exitCode = await this.#child.exited;
    return { exitCode, stderr: await new Response(this.#child.stderr).text() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    await this.#child.exited;
  }
}

const many = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, i) => make(i));
const ping = { kind: "ping", agents: [agentId], targets: ["203.0.114.1"] };
const probes = { kind: "probes", agents: [agentId] };
const hostile = "\u001b]0;owned\u0007\u202e<img src=x onerror=alert(1)>\u2028";
const id = "00000000-0000-4000-8000-000000000000";

test.each<readonly [what: string, tool: string, args: unknown, answer: RegExp]>([
  ["a tool that does not exist", "delete_everything", {}, /not found/],
  ["a tool that every object has", "__proto__", {}, /error/],
  ["a tool named constructor", "constructor", {}, /error/],
  ["a tool whose name drives terminals", hostile, {}, /error/],
  ["no arguments", "measure", null, /error/i],
  ["arguments as a list", "measure", [], /error/i],
  ["arguments named __proto__", "measure", JSON.parse('{"__proto__":{"kind":"ping"}}'), /error/i],
  ["a kind that drives terminals", "measure", { ...ping, kind: hostile }, /error/i],
  ["no agent", "measure", { ...ping, agents: [] }, /error/i],
  ["20,000 agents", "measure", { ...ping, agents: many(20_000, () => agentId) }, /more than 1000/],
  ["a selector of 100,000 letters", "measure", { ...ping, agents: [`tag:${"x".repeat(100_000)}`] }, /error/i],
  ["agents of another count", "measure", { ...ping, agents: ["1e9@all"] }, /error/i],
  ["101 targets", "measure", { ...ping, targets: many(101, () => "203.0.114.1") }, /error/i],
  ["more than the budget", "measure", ping, /3 of 3 probes are left of the budget/],
  ["a negative count, which would fill the budget", "measure", { ...ping, count: -1000 }, /error/i],
  ["a count that is not a number", "measure", { ...ping, count: "1e-9" }, /error/i],
  ["half a probe", "measure", { ...ping, count: 0.5 }, /error/i],
  [
    "a private address, by a line",
    "measure",
    { ...probes, probes: ["10.0.0.1,1,2,3,udp"] },
    /must_not|not_allowed|refused|reserved|error/i,
  ],
  [
    "lines in one text",
    "measure",
    { ...probes, probes: ["203.0.114.1,1,2,3,udp\n".repeat(2000)] },
    /Bad lines: 1/,
  ],
  ["2,001 lines", "measure", { ...probes, probes: many(2001, () => "203.0.114.1,1,2,3,udp") }, /error/i],
  [
    "a line that drives terminals",
    "measure",
    { ...probes, probes: [`${hostile},1,2,3,udp`] },
    /Bad lines: 1/,
  ],
  [
    "a name that carries secrets",
    "estimate",
    { ...ping, targets: [`${"a".repeat(60)}.attacker.example`] },
    /error/i,
  ],
  [
    "a URL with a password",
    "estimate",
    { ...ping, targets: ["https://user:hunter2@example.org/"] },
    /Cannot probe/,
  ],
  ["a name of 100,000 letters", "estimate", { ...ping, targets: ["a".repeat(100_000)] }, /error/i],
  ["a name that drives terminals", "estimate", { ...ping, targets: [hostile] }, /Cannot probe/],
  [
    "a measurement of another spelling",
    "read_results",
    { id: `${id}/../../admin/users`, view: "paths" },
    /error/i,
  ],
  ["a measurement that does not exist", "read_results", { id, view: "paths" }, /measurement_not_found/],
  ["a view that every object has", "read_results", { id, view: "toString" }, /error/i],
  [
    "an agent that is another query",
    "read_results",
    { id, view: "replies", agent: "a&limit=1000000#" },
    /error/i,
  ],
  [
    "a destination that is SQL",
    "read_results",
    { id, view: "replies", destination: "'; DROP TABLE x --" },
    /error/i,
  ],
  ["all rows", "read_results", { id, view: "replies", rows: 1e9 }, /error/i],
  ["waiting for a year", "wait", { id, timeout_s: 31_536_000 }, /error/i],
  ["waiting for less than nothing", "wait", { id, timeout_s: -1 }, /error/i],
  ["words of 100,000 letters", "list_agents", { words: ["x".repeat(100_000)] }, /These are all 0/],
  ["cancelling what others started", "cancel", { id }, /this server did not start it/],
])("%s", async (_what, tool, args, wanted) => {
  const answer = await server.call(tool, args);
  expect(answer).toMatch(wanted);
  expect(answer.length).toBeLessThan(25_000);
  expect(answer).not.toContain("hunter2");
  // The SDK's own refusals repeat what the client has written itself.
  if (!/Input validation error|"message":"Tool /.test(answer)) {
    expect(answer).not.toMatch(/\u202e|\u2028/);
  }
  expect(await server.call("list_agents", {})).toContain(agentId);
});

test.each<readonly [what: string, line: string]>([
  ["no JSON", "{bad"],
  ["nothing", ""],
  ["a list of requests", JSON.stringify([{ jsonrpc: "2.0", id: 1, method: "ping" }])],
  ["a list in a list, 100,000 times", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ["an id that is an object", JSON.stringify({ jsonrpc: "2.0", id: {}, method: "tools/list" })],
  ["an answer to what was not asked", JSON.stringify({ jsonrpc: "2.0", id: 77, result: {} })],
  ["a method that every object has", JSON.stringify({ jsonrpc: "2.0", method: "__proto__" })],
  ["NUL and bytes beyond UTF-8", "\u0000\ufffd\udfff"],
])("a line with %s", async (_what, line) => {
  server.say(line);
  expect(await server.call("list_agents", {})).toContain(agentId);
});

test("a message without an end ends the server, which says why", async () => {
  const own = await McpProcess.start();
  own.say("x".repeat(2 * 2 ** 20));
  const { exitCode, stderr } = await own.ended();
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("maximum size"),
  });
});

test("a client that has gone ends the server", async () => {
  const own = await McpProcess.start();
  await own[Symbol.asyncDispose]();
  expect((await own.ended()).exitCode).toBe(0);
});

test("nothing of all that was sent", async () => {
  const answer = await server.call("estimate", { ...ping, count: 1 });
  expect(answer).toContain('\\"budget_left\\":3,\\"quota_left_today\\":10000');
});
