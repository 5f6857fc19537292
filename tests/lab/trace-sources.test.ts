/** `-s`: traces and pings from an address that is named, of a host that has several. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { ipBatch } from "./namespaces.ts";
import { targetAddress } from "./responder/scenario.ts";
import { interfaceTo } from "./routing.ts";
import { testInternet } from "./topology.ts";

const host = "east";
/** `onLink` and `onLoopback` are added to the drawing: the second is of a prefix that is routed to the host. */
const own = {
  v4: { first: "192.0.2.2", onLink: "192.0.2.4", onLoopback: "10.101.0.77", loopback: "127.0.0.1" },
  v6: { first: "2001:db8:e::2", onLink: "2001:db8:e::77", onLoopback: "2001:db8:e000::77", loopback: "::1" },
} as const;
const families = ["v4", "v6"] as const;
const protocols = ["udp", "icmp", "tcp"] as const;
const cases = families.flatMap((family) => protocols.map((protocol) => [family, protocol] as const));
const bothFamilies = "both.example";

let net: Internet;
/** `ip netns exec` shows its files in place of those in /etc. */
let hostFiles: string;
beforeAll(async () => {
  net = await Internet.start(testInternet);
  const namespace = net.namespaceOf(host);
  const link = interfaceTo("eastAccess");
  await ipBatch(
    [
      `addr add ${own.v4.onLink}/29 dev ${link} noprefixroute`,
      `addr add ${own.v4.onLoopback}/32 dev lo`,
      `addr add ${own.v6.onLink}/64 dev ${link} noprefixroute nodad`,
      `addr add ${own.v6.onLoopback}/128 dev lo nodad`,
    ],
    "-n",
    namespace,
  );
  hostFiles = `/etc/netns/${namespace}`;
  mkdirSync(hostFiles, { recursive: true });
  const { v4, v6 } = targetAddress(10);
  writeFileSync(`${hostFiles}/hosts`, `${v6} ${bothFamilies}\n${v4} ${bothFamilies}\n`);
});
afterAll(async () => {
  rmSync(hostFiles, { recursive: true, force: true });
  await net.stop();
});

async function vantage(...args: string[]) {
  return await runToEnd(net.at(host, [...vantageCommand, ...args]));
}

describe.each(cases)("%s %s", (family, protocol) => {
  test.each(["first", "onLoopback"] as const)("a trace from the address %s", async (which) => {
    const source = own[family][which];
    const dst = targetAddress(10)[family];
    const args = ["trace", "-p", protocol, "-s", source, "--flows", "2", "-q", "1", "-o", "ndjson", dst];
    const { exitCode, stdout, stderr } = await vantage(...args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const { reached, source: used, hops } = JSON.parse(stdout);
    expect({ reached, used }).toEqual({ reached: true, used: source });
    expect(hops[0].routers.every(({ address }: { address: string | null }) => address !== null)).toBe(true);
  });

  test.each(["onLink", "onLoopback"] as const)("a ping from the address %s", async (which) => {
    const dst = targetAddress(10)[family];
    const { exitCode, stdout } = await vantage(
      "ping",
      "-p",
      protocol,
      "-s",
      own[family][which],
      "-c",
      "1",
      dst,
    );
    expect(stdout).toContain("1 sent, 1 answered, 0 % lost");
    expect(exitCode).toBe(0);
  });

  test.each(["first", "loopback"] as const)(
    "a ping of the host itself from the address %s",
    async (which) => {
      const { loopback, onLink } = own[family];
      const args = ["ping", "-p", protocol, "-s", own[family][which], "-c", "1", loopback, onLink];
      const { exitCode, stdout } = await vantage(...args);
      expect(stdout.match(/1 sent, 1 answered, 0 % lost/g)).toHaveLength(2);
      expect(exitCode).toBe(0);
    },
  );
});

describe.each(families)("%s", (family) => {
  test("of a name's addresses, the one that the source can reach is taken", async () => {
    const args = ["ping", "-c", "1", "-s", own[family].onLink, "-o", "ndjson", bothFamilies];
    const { exitCode, stdout } = await vantage(...args);
    expect({ exitCode, address: JSON.parse(stdout).address }).toEqual({
      exitCode: 0,
      address: targetAddress(10)[family],
    });
  });

  test("a loopback source does not leave the host", async () => {
    const { exitCode, stderr } = await vantage("ping", "-s", own[family].loopback, targetAddress(10)[family]);
    expect(stderr).toContain("a loopback address reaches only this host; leave -s out");
    expect(exitCode).toBe(1);
  });

  test("a source of the other family is refused", async () => {
    const other = family === "v4" ? own.v6.first : own.v4.first;
    const { exitCode, stderr } = await vantage("ping", "-s", other, targetAddress(10)[family]);
    expect(stderr).toContain("one is IPv4, the other IPv6");
    expect(exitCode).toBe(1);
  });
});

test("addresses of many hosts are refused by name", async () => {
  const { stderr: broadcast } = await vantage("ping", "192.0.2.7");
  const { stderr: multicast } = await vantage("ping", "224.0.0.1");
  expect(broadcast).toContain("it is a broadcast address: give the address of one host");
  expect(multicast).toContain("it is a multicast address: give the address of one host");
});
