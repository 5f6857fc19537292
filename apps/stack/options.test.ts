import { expect, test } from "bun:test";
import { mkdtempDisposableSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseOptions } from "./options.ts";

function command(...args: string[]) {
  const parsed = parseOptions(args);
  return parsed.kind === "run" ? parsed.options : parsed;
}

test("the stack's own options, and what it takes for granted", () => {
  expect(command("--dir", "/data", "--ttl-days", "30", "--listen", "[::1]:9000")).toEqual({
    ...{ kind: "run", directory: "/data", ttlDays: 30 },
    listen: { hostname: "::1", port: 9000 },
    gateway: { gateway: { hostname: "127.0.0.1", port: 8091 }, issuerPort: 8092 },
  });
  expect(command("--gateway-listen", "0.0.0.0:80", "--issuer-port", "0")).toMatchObject({
    gateway: { gateway: { hostname: "0.0.0.0", port: 80 }, issuerPort: 0 },
  });
  expect(command("--no-gateway")).toMatchObject({ gateway: null });
  expect(command("--dir", "/data")).toMatchObject({
    ttlDays: 7,
    listen: { hostname: "127.0.0.1", port: 8090 },
  });
});

test("the parts by themselves", () => {
  expect(command("store", "--dir", "/s")).toEqual({ kind: "store", directory: "/s", hasParent: false });
  expect(command("ingest", "--broker", "kafka:a:1", "--store", "http://b", "--dir", "/j", "--child")).toEqual(
    {
      ...{ kind: "ingest", broker: "kafka:a:1", store: "http://b" },
      ...{ directory: "/j", hasParent: true, listen: null },
    },
  );
  expect(command("gateway", "--broker", "kafka:a:1", "--store", "http://b", "--dir", "/j")).toEqual({
    ...{ kind: "gateway", broker: "kafka:a:1", store: "http://b", directory: "/j", hasParent: false },
    ...{ gateway: { hostname: "127.0.0.1", port: 8091 }, issuerPort: 8092 },
  });
  expect(command("migrate", "--store", "http://b", "--kafka-brokers", "c:9092")).toEqual({
    ...{ kind: "migrate", store: "http://b", ttlDays: 7, kafkaBrokers: "c:9092" },
  });
  for (const store of ["chdb:/s", "http://b"]) {
    expect(command("migrate", "--store", store)).toMatchObject({ kafkaBrokers: "" });
  }
});

test("the store's address may be in a file, beside a place to be watched at", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "vantage-options-"));
  const file = join(folder.path, "address");
  writeFileSync(file, "http://a:b@c:8123\n");
  const args = ["--broker", "kafka:a:1", "--dir", "/j", "--listen", "0.0.0.0:8080"];
  expect(command("ingest", "--store", `@${file}`, ...args)).toMatchObject({
    store: "http://a:b@c:8123",
    listen: { hostname: "0.0.0.0", port: 8080 },
  });
  rmSync(file);
  expect(command("ingest", "--store", `@${file}`, ...args)).toMatchObject({
    message: expect.stringContaining("ENOENT"),
  });
});

test.each([
  [["start"], '"start" is no command of the stack: give store, ingest, gateway, migrate or none'],
  [
    ["store", "now", "--dir", "x"],
    '"now" is no command of the stack: give store, ingest, gateway, migrate or none',
  ],
  [["store"], "Give --dir"],
  [["ingest", "--dir", "x", "--broker", "y"], "Give --store"],
  [
    ["migrate", "--store", "chdb:/s", "--kafka-brokers", "c:9092"],
    "--kafka-brokers says nothing to an embedded store: the ingester feeds it",
  ],
  [["--ttl-days", "0"], '--ttl-days "0": give a number from 1 to 3650'],
  [["--ttl-days", "week"], '--ttl-days "week": give a number from 1 to 3650'],
  [["--listen", "8090"], '--listen "8090": give ADDRESS:PORT, as 127.0.0.1:8090'],
  [["--listen", "::1:80"], '--listen "::1:80": give ADDRESS:PORT, as 127.0.0.1:8090'],
  [["--listen", "a:99999"], '--listen "a:99999": give ADDRESS:PORT, as 127.0.0.1:8090'],
  [["--gateway-listen", "8091"], '--gateway-listen "8091": give ADDRESS:PORT, as 127.0.0.1:8091'],
  [["--issuer-port", "x"], '--issuer-port "x": give a port, as 8092'],
  [["--no-gateway", "--issuer-port", "1"], "--issuer-port says nothing with --no-gateway"],
  [["--child"], "--child says nothing to the stack itself"],
  [["store", "--dir", "x", "--listen", "a:1"], "--listen says nothing to store"],
  [["--loud"], "Unknown option '--loud'"],
])("%p is refused: %p", (args, message) => {
  expect(parseOptions(args)).toEqual({ kind: "wrong", message });
});

test("help is asked for in any place", () => {
  expect([parseOptions(["--help"]), parseOptions(["store", "-h"])]).toEqual([
    { kind: "help" },
    { kind: "help" },
  ]);
});
