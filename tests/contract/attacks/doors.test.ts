/** Requests that no Vantage client makes, on a real port of each kind of service: heads, methods, lengths, hosts. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { type RunningServer, serve } from "../../../lib/engines/http/serve.ts";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { startEngine } from "../../postgres/engines.ts";
import { sampleApp } from "../http/sample-app.ts";
import { PeeringHome } from "../peering-gateway/peering-home.ts";
import { GeneratorHome } from "../policy-generator/generator-home.ts";
import { GatewayHome } from "../probing-gateway/gateway-home.ts";

const anywhere = { host: "127.0.0.1", port: 0 };
const names = ["probing gateway", "peering gateway", "policy generator", "parts of all"] as const;

const stack = new AsyncDisposableStack();
const servers = new Map<string, RunningServer>();
beforeAll(async () => {
  const engine = stack.use(await startEngine());
  const probing = stack.use(await GatewayHome.start({ databaseAddress: await engine.freshDatabase() }));
  const database = stack.use(await openDatabase(await engine.freshDatabase(), { applicationName: "test" }));
  const peering = stack.use(await PeeringHome.start({ database }));
  const generator = stack.use(await GeneratorHome.open([]));
  const { app } = generator.service();
  for (const [name, fetch] of [
    ["probing gateway", (request: Request) => probing.fetch(request)],
    ["peering gateway", (request: Request) => peering.app.fetch(request)],
    ["policy generator", (request: Request) => app.fetch(request, { remoteAddress: "127.0.0.1" })],
    ["parts of all", (request: Request) => sampleApp().app.fetch(request)],
  ] as const) {
    servers.set(name, stack.use(serve(fetch, anywhere)));
  }
});
afterAll(() => stack.disposeAsync());

/** Sends the text as it is; the first line of what comes, when the other end has closed. */
function statusLine(name: string, text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = "";
  const socket = connect(servers.get(name)?.port ?? 0, "127.0.0.1", () => socket.write(text));
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.on("error", () => {});
  socket.on("close", () => resolve(answer.split("\r\n")[0] ?? ""));
  return promise;
}

function request(line: string, ...headers: string[]): string {
  return `${[line, "connection: close", ...headers].join("\r\n")}\r\n\r\n`;
}

const get = "GET /health HTTP/1.1";
const host = "host: x";
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `a${i}: 1`);

describe.each(names)("%s", (name) => {
  test.each<[string, string, RegExp]>([
    ["an invalid Host", request(get, 'host: a"b<script>'), / 400 /],
    ["a Host that hides the path", request("GET /nothing:aaa/health HTTP/1.1", 'host: a"b'), / 400 /],
    ["no Host in HTTP/1.1", request(get), / 400 /],
    ["no Host in HTTP/1.0", "GET /docs HTTP/1.0\r\n\r\n", / 200 /],
    ["HTTP/0.9", "GET /health\r\n\r\n", / 505 /],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", / 400 /],
    ["a header of 20 kB", request(get, host, `a: ${"x".repeat(20_000)}`), / 431 /],
    ["250 headers", request(get, host, ...numbered(250)), / 431 /],
    ["a path of 20 kB", request(`GET /${"a".repeat(20_000)} HTTP/1.1`, host), / 431 /],
    ["100,000 parameters", request(`GET /health?${"a=1&".repeat(100_000)} HTTP/1.1`, host), / 431 /],
    ["a folded header", request(get, host, "x: a", " b"), / 400 /],
    ["a NUL in a header", request(get, host, "x: a\0b"), / 400 /],
    ["a blank before the colon", request(get, host, "x : y"), / 400 /],
    ["two lengths", request("POST /docs HTTP/1.1", host, "content-length: 1", "content-length: 2"), / 400 /],
    ["an invalid length", request("POST /docs HTTP/1.1", host, "content-length: +1"), / 400 /],
    [
      "a length beyond all numbers",
      request("POST /docs HTTP/1.1", host, `content-length: ${"9".repeat(30)}`),
      / 400 /,
    ],
    [
      "a length beside chunks",
      request("POST /docs HTTP/1.1", host, "content-length: 5", "transfer-encoding: chunked"),
      / 400 /,
    ],
    [
      "chunks in another coding",
      request("POST /docs HTTP/1.1", host, "transfer-encoding: gzip, chunked"),
      / 400 /,
    ],
    ["TRACE", request("TRACE /docs HTTP/1.1", host), / 405 /],
    ["CONNECT", request("CONNECT /docs HTTP/1.1", host), / 40[45] /],
    [
      "another method by header",
      request("POST /docs HTTP/1.1", host, "x-http-method-override: GET"),
      / 405 /,
    ],
    ["OPTIONS", request("OPTIONS /docs HTTP/1.1", host), / 204 /],
    ["HEAD", request("HEAD /docs HTTP/1.1", host), / 200 /],
    ["a Range", request("GET /docs HTTP/1.1", host, "range: bytes=0-0,2-2,4-4"), / 200 /],
    [
      "an upgrade",
      request("GET /docs HTTP/1.1", host, "upgrade: websocket", "sec-websocket-version: 13"),
      / 200 /,
    ],
    ["dots in the path", request("GET /x/../docs HTTP/1.1", host), / 200 /],
    ["a backslash for a slash", request("GET \\docs HTTP/1.1", host), / 400 /],
    ["a NUL in the path", request("GET /docs%00 HTTP/1.1", host), / 400 /],
    ["a NUL in the query", request("GET /docs?a=%00 HTTP/1.1", host), / 400 /],
    ["bytes that are not UTF-8", request("GET /docs%c0%ae HTTP/1.1", host), / 400 /],
  ])("%s", async (_, text, expected) => {
    expect(await statusLine(name, text)).toMatch(expected);
  });

  test("a chunk's extension, or a trailer, without end is not kept", async () => {
    const post = ["POST /docs HTTP/1.1", host, "transfer-encoding: chunked"] as const;
    const head = `${post.join("\r\n")}\r\n\r\n`;
    expect(await statusLine(name, `${head}1;${"x".repeat(100_000)}`)).toMatch(/ 4\d\d /);
  });
});
