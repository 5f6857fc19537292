import { expect, test } from "bun:test";
import { address, formatAddress } from "../../net/ip/address.ts";
import { embeddedIpv4 } from "./embedded-ipv4.ts";

test.each<[string, readonly string[]]>([
  ["2002:c633:6407::1", ["198.51.100.7"]],
  ["::c633:6407", ["198.51.100.7"]],
  ["::ffff:0:c633:6407", ["198.51.100.7"]],
  ["64:ff9b::c633:6407", ["198.51.100.7"]],
  // RFC 6052 s.2.4: 192.0.2.33 behind prefixes of 48, 56, 64 and 96 bits.
  ["64:ff9b:1:c000:2:2100::", ["192.0.2.33", "0.2.33.0", "2.33.0.0", "0.0.0.0"]],
  ["64:ff9b:1:c0:0:221::", ["0.192.0.2", "192.0.2.33", "0.2.33.0", "0.0.0.0"]],
  ["64:ff9b:1::c0:2:2100:0", ["0.0.192.0", "0.192.0.2", "192.0.2.33", "33.0.0.0"]],
  // RFC 4380 s.4, with the client 192.0.2.45 behind the server 65.54.227.120.
  ["2001:0:4136:e378:8000:63bf:3fff:fdd2", ["65.54.227.120", "192.0.2.45"]],
  ["2001:db8::c633:6407", []],
  ["2003::c633:6407", []],
  ["198.51.100.7", []],
])("%s holds %p", (text, inside) => {
  expect(embeddedIpv4(address(text)).map(formatAddress)).toEqual([...inside]);
});
