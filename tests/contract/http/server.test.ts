/** The service on a real port: what only shows between two ends of a connection. */
import { expect, test } from "bun:test";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { Hono } from "hono";
import { serve } from "../../../lib/engines/http/serve.ts";
import { bodyBytesMax, sampleApp } from "./sample-app.ts";

const anywhere = { host: "127.0.0.1", port: 0 };

/** Sends the text as it is and resolves to all that came until the other end closed. */
function exchange(port: number, text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.on("close", () => resolve(answer)).on("error", reject);
  return promise;
}

test("a body without a length is cut off at the limit", async () => {
  await using server = serve(sampleApp().app.fetch, anywhere);
  const chunk = `${bodyBytesMax.toString(16)}\r\n${"x".repeat(bodyBytesMax)}\r\n`;
  const head = "PUT /raw HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
  expect(await exchange(server.port, `${head}${chunk}0\r\n\r\n`)).toContain(`{"bytes":${bodyBytesMax}}`);
  expect(await exchange(server.port, `${head}${chunk}1\r\nx\r\n0\r\n\r\n`)).toContain("content_too_large");
});

test("a packed body of a known length is unpacked", async () => {
  await using server = serve(sampleApp().app.fetch, anywhere);
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  const body = gzipSync('{"count":3,"kind":"a"}');
  const response = await fetch(`${server.url}items`, { method: "POST", body, headers });
  expect(await response.json()).toEqual({ count: 3, kind: "a" });
});

test("an unknown method is not a label of a metric", async () => {
  const { app, registry } = sampleApp();
  await using server = serve(app.fetch, anywhere);
  for (const method of ["PROPFIND", "MKCALENDAR", "BREW"]) {
    await exchange(server.port, `${method} /items/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  }
  const { values } = (await registry.getSingleMetric("vantage_gateway_http_requests_total")?.get()) ?? {
    values: [],
  };
  expect(values.map(({ labels }) => labels.method)).toEqual(["other"]);
});

test("a body that announces too much is refused before it comes", async () => {
  await using server = serve(sampleApp().app.fetch, anywhere);
  const head = `POST /items HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  const answer = await exchange(server.port, `${head}Content-Length: 2000000\r\n\r\n{`);
  expect(answer).toContain("content_too_large");
});

test("a stop takes nothing new, and lets what is under way end", async () => {
  const { promise: goOn, resolve: release } = Promise.withResolvers<void>();
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const app = new Hono();
  app.get("/slow", async (c) => {
    enter();
    await goOn;
    return c.text("whole");
  });
  const server = serve(app.fetch, anywhere);
  const slow = fetch(`${server.url}slow`);
  await entered;
  const stopped = server[Symbol.asyncDispose]();
  expect(await fetch(`${server.url}slow`).catch(() => "refused")).toBe("refused");
  release();
  expect(await (await slow).text()).toBe("whole");
  await stopped;
});

test("an address that is taken is an error that says what to do; several processes may share one", async () => {
  await using first = serve(sampleApp().app.fetch, anywhere);
  const { port } = first;
  expect(() => serve(sampleApp().app.fetch, { ...anywhere, port })).toThrow("give another address or port");
  const setting = "gateway.address";
  expect(() => serve(sampleApp().app.fetch, { ...anywhere, port, setting })).toThrow(
    `Cannot listen on 127.0.0.1:${port}: another program listens there; give another with gateway.address`,
  );
  await using shared = serve(sampleApp().app.fetch, { ...anywhere, reusePort: true });
  await using beside = serve(sampleApp().app.fetch, { ...anywhere, port: shared.port, reusePort: true });
  expect(beside.port).toBe(shared.port);
});
