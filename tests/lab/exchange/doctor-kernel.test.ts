/** `vantage doctor exchange` on users' routes in BIRD that the kernel has not, and the other way round. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { run } from "../namespaces.ts";
import { exchangeSettings } from "./configurations.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import * as plan from "./plan.ts";

let lab: ExchangeLab;
beforeAll(async () => {
  lab = await ExchangeLab.start();
  writeFileSync(join(lab.folder, "exchange.yaml"), exchangeSettings(lab.policyFile));
  const socket = lab.birds.exchange.socket;
  writeFileSync(
    join(lab.folder, "policy-generator.yaml"),
    `gateway: {url: "http://127.0.0.1:9", key: x}
vpn: {nodes_file: none}
platform: {asn: ${plan.platformAsn}}
daemon: {control_socket: ${socket}}
`,
  );
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

const ip = (...args: string[]) => run(lab.net.at("exchange", ["ip", "-6", "route", ...args]));

async function found(): Promise<string> {
  const command = [...vantageCommand, "doctor", "exchange", "-o", "json", "-c"];
  const child = Bun.spawn(lab.net.at("exchange", [...command, join(lab.folder, "exchange.yaml")]));
  const findings = JSON.parse(await new Response(child.stdout).text()) as { what: string; found: string }[];
  return findings.find(({ what }) => what === "kernel routes of users")?.found ?? "";
}

test("a route of a user that the kernel has lost, and one that it has kept", async () => {
  await until("all is well", async () => (await found()).startsWith("3, as BIRD"));
  // BIRD mends it at its next look.
  await until("word of the missing route", async () => {
    await ip("del", plan.platformPrefix, "dev", "tailscale0", "proto", "bird").catch(() => "");
    return (await found()).includes(`no route to ${plan.platformPrefix}`);
  });
  await lab.birds.exchange.ask("restart forwarding");
  await until("all is well again", async () => (await found()).startsWith("3, as BIRD"));
  await ip("add", "2001:db8:20fe::/48", "dev", "tailscale0", "proto", "bird");
  expect(await found()).toContain("still has a route to 2001:db8:20fe::/48");
});
