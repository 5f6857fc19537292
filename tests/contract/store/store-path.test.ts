/** A store that a proxy has below a path: the prefix is stripped on the way, by a plain proxy and by a real Caddy. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { readEndpoint } from "../../../lib/engines/store/clickhouse/endpoint-file.ts";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { until } from "../../run/until.ts";
import { freePortsFor } from "../../server/free-ports.ts";
import { TestStore } from "./processes.ts";

const prefix = "/proxy/ch";

let store: TestStore;
beforeAll(async () => {
  store = await TestStore.start("empty");
  await store.command("CREATE TABLE behind (i UInt32) ENGINE = MergeTree ORDER BY i");
});
afterAll(() => store[Symbol.asyncDispose]());

function endpoint() {
  const found = readEndpoint(store.below("store"));
  if (found === null) {
    throw new Error("The store has no endpoint");
  }
  return { ...found, host: new URL(found.url).host };
}

/** Answers 404 outside the prefix, as what else is on that host would. */
function plainProxy(paths: string[]) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      paths.push(pathname);
      if (pathname !== prefix && !pathname.startsWith(`${prefix}/`)) {
        return new Response("nothing here", { status: 404 });
      }
      const path = pathname.slice(prefix.length) || "/";
      const { method, headers, body } = request;
      return fetch(`${endpoint().url}${path}${search}`, { method, headers, body, decompress: false });
    },
  });
}

async function useThrough(host: string, path: string): Promise<void> {
  await using behind = await openStore(`http://vantage:${endpoint().token}@${host}${path}`);
  expect(behind).toMatchObject({ kind: "server", address: `http://${host}${path}` });
  await behind.client.insert({ table: "behind", values: [{ i: 1 }, { i: 2 }], format: "JSONEachRow" });
  const rows = await behind.client.query({
    query: "SELECT toUInt32(count()) AS n FROM behind",
    format: "JSONEachRow",
  });
  expect((await rows.json<{ n: number }>())[0]?.n).toBeGreaterThanOrEqual(2);
}

test.each([prefix, `${prefix}/`])("rows are inserted and read at %s", async (path) => {
  const paths: string[] = [];
  using proxy = plainProxy(paths);
  await useThrough(`127.0.0.1:${proxy.port}`, path);
  expect(new Set(paths)).toEqual(new Set([path]));
});

test.skipIf(Bun.which("caddy") === null)("behind Caddy's handle_path", async () => {
  const { port } = freePortsFor("port");
  const file = store.below("Caddyfile");
  const site = `handle_path ${prefix}/* {\n reverse_proxy ${endpoint().host}\n}\nrespond 404`;
  writeFileSync(file, `{\n admin off\n}\nhttp://127.0.0.1:${port} {\n${site}\n}\n`);
  const child = Bun.spawn(["caddy", "run", "--config", file, "--adapter", "caddyfile"], {
    env: { ...process.env, XDG_DATA_HOME: store.below("caddy"), XDG_CONFIG_HOME: store.below("caddy") },
    stdio: ["ignore", "ignore", "ignore"],
  });
  try {
    await until(async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => null))?.status === 404);
    await useThrough(`127.0.0.1:${port}`, `${prefix}/`);
  } finally {
    child.kill();
    await child.exited;
  }
});

describe("an address that would be used in part only is refused, without its password", () => {
  test.each([
    ["a query", "http://user:secret@127.0.0.1:1/ch?database=secret", /query or a fragment .*leave them out$/],
    ["a fragment", "http://user:secret@127.0.0.1:1/ch#secret", /query or a fragment/],
    ["half an escape", "http://user:secret%zz@127.0.0.1:1/ch", /a % that is not .*write it as %25$/],
  ])("%s", async (_, address, message) => {
    const refusal = await openStore(address).catch((error: Error) => error);
    expect(refusal).toMatchObject({ code: "badAddress", message: expect.stringMatching(message) });
    expect(String(refusal)).not.toContain("secret");
  });
});
