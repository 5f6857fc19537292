import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { targetsMax } from "./limits.ts";
import { targetsOf } from "./targets-file.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-targets-"));
const path = join(folder, "targets.txt");
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string): Promise<string[]> {
  writeFileSync(path, text);
  return targetsOf(path);
}

test("addresses and names, without blank lines and comments", async () => {
  const text = "\uFEFF# routers\r\n192.0.2.1\r\n\r\n  example.org \n2001:db8::1";
  expect(await read(text)).toEqual(["192.0.2.1", "example.org", "2001:db8::1"]);
});

test("targets as people type them", async () => {
  const text = "[2001:db8::1]\n::ffff:192.0.2.1\nbücher.example\nfe80::1%eth0\nEXAMPLE.org.";
  expect(await read(text)).toEqual(text.split("\n"));
});

test.each([
  [
    "192.0.2.1:80\n-",
    'not an address or a host name: line 1 ("192.0.2.1:80"), line 2 ("-"); line 1 has a port: write 192.0.2.1',
  ],
  ["a,b\n192.0.2.1\n-x", 'not an address or a host name: line 1 ("a,b"), line 3 ("-x")'],
  ["# none\n", "it has no targets; give an address or a host name in each line"],
  ["192.0.2.1\n".repeat(targetsMax + 1), `it has more than the ${targetsMax} targets that one command takes`],
])("a file that cannot be used: %#", async (text, reason) => {
  await expect(read(text)).rejects.toThrow(`Cannot use ${path}: ${reason}`);
});

test("a line without end is refused, not kept", async () => {
  await expect(read("x".repeat(3_000_000))).rejects.toThrow(
    `${path}:1: Line has 3000000 bytes, more than 1024`,
  );
});

test("a file that is not there says so", async () => {
  await expect(targetsOf(join(folder, "none"))).rejects.toThrow("Cannot read");
});
