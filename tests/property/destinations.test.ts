/** Gateway and agent agree on where nothing is sent, in whatever disguise an address comes. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { Destinations as AgentDestinations } from "../../apps/probing/agent/consume/destinations.ts";
import { Destinations as GatewayDestinations } from "../../apps/probing/gateway/safety/destinations.ts";
import { type Address, mapped } from "../../lib/net/ip/address.ts";
import { parsePrefix } from "../../lib/net/ip/prefix.ts";
import { inTier } from "../run/tier.ts";
import { arbitraryAddress } from "./arbitrary.ts";

const blockedTexts = ["9.9.9.0/24", "8.0.0.0/7", "2620:fe::/48"];
const blocked = blockedTexts.flatMap((text) => parsePrefix(text) ?? []);

/** Both parts with these rules: whether each refuses the address. */
function judges(blockReservedRanges: boolean) {
  const folder = mkdtempSync(join(tmpdir(), "vantage-disguise-"));
  const blocklist = join(folder, "blocklist");
  writeFileSync(blocklist, blockedTexts.join("\n"));
  const gateway = new GatewayDestinations({ blockReservedRanges, blocked, allowed: null });
  const files = { blocklist, allowlist: null, gateway: null, blocksReservedRanges: blockReservedRanges };
  const agent = AgentDestinations.read(files);
  rmSync(folder, { recursive: true });
  return (address: Address) => [gateway.refusal(address) !== null, agent.blocks(address)];
}

const ipv4Bytes = fc.oneof(
  fc.uint8Array({ minLength: 4, maxLength: 4 }),
  // Half of them in the lists.
  fc
    .tuple(fc.constantFrom([9, 9, 9], [10, 0, 0], [127, 0, 0], [8, 8, 8], [193, 0, 14]), fc.nat(255))
    .map(([network, host]) => Uint8Array.of(...network, host)),
);
const noise = fc.uint8Array({ minLength: 16, maxLength: 16 });

/** How the four bytes of an IPv4 address are put into an address of 16 bytes of noise. */
const disguises: readonly ((inside: Uint8Array, address: Uint8Array) => void)[] = [
  // 6to4.
  (inside, address) => address.set([0x20, 0x02, ...inside]),
  // The Teredo server, and its client.
  (inside, address) => address.set([0x20, 0x01, 0, 0, ...inside]),
  (inside, address) => {
    address.set([0x20, 0x01, 0, 0]);
    address.set(
      inside.map((byte) => byte ^ 0xff),
      12,
    );
  },
  // Compatible, translated, mapped.
  (inside, address) => address.set([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...inside]),
  (inside, address) => address.set([0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, ...inside]),
  (inside, address) => address.set([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...inside]),
  // Translated by the well-known prefix, and by local ones of 48, 56, 64 and 96 bits.
  (inside, address) => address.set([0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, ...inside]),
  ([a = 0, b = 0, c = 0, d = 0], address) => address.set([0, 0x64, 0xff, 0x9b, 0, 1, a, b, 0, c, d]),
  ([a = 0, b = 0, c = 0, d = 0], address) => address.set([0, 0x64, 0xff, 0x9b, 0, 1, 7, a, 0, b, c, d]),
  (inside, address) => address.set([0, 0x64, 0xff, 0x9b, 0, 1, 7, 7, 0, ...inside]),
  (inside, address) => address.set([0, 0x64, 0xff, 0x9b, 0, 1, 7, 7, 0, 7, 7, 7, ...inside]),
];

test.each([true, false])(
  "what is refused plainly is refused in every disguise (reserved: %p)",
  (reserved) => {
    const refuse = judges(reserved);
    fc.assert(
      fc.property(ipv4Bytes, noise, fc.constantFrom(...disguises), (inside, address, disguise) => {
        disguise(inside, address);
        const [plainly] = refuse(mapped(inside));
        const disguised = refuse(address);
        expect(disguised[0]).toBe(disguised[1]);
        expect(disguised[0] || !plainly).toBe(true);
      }),
      { numRuns: inTier({ usual: 4000, long: 20_000 }) },
    );
  },
);

test("of IPv6, nothing but global unicast is let through", () => {
  const refuse = judges(true);
  fc.assert(
    fc.property(arbitraryAddress, noise, (address, other) => {
      const [gateway, agent] = refuse(address);
      expect(gateway).toBe(agent ?? false);
      other[0] = ((other[0] ?? 0) & 0x1f) | 0x40;
      expect(refuse(other)).toEqual([true, true]);
    }),
    { numRuns: 5000 },
  );
});
