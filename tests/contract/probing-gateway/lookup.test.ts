/** Names that a gateway looks up for programs, by a name server of the test. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { GatewayHome } from "./gateway-home.ts";

const addresses: Readonly<Record<string, readonly number[]>> = {
  "public.example": [1, 1, 1, 1],
  "private.example": [10, 0, 0, 1],
};
const asked: string[] = [];
let engine: EngineHome;
let home: GatewayHome;
let server: Awaited<ReturnType<typeof nameServer>>;

beforeAll(async () => {
  server = await nameServer();
  engine = await startEngine();
  home = await startHome("names: true");
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
  server?.close();
});

async function startHome(names: string): Promise<GatewayHome> {
  const context = `context: { ${names}, resolvers: ["127.0.0.1:${server.port}"] }`;
  return await GatewayHome.start({
    databaseAddress: await engine.freshDatabase(),
    yaml: context,
    safety: "{ block_reserved_ranges: true }",
  });
}

/** Answers A as the table has it, all else with no such name (RFC 1035, section 4). */
async function nameServer() {
  return await Bun.udpSocket({
    hostname: "127.0.0.1",
    socket: {
      data(socket, query, port, address) {
        socket.send(answerTo(query), port, address);
      },
    },
  });
}

function answerTo(query: Uint8Array): Uint8Array {
  const labels: string[] = [];
  let at = 12;
  while ((query[at] ?? 0) > 0) {
    const length = query[at] ?? 0;
    labels.push(new TextDecoder().decode(query.subarray(at + 1, at + 1 + length)));
    at += 1 + length;
  }
  const name = labels.join(".");
  const isA = query[at + 2] === 1;
  const question = query.subarray(12, at + 5);
  asked.push(name);
  const found = isA ? addresses[name] : undefined;
  const code = name in addresses ? 0 : 3;
  const header = [
    query[0] ?? 0,
    query[1] ?? 0,
    0x81,
    0x80 | code,
    0,
    1,
    0,
    found === undefined ? 0 : 1,
    0,
    0,
    0,
    0,
  ];
  const record = found === undefined ? [] : [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...found];
  return Uint8Array.from([...header, ...question, ...record]);
}

const lookUp = (name: string, who = "ann", gateway = home) =>
  gateway.json(who, `/api/lookup?${new URLSearchParams({ name })}`);

test("a name has its address, unless nothing may be probed there", async () => {
  expect(await lookUp("public.example")).toEqual({
    status_code: 200,
    name: "public.example",
    address: "1.1.1.1",
  });
  expect(await lookUp("private.example")).toMatchObject({ status_code: 422, code: "no_address" });
  expect(await lookUp("unknown.example")).toMatchObject({ status_code: 422, code: "no_address" });
  // The machine's own file of hosts is not read.
  expect(await lookUp("localhost")).toMatchObject({ status_code: 422, code: "no_address" });
  expect(await lookUp("a b")).toMatchObject({ status_code: 400 });
});

test("who may not measure, who asks too often, and whom the operator does not let: nothing is asked", async () => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ name: "read", scopes: ["measurements:read"] });
  const { token } = await home.json("bob", "/api/tokens", { method: "POST", headers, body });
  expect(await lookUp("secret.example", String(token))).toMatchObject({ code: "missing_scope" });
  await using closed = await startHome("names: false");
  expect(await lookUp("secret.example", "bob", closed)).toMatchObject({ status_code: 400, code: "no_names" });
  expect(asked).not.toContain("secret.example");
  let status: unknown = 200;
  for (let i = 0; i < 200 && status === 200; i++) {
    status = (await lookUp("public.example", "bob")).status_code;
  }
  expect(status).toBe(429);
  expect(asked.length).toBeLessThan(300);
});
