/** One agent, or many, that hold as many of the largest JSON bodies open as they can. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { until } from "../../exchange/until.ts";
import { type AttackedGateway, attackedGateway } from "./attacked-gateway.ts";

let gateway: AttackedGateway;
beforeAll(async () => {
  gateway = await attackedGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const bodyBytes = 2_000_000;

async function agent(id: string): Promise<string> {
  const response = await fetch(`${gateway.url}admin/agents`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.adminKey}`, "content-type": "application/json" },
    body: JSON.stringify({ id }),
  });
  const { agent_key: key } = (await response.json()) as { agent_key: string };
  await post(key, "register", JSON.stringify({ id, secret: "s" }));
  return key;
}

function post(key: string, path: string, body: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return fetch(`${gateway.url}agent-api/agent/${path}`, { method: "POST", headers, body });
}

/** The first line of its answer, when there is one; the rest of the body never comes. */
async function held(id: string, key: string): Promise<{ socket: Socket; answer: () => string }> {
  const lines = [
    ...[`POST /agent-api/agent/${id}/config HTTP/1.1`, "host: x", `authorization: Bearer ${key}`],
    ...["content-type: application/json", `content-length: ${bodyBytes}`, "", '[{"name":"'],
  ];
  const socket = await gateway.open(lines.join("\r\n"));
  let said = "";
  socket.on("data", (chunk) => {
    said += chunk;
  });
  return { socket, answer: () => said };
}

const large = JSON.stringify([{ name: "main", interface: "x".repeat(1_000_000) }]);

test("a caller has room for four of them, others go on, and it comes back", async () => {
  const [key, other] = [await agent("greedy"), await agent("modest")];
  const all = await Promise.all(Array.from({ length: 30 }, () => held("greedy", key)));
  await until("answers to what has no room", () => all.filter(({ answer }) => answer() !== "").length === 26);
  const refused = all.filter(({ answer }) => answer() !== "");
  expect(new Set(refused.map(({ answer }) => answer().split("\r\n")[0]))).toEqual(
    new Set(["HTTP/1.1 429 Too Many Requests"]),
  );
  expect(refused[0]?.answer().toLowerCase()).toContain("retry-after: 2");
  expect(refused[0]?.answer()).toContain('"too_many_bodies"');
  expect((await post(key, "greedy/config", large)).status).toBe(429);
  expect((await post(key, "greedy/health", '{"healthy":true}')).status).toBe(200);
  // Too long a name, but it is read.
  expect((await post(other, "modest/config", large)).status).toBe(422);
  const page = await (await fetch(`${gateway.url}metrics`)).text();
  expect(page).toContain('vantage_gateway_bodies_refused_total{code="too_many_bodies"} 27');
  for (const { socket } of all) {
    socket.destroy();
  }
  await until("room", async () => (await post(key, "greedy/config", large)).status === 422);
});

test("all callers have room for 64 MiB together, and small bodies beside them", async () => {
  const keys = await Promise.all(Array.from({ length: 12 }, (_, i) => agent(`crook-${i}`)));
  const all = await Promise.all(
    keys.flatMap((key, i) => Array.from({ length: 4 }, () => held(`crook-${i}`, key))),
  );
  const full = () => all.filter(({ answer }) => answer().startsWith("HTTP/1.1 503")).length;
  // 34 of 2 MB, less the 64 KiB of each that count nothing, are 64 MiB.
  await until("answers to what has no room", () => full() === 14);
  const late = await agent("late");
  expect((await post(late, "late/health", '{"healthy":true}')).status).toBe(200);
  const answer = await post(late, "late/config", JSON.stringify([{ interface: "x".repeat(1_500_000) }]));
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
  for (const { socket } of all) {
    socket.destroy();
  }
});
