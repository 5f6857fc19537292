/** Targets as people type them, by the commands themselves: answered, or told what to write. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { targetAddress } from "./responder/scenario.ts";
import { interfaceTo } from "./routing.ts";
import { testInternet } from "./topology.ts";

const { v4, v6 } = targetAddress(10);
const link = interfaceTo("eastAccess");

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(testInternet);
});
afterAll(() => net.stop());

async function ping(target: string, ...args: string[]) {
  return await runToEnd(
    net.at("east", [...vantageCommand, "ping", "-c", "1", "-o", "ndjson", ...args, target]),
  );
}

test.each([
  [` ${v4} `, v4],
  [`::ffff:${v4}`, v4],
  [`[${v6}]`, v6],
  [v6.toUpperCase(), v6],
])("%p is pinged", async (target, address) => {
  const { exitCode, stdout, stderr } = await ping(target);
  expect({ exitCode, stderr, address: JSON.parse(stdout).address }).toEqual({
    exitCode: 0,
    stderr: "",
    address,
  });
});

test("a zone is the interface to probe by", async () => {
  const { stdout: links } = await runToEnd(
    net.at("eastAccess", ["ip", "-j", "-6", "addr", "show", "to", "fe80::/10"]),
  );
  const addresses: { ifname: string; addr_info: { local?: string }[] }[] = JSON.parse(links);
  const found = addresses.find(({ ifname }) => ifname === interfaceTo("east"))?.addr_info ?? [];
  const gateway = found.find(({ local }) => local !== undefined)?.local ?? "";
  const { exitCode, stdout } = await ping(`${gateway}%${link}`);
  const { outcome, address } = JSON.parse(stdout);
  expect({ exitCode, outcome, address }).toEqual({ exitCode: 0, outcome: "answered", address: gateway });
});

test.each([
  [`${v4}:443`, `it has a port: write ${v4}, and give port 443 by itself (-p tcp --dst-port 443)`],
  [`https://[${v6}]:8443/x`, `give its host, ${v6}; for its port: -p tcp --dst-port 8443`],
  [`${v4}/24`, `give an address of it, as ${v4}, or probe all of it with vantage probes`],
  ["192.0.2", "it is not an IP address: write four numbers from 0 to 255"],
  ["fe80::1%nowhere", "there is no interface nowhere (see: ip link)"],
  ["bücher.example", "Cannot find bücher.example: no name server answers"],
])("%p is refused with what to write", async (target, message) => {
  const { exitCode, stderr } = await ping(target);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(1);
});

test("a zone and -i must be the same interface", async () => {
  const { stderr } = await ping(`fe80::1%${link}`, "-i", "lo");
  expect(stderr).toContain(`its zone names the interface ${link}`);
});
