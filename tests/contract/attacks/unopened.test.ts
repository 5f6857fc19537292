/**
 * Bodies that cost more than they weigh: who sends one without a key has not even had it unpacked, and who has a key
 * holds nobody up. In the first attack 2 kB without a key took a gateway 2.4 s and 1 GB.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { type AttackedGateway, attackedGateway } from "./attacked-gateway.ts";

/**
 * CPU time of the process for one request, its answer and those to /health beside it: nobody else is served meanwhile.
 */
const cpuMsMax = 50;
/** Memory of the process; the attacks took 1 GB. */
const memoryMiBMax = 200;

let gateway: AttackedGateway;
beforeAll(async () => {
  gateway = await attackedGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const register = "agent-api/agent/register";
/** 2 kB each. */
const brackets = gzipSync("[".repeat(1_000_000));
const pairs = gzipSync(`${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`);
const members = gzipSync(`{${Array.from({ length: 150_000 }, (_, i) => `"${i}":1`).join()}}`);
const items = gzipSync(`[${Array.from({ length: 1_000_000 }, () => 0).join()}]`);
const long = gzipSync("0".repeat(500_000_000));

/** Statuses and codes of a body sent by so many at once, and what they cost the process. */
async function attack(path: string, body: Uint8Array, key: string | null, times = 20) {
  const before = gateway.memoryMiB();
  const cpuBeforeMs = gateway.cpuMs();
  const headers = {
    "content-type": "application/json",
    "content-encoding": "gzip",
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  };
  const answers = await Promise.all(
    Array.from({ length: times }, async () => {
      const response = await fetch(`${gateway.url}${path}`, {
        method: "POST",
        body: body as Uint8Array<ArrayBuffer>,
        headers,
      });
      const { status, code } = (await response.json()) as { status: number; code: string };
      return `${status} ${code}`;
    }),
  );
  const cpuMs = (gateway.cpuMs() - cpuBeforeMs) / times;
  return {
    answers: [...new Set(answers)],
    cpuMs,
    grownMiB: gateway.memoryMiB() - before,
  };
}

interface Cost {
  readonly cpuMs: number;
  readonly grownMiB: number;
}

function expectCheap({ cpuMs, grownMiB }: Cost): void {
  expect(cpuMs).toBeLessThan(cpuMsMax);
  expect(grownMiB).toBeLessThan(memoryMiBMax);
}

async function adminMade(path: string, body: unknown): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${gateway.adminKey}`, "content-type": "application/json" };
  const response = await fetch(`${gateway.url}admin/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, string>;
}

test.each([
  [register, null, "401 missing_authorization"],
  [register, "nobody's", "401 unknown_key"],
  ["agent-api/agent/west/config", "nobody's", "401 unknown_key"],
  ["agent-api/agent/west/nothing", "nobody's", "401 unknown_key"],
  ["admin/agents", "nobody's", "401 unknown_key"],
  ["admin/nothing", null, "401 missing_authorization"],
  ["api/probes?agents=west", null, "401 missing_authorization"],
  ["api/nothing", null, "401 missing_authorization"],
])("POST /%s with the key %p is refused before its body is looked at", async (path, key, refusal) => {
  const { answers, ...cost } = await attack(path, brackets, key);
  expect(answers).toEqual([refusal]);
  expectCheap(cost);
});

test("who may register is refused by what the body is, and keeps the use of the key", async () => {
  const { enrolment_key: key = "" } = await adminMade("enrolment-keys", { label: "attack" });
  for (const [body, refusal] of [
    [brackets, "413 content_too_large"],
    [long, "413 content_too_large"],
    [gzipSync("[".repeat(8000)), "400 malformed_json"],
  ] as const) {
    const { answers, ...cost } = await attack(register, body, key);
    expect(answers).toEqual([refusal]);
    expectCheap(cost);
  }
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ id: "late", secret: "s" });
  const registered = await fetch(`${gateway.url}${register}`, { method: "POST", headers, body });
  expect(registered.status).toBe(200);
});

test.each([
  ["a million brackets", brackets, "400 malformed_json"],
  ["a million lists in one another", pairs, "400 malformed_json"],
  ["150,000 members", members, "400 malformed_json"],
  ["a million items", items, "400 malformed_json"],
  ["what unpacks to 500 MB", long, "413 content_too_large"],
  ["20,000 wrong items", gzipSync(JSON.stringify(new Array(19_999).fill("x"))), "422 invalid_body"],
  ["a name of 1 MB", gzipSync(`[{"${"n".repeat(1_000_000)}":1,"name":7}]`), "422 invalid_body"],
])("an agent's %s", async (_, body, refusal) => {
  const { agent_key: key = "" } = await adminMade("agents", { id: `agent-${crypto.randomUUID()}` });
  const { id = "" } = { id: await agentOf(key) };
  const { answers, ...cost } = await attack(`agent-api/agent/${id}/config`, body, key, 8);
  // Eight at once may be more than one agent has room for, and then none has all of it: see many-bodies.test.ts.
  expect([refusal, "429 too_many_bodies"]).toEqual(expect.arrayContaining(answers));
  expect((await attack(`agent-api/agent/${id}/config`, body, key, 1)).answers).toEqual([refusal]);
  expectCheap(cost);
});

test.each([
  ["metadata in brackets", "application/json", `{"metadata":${"[".repeat(200_000)}`, "400 invalid_json"],
  ["a first line in brackets", "application/x-ndjson", `${"[".repeat(200_000)}\n`, "400 invalid_json"],
  ["50,000 small members", "application/json", `{${'"":1,'.repeat(50_000)}"probes":[]}`, "422 invalid_body"],
  ["100 MB of blanks", "application/json", " ".repeat(100_000_000), "413 content_too_large"],
  ["100 MB of comments", "text/csv", "# nothing\n".repeat(10_000_000), "413 content_too_large"],
])("a user's %s", async (_, type, text, refusal) => {
  const authorization = `Bearer ${await gateway.tokenOf("alice")}`;
  const headers = { authorization, "content-type": type, "content-encoding": "gzip" };
  const body = gzipSync(text);
  const before = gateway.memoryMiB();
  const query = type === "text/csv" ? "?agents=west" : "";
  const answers = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const url = `${gateway.url}api/probes${query}`;
      const response = await fetch(url, { method: "POST", body, headers });
      const { status, code } = (await response.json()) as { status: number; code: string };
      return `${status} ${code}`;
    }),
  );
  expect([...new Set(answers)]).toEqual([refusal]);
  expect(gateway.memoryMiB() - before).toBeLessThan(memoryMiBMax);
});

/** Whose key it is. */
async function agentOf(key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${gateway.url}agent-api/agent/nobody/blocklist`, { headers });
  return /agent "([^"]+)"/.exec(await answer.text().then((text) => text.replaceAll("\\", "")))?.[1] ?? "";
}
