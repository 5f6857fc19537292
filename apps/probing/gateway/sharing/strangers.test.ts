import { expect, test } from "bun:test";
import { Hono } from "hono";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { readGatewayConfig } from "../config.ts";
import { Strangers } from "./strangers.ts";

const text = "limits: { public_requests_per_minute: 3, public_requests_per_minute_all: 10 }";

function asked() {
  const strangers = new Strangers(readGatewayConfig({ name: "test", text }, {}));
  const app = new Hono<HttpEnv>();
  app.get("/", strangers.admit(), (c) => c.text(strangers.nameOf(c)));
  app.onError((error) => {
    return error instanceof Problem ? error.toResponse("/") : new Response(null, { status: 500 });
  });
  return async (remoteAddress: string) => app.request("/", {}, { remoteAddress });
}

test("one address, and one IPv6 network, has so many requests a minute, others theirs", async () => {
  const ask = asked();
  const statuses = async (addresses: readonly string[]) => {
    const all: number[] = [];
    for (const address of addresses) {
      all.push((await ask(address)).status);
    }
    return all;
  };
  expect(await statuses(Array(4).fill("198.51.100.1"))).toEqual([200, 200, 200, 429]);
  const hosts = ["2001:db8::1", "2001:db8::2", "2001:db8::ffff:3", "2001:db8:0:0:4::"];
  expect(await statuses(hosts)).toEqual([200, 200, 200, 429]);
  expect(await statuses(["2001:db8:0:1::1", "198.51.100.2"])).toEqual([200, 200]);
  const refused = await ask("198.51.100.1");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: "too_many_requests" });
});

test("all together have so many, and who is refused takes none of them", async () => {
  const ask = asked();
  for (let i = 0; i < 20; i++) {
    await ask("198.51.100.1");
  }
  let admitted = 3;
  for (let i = 2; i < 30; i++) {
    admitted += (await ask(`198.51.100.${i}`)).ok ? 1 : 0;
  }
  expect(admitted).toBe(10);
});
