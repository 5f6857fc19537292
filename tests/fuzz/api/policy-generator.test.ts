/** Every route of the policy generator, by requests made from its document; its routing daemon is a real BIRD. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { GeneratorHome } from "../../contract/policy-generator/generator-home.ts";
import { GatewayProcess } from "../../contract/probing-gateway/gateway-process.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { longTest } from "../../run/long-test.ts";
import { fuzz } from "./schemathesis.ts";

const examples = 6;
/** It waits for its peer, and sends nothing. */
const session = `
protocol bgp user_1 {
  local 127.0.0.1 port 17901 as 64500;
  neighbor 100.64.0.1 as 65001;
  multihop;
  passive yes;
  ipv6 { import none; export none; };
}`;

let home: GeneratorHome;
let generator: GatewayProcess;
beforeAll(async () => {
  const waiting = sampleUser(2, { leases: [] });
  const broken = sampleUser(4, { devices: [["100.64.0.999"]] });
  home = await GeneratorHome.open([sampleUser(1), waiting, broken]);
  // BIRD reads it with the first policy.
  home.writeBirdConfig(session);
  const config = join(home.folder, "generator.yaml");
  await Bun.write(config, home.config());
  generator = await GatewayProcess.start(config, [], "policy-generator");
  await until("a policy, and a session", async () => {
    const { sessions } = (await (await fetch(`${generator.url}status`)).json()) as { sessions: unknown[] };
    return sessions.length === 1 && (await fetch(`${generator.url}health`)).ok;
  });
});
afterAll(async () => {
  await generator.stop();
  await home[Symbol.asyncDispose]();
});

test("an operator", async () => {
  const { passed, said } = await fuzz({ url: generator.url, token: "none", paths: "^/", examples });
  expect(passed ? "" : said).toBe("");
});

longTest(
  "an operator, while the routing daemon and the gateway are away: 503 is an answer, and is in the document",
  async () => {
    await home.stopBird();
    home.sources.gatewayFailure = () => new Response("", { status: 500 });
    const order = { url: generator.url, token: "none", paths: "^/", examples, isSomethingAway: true };
    const { passed, said } = await fuzz(order);
    expect(passed ? "" : said).toBe("");
    expect((await fetch(`${generator.url}health`)).status).toBe(503);
    const metrics = await (await fetch(`${generator.url}metrics`)).text();
    const failures = metrics.split("\n").filter((line) => /status="5\d\d"/.test(line));
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.filter((line) => !line.includes('status="503"'))).toEqual([]);
  },
);
