/** A client whose FRR does not run yet: what it finds when it starts. FRR's own vtysh reads the file. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readBootstrapConfig } from "../../../apps/peering/bootstrap/config.ts";
import { makeService } from "../../../apps/peering/bootstrap/service.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { ClientHome, one, two } from "./client-home.ts";

let home: ClientHome;
beforeEach(() => {
  home = new ClientHome();
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
});

function service() {
  const { folder, snippets, tailscaled } = home;
  mkdirSync(join(folder, "sockets"), { recursive: true });
  const text = `
platform: {asn: 64500}
vpn: {socket: ${tailscaled.socket}}
daemon: {kind: frr, config_file: ${folder}/frr.conf, snippets_dir: ${snippets}, control_socket: ${folder}/sockets}
bootstrap: {state_dir: ${folder}/state}
`;
  const config = readBootstrapConfig(
    { name: "test", text },
    { USER_ASN: "65011", USER_PREFIXES: `${one},${two}` },
  );
  const log = jsonLog("bootstrap", (line) => home.log.push(line));
  return makeService(config, { log, nowMs: () => home.nowMs, elapsedMs: () => home.elapsedMs });
}

test("its configuration is there, the user's additions at its end; the status says who is missing", async () => {
  writeFileSync(join(home.snippets, "b.conf"), "ipv6 prefix-list second seq 5 permit 2001:db8::/32\n");
  writeFileSync(join(home.snippets, "a.conf"), "ipv6 prefix-list first seq 5 permit 2001:db8::/32\n");
  const { client } = service();
  await client.look();
  const text = readFileSync(join(home.folder, "frr.conf"), "utf8");
  expect(text).toContain(" neighbor 100.64.0.1 remote-as 64500");
  expect(text.slice(text.indexOf("! a.conf"))).toMatch(/^! a\.conf\n.* first .*\n! b\.conf\n.* second .*\n$/);
  expect(client.snapshot.failures.daemon).toContain("Cannot query FRR");
  expect(client.snapshot.sessions).toBeNull();
});

test("what vtysh cannot read is not put in place, and is named", async () => {
  writeFileSync(join(home.snippets, "bad.conf"), "router nonsense 7\n");
  const { client } = service();
  await client.look();
  expect(await Bun.file(join(home.folder, "frr.conf")).exists()).toBe(false);
  expect(client.snapshot.failures.daemon).toContain("Unknown command");
});

test("additions that are too long are refused", async () => {
  writeFileSync(join(home.snippets, "long.conf"), "!\n".repeat(200_000));
  const { client } = service();
  await client.look();
  expect(client.snapshot.failures.daemon).toContain("more than 262144 bytes");
});
