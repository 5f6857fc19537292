import { expect, test } from "bun:test";
import { address } from "../../net/ip/address.ts";
import { TargetCover } from "./target-cover.ts";

function coverOf(addresses: readonly string[], heldMax: number): TargetCover {
  const cover = new TargetCover(heldMax);
  for (const text of addresses) {
    cover.add(address(text));
  }
  return cover;
}

test("few addresses are listed as they are, each once", () => {
  const cover = coverOf(["192.0.2.1", "2001:db8::1", "192.0.2.1"], 10);
  expect(cover.addresses).toBe(2);
  expect(cover.list(10)).toEqual(["192.0.2.1/32", "2001:db8::1/128"]);
});

test("more addresses are listed as networks that hold them", () => {
  const cover = coverOf(["192.0.2.1", "192.0.2.2", "198.51.100.1", "2001:db8:1::1", "2001:db8:1::2"], 10);
  expect(cover.list(3)).toEqual(["192.0.2.0/24", "198.51.100.0/24", "2001:db8:1::/48"]);
});

test("addresses of both families over all of the Internet come down to two prefixes, and are not counted", () => {
  const many = Array.from({ length: 200 }, (_, i) => `${i + 1}.0.2.1`);
  const cover = coverOf([...many, "2001:db8::1", "fd00::1"], 50);
  expect(cover.addresses).toBeNull();
  expect(cover.list(2)).toEqual(["0.0.0.0/0", "::/0"]);
});
