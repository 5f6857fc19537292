/** Every route of a user's client, by requests made from its document; it asks a gateway, and a tailscaled. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { ClientHome, environmentOf, one, two } from "../../contract/bootstrap/client-home.ts";
import { GatewayProcess } from "../../contract/probing-gateway/gateway-process.ts";
import { until } from "../../exchange/until.ts";
import { longTest } from "../../run/long-test.ts";
import { fuzz } from "./schemathesis.ts";

const examples = 6;
const accepted = [{ prefix: one, as_path: "65011", heard_by: [{ name: "upstream", asn: 64_497 }] }];
const refused = [{ prefix: two, as_path: "65011", reason: "notLeased", explanation: "it is not leased" }];
const session = {
  ...{ address: "100.64.0.11", asn: 65_011, is_up: true, remark: null, suspended_until: null },
  ...{ leases: [], accepted, refused },
};

let home: ClientHome;
let client: GatewayProcess;
/** Stands for the exchange, as a proxy on loopback: nothing is sent to an address of the tunnel. */
let exchange: Bun.Server<undefined>;
beforeAll(async () => {
  exchange = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch: () => Response.json({ sessions: [session] }),
  });
  home = new ClientHome();
  home.info = { asn: 65_011, active_leases: [{ prefix: one, end_time: "2100-01-01T00:00:00Z" }] };
  const config = join(home.folder, "client.yaml");
  await Bun.write(config, home.config(true));
  const proxy = { http_proxy: exchange.url.origin, no_proxy: "127.0.0.1" };
  const variables = Object.entries({ ...environmentOf(), ...proxy }).map((pair) => pair.join("="));
  client = await GatewayProcess.start(config, ["env", ...variables], "bootstrap");
  await until("a lease, and what the exchange says of a route", async () => {
    const text = await (await fetch(`${client.url}status.json`)).text();
    return text.includes('"lease":"leased"') && text.includes(JSON.stringify(accepted[0]?.heard_by));
  });
});
afterAll(async () => {
  await client.stop();
  await exchange.stop(true);
  await home[Symbol.asyncDispose]();
});

test("its user", async () => {
  const { passed, said } = await fuzz({ url: client.url, token: "none", paths: "^/", examples });
  expect(passed ? "" : said).toBe("");
});

longTest("its user, while VPN and gateway are away", async () => {
  home.info = null;
  await home.tailscaled.stop();
  await until("the client's word of it", async () =>
    (await (await fetch(`${client.url}status.json`)).text()).includes("Cannot ask tailscaled"),
  );
  const { passed, said } = await fuzz({ url: client.url, token: "none", paths: "^/", examples });
  expect(passed ? "" : said).toBe("");
});
