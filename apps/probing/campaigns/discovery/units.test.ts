import { expect, test } from "bun:test";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import { unitsOf } from "./rounds.ts";
import { addressOfFlow, flowOfAddress, lastOf, type UnitTable } from "./units.ts";

function tableOf(targets: readonly string[]): Promise<UnitTable> {
  return unitsOf(targets.join("\n"), { subnet_ipv4: 24, subnet_ipv6: 64 });
}

async function shown(targets: readonly string[]): Promise<string[]> {
  const table = await tableOf(targets);
  return Array.from({ length: table.size }, (_, at) => {
    const unit = table.at(at);
    return `${formatAddress(unit.base)} to ${formatAddress(lastOf(unit))}: ${unit.subnets}`;
  });
}

test("units are in the order of addresses, do not overlap, and have at most 256 subnets", async () => {
  expect(
    await shown(["2001:db8::/55", "192.0.2.0/24", "10.0.0.0/15", "10.1.2.0/24", "192.0.2.0/23"]),
  ).toEqual([
    "10.0.0.0 to 10.0.255.255: 256",
    "10.1.0.0 to 10.1.255.255: 256",
    "192.0.2.0 to 192.0.3.255: 2",
    "2001:db8:: to 2001:db8:0:ff:ffff:ffff:ffff:ffff: 256",
    "2001:db8:0:100:: to 2001:db8:0:1ff:ffff:ffff:ffff:ffff: 256",
  ]);
  expect((await tableOf(["10.0.0.0/8", "10.1.2.0/24"])).contained).toBe(1);
});

test("all of IPv4 are 65,536 units; all of IPv6 are too many", async () => {
  const table = await tableOf(["0.0.0.0/0"]);
  expect([table.size, table.subnets]).toEqual([65_536, 2 ** 24]);
  await expect(tableOf(["::/0"])).rejects.toThrow("more than 4194304");
  await expect(tableOf(["nonsense"])).rejects.toThrow('"nonsense" is not an address or a prefix');
});

test("a table takes memory by its entries, not by the two million units of one", async () => {
  const table = await unitsOf("64.0.0.0/3", { subnet_ipv4: 32, subnet_ipv6: 64 });
  expect([table.size, table.entries, table.subnets]).toEqual([2 ** 21, 1, 2 ** 29]);
  expect(table.bytes).toBeLessThan(100);
  expect(formatAddress(table.at(2 ** 21 - 1).base)).toBe("95.255.255.0");
});

test("a flow has its own address and port, and they identify the flow", async () => {
  const table = await tableOf(["192.0.2.0/23", "198.51.100.7", "203.0.113.16/28", "2001:db8::/63"]);
  for (let at = 0; at < table.size; at++) {
    const unit = table.at(at);
    const seen = new Set<string>();
    for (let subnet = 0; subnet < unit.subnets; subnet++) {
      for (let flow = 0; flow < 300; flow++) {
        const { dst, port } = addressOfFlow(unit, { subnet, flow });
        seen.add(`${formatAddress(dst)} ${port}`);
        expect(flowOfAddress(unit, dst, port)).toEqual({ subnet, flow });
      }
    }
    expect(seen.size).toBe(300 * unit.subnets);
  }
});

test("the first address of an IPv6 subnet is ::1, of an IPv4 one .1; another unit has no such flow", async () => {
  const table = await tableOf(["192.0.2.0/24", "2001:db8::/64"]);
  const [ipv4, ipv6] = [table.at(0), table.at(1)];
  expect(formatAddress(addressOfFlow(ipv4, { subnet: 0, flow: 0 }).dst)).toBe("192.0.2.1");
  expect(formatAddress(addressOfFlow(ipv6, { subnet: 0, flow: 0 }).dst)).toBe("2001:db8::1");
  expect(flowOfAddress(ipv4, ipv6.base, 0)).toBeNull();
  expect(flowOfAddress(ipv4, addressOfFlow(ipv4, { subnet: 0, flow: 0 }).dst, -1)).toBeNull();
});
