/** `vantage doctor` at daemons and services all of whose text is hostile, to terminals and spreadsheets. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exchangeSettings } from "../../lab/exchange/configurations.ts";
import * as plan from "../../lab/exchange/plan.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { exchangeDevice, Tailscaled } from "../bootstrap/tailscaled.ts";
import { bootstrapStatus, hostile } from "../cli/hostile-gateway.ts";
import { hostileParts } from "./obeyed.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-doctor-hostile-"));
/** The same from a daemon that ends its own lines. */
const oneLine = hostile.replaceAll("\r\n", "\r");

/** What a peer and a cache have BIRD say: names, errors, a message of RFC 9003. */
const sessions = `2002-Name       Proto      Table      State  Since         Info
1002-cache RPKI ---  down   2026-01-31 12:00:00.000  ${oneLine.replaceAll("\r", "")}
1006-  Cache server:     ${oneLine.replaceAll("\r", "")}
1006-  Status:           ${oneLine.replaceAll("\r", "")}
1002-upstream_transit BGP        ---        start  2026-01-31 12:00:00.000  Idle ${oneLine}
1006-  BGP state:          Idle ${oneLine}
     Neighbor address: ${plan.upstreamLink.other}
     Neighbor AS:      64496
     Last error:       Received: Administrative shutdown ${oneLine}
     Message:          ${oneLine}
1002-${oneLine.replaceAll(" ", "_")} BGP        ---        up  2026-01-31 12:00:00.000  Established ${oneLine}
1006-  BGP state:          Established
     Neighbor address: ${plan.serverLink.other}
     Last error:       ${oneLine}
0000 
`;
const bird = createServer((socket) => {
  socket.write(`0001 BIRD ${oneLine} ready.\n`);
  socket.on("data", (command) => {
    socket.write(
      String(command).includes("protocols") ? sessions : `1000-BIRD ${oneLine}\n0013 ${oneLine}\n`,
    );
  });
  socket.on("error", () => undefined);
});
bird.listen(join(folder, "bird.ctl"));
const services = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => {
    const body = { status: hostile, reasons: [hostile, { text: hostile }], failure: hostile };
    return Response.json(body, {
      status: request.url.endsWith("/policy") ? 200 : 503,
      headers: { date: "?" },
    });
  },
});
mkdirSync(join(folder, "state"));
const control = Bun.serve({
  unix: join(folder, "state", "control.sock"),
  fetch: () => Response.json(bootstrapStatus),
});
const tailscaled = new Tailscaled(join(folder, "tailscaled.sock"), [
  exchangeDevice(1, { HostName: hostile, DNSName: hostile, Online: false }),
  exchangeDevice(2, { HostName: hostile, TailscaleIPs: [hostile] }),
]);

afterAll(async () => {
  bird.close();
  await Promise.all([services.stop(true), control.stop(true), tailscaled[Symbol.asyncDispose]()]);
  rmSync(folder, { recursive: true, force: true });
});

const address = `127.0.0.1:${services.port}`;
const url = `http://${address}`;
writeFileSync(join(folder, "token"), "token");
writeFileSync(join(folder, "exchange.yaml"), exchangeSettings(join(folder, "policy.conf")));
writeFileSync(join(folder, "policy.conf"), `no policy ${oneLine}\n`);
writeFileSync(
  join(folder, "policy-generator.yaml"),
  `generator: {state_dir: ${folder}, address: "${address}"}
gateway: {url: "${url}", key: key}
vpn: {headscale_url: "${url}", headscale_key: key, allow_email_join: true}
platform: {asn: ${plan.platformAsn}}
daemon: {policy_file: ${join(folder, "policy.conf")}, control_socket: ${join(folder, "bird.ctl")}}
`,
);
writeFileSync(
  join(folder, "bootstrap.yaml"),
  `bootstrap: {state_dir: ${join(folder, "state")}, address: "${address}"}
platform: {asn: ${plan.platformAsn}}
vpn: {socket: ${tailscaled.socket}}
gateway: {url: "${url}", token_file: ${join(folder, "token")}}
daemon: {control_socket: ${join(folder, "bird.ctl")}, config_file: ${join(folder, "policy.conf")}}
`,
);

async function run(part: string, file: string, format: string): Promise<string> {
  const child = Bun.spawn([...vantageCommand, "doctor", part, "--config", join(folder, file), "-o", format], {
    env: { PATH: process.env.PATH, USER_ASN: "65000", USER_PREFIXES: "2001:db8:20ab::/48" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect(await child.exited).toBe(1);
  return said.join("");
}

const parts = [
  ["exchange", "exchange.yaml", ["upstream transit", "RPKI", "active policy", "policy generator", "policy"]],
  ["client", "bootstrap.yaml", ["bootstrap", "BIRD's socket", "exchange servers"]],
] as const;

test.each(parts)("%s", async (part, file, looks) => {
  for (const format of ["table", "csv", "json", "ndjson"]) {
    const said = await run(part, file, format);
    expect({ format, obeyed: hostileParts(said) }).toEqual({ format, obeyed: [] });
    expect(said).not.toMatch(/^vantage: all is well/m);
    if (format === "table") {
      // The hostile text was looked at, and is shown as what it is.
      const lines = said.split("\n").filter((line) => line.includes("\\u001b") || line.includes("?[2J"));
      expect(looks.filter((look) => !lines.some((line) => line.includes(look)))).toEqual([]);
    }
  }
});
