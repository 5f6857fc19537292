import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { address } from "../../../../lib/net/ip/address.ts";
import { Destinations } from "./destinations.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vantage-destinations-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const none = { blocklist: null, allowlist: null, gateway: null, blocksReservedRanges: false };

test("without lists, and before the gateway has sent one, everything may be probed", () => {
  expect(Destinations.read(none).blocks(address("192.0.2.1"))).toBe(false);
  const early = Destinations.read({ ...none, gateway: join(folder, "none-yet.json") });
  expect(early.blocks(address("192.0.2.1"))).toBe(false);
});

test("reserved ranges hold from the first packet, with or without a gateway's list", () => {
  const early = { ...none, blocksReservedRanges: true, gateway: join(folder, "none-yet.json") };
  const lax = file("gateway.json", '{"version":"1","blocked":[],"allowed":null}');
  for (const lists of [Destinations.read(early), Destinations.read({ ...early, gateway: lax })]) {
    const blocked = (text: string) => lists.blocks(address(text));
    expect(["10.0.0.1", "192.0.2.1", "fd00::1", "::7f00:1", "6000::1"].map(blocked)).not.toContain(false);
    expect(["9.9.9.9", "2620:fe::fe", "2002:909:909::1"].map(blocked)).not.toContain(true);
    expect(["2002:a00:1::1", "2001:0:909:909::f5ff:fffe"].map(blocked)).toEqual([true, true]);
  }
});

test("a listed IPv4 address is not reached through a tunnel or a translator either", () => {
  const lists = Destinations.read({ ...none, blocklist: file("block", "9.9.9.0/24\n") });
  const blocked = (text: string) => lists.blocks(address(text));
  expect(["2002:909:909::1", "64:ff9b::909:909", "2001:0:909:909::1"].map(blocked)).not.toContain(false);
  expect(["2002:808:808::1", "64:ff9b::808:808", "2001:0:808:808::1"].map(blocked)).not.toContain(true);
});

test("each list can refuse alone", () => {
  const lists = Destinations.read({
    ...none,
    blocklist: file("block", "192.0.2.0/25 # on its owner's request\n\n2001:db8:1::/48\n"),
    allowlist: file("allow", "192.0.2.0/24\n2001:db8::/32\n"),
    gateway: file("gateway.json", '{"version":"1","blocked":["192.0.2.200/32"],"allowed":["0.0.0.0/0"]}'),
  });
  const blocked = (text: string) => lists.blocks(address(text));
  expect([blocked("192.0.2.1"), blocked("192.0.2.200"), blocked("192.0.2.201")]).toEqual([true, true, false]);
  // Outside of the operator's list, and of the gateway's.
  expect([blocked("198.51.100.1"), blocked("2001:db8::1")]).toEqual([true, true]);
});

test.each([
  ["blocklist", "192.0.2.0/24\n192.0.2.1/24\n", 'line 2: "192.0.2.1/24"'],
  ["allowlist", "everything\n", 'line 1: "everything"'],
  ["gateway", '{"version":"1","blocked":["192.0.2.1/24"],"allowed":null}', '"192.0.2.1/24" is not a prefix'],
] as const)("a bad line in the %s refuses the list, with its line number", (name, text, reason) => {
  expect(() => Destinations.read({ ...none, [name]: file("list", text) })).toThrow(reason);
});
