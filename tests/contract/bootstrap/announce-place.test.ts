/** Whom `vantage announce` and `withdraw` ask: the gateway of a login, else the client stack here, on a real BIRD. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { controlSocketIn } from "../../../apps/peering/bootstrap/control-socket.ts";
import type { Service } from "../../../apps/peering/bootstrap/service.ts";
import { serveSocket } from "../../../lib/engines/http/serve-socket.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { ClientHome, one, two } from "./client-home.ts";
import { exchangeDevice } from "./tailscaled.ts";

let home: ClientHome;
let sockets: AsyncDisposableStack;
beforeEach(() => {
  home = new ClientHome();
  sockets = new AsyncDisposableStack();
});
afterEach(async () => {
  await sockets.disposeAsync();
  await home[Symbol.asyncDispose]();
});

async function running(service: Service): Promise<void> {
  home.tailscaled.peers = [exchangeDevice(1), exchangeDevice(2)];
  await service.client.look();
  await home.startBird();
  await service.client.look();
  sockets.use(
    serveSocket(
      (request) => service.control.fetch(request),
      controlSocketIn(service.client.parts.config.stateFolder),
    ),
  );
}

/** With logins in the home's folder only, and by default the client stack of this home. */
function run(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  return runToEnd([...vantageCommand, ...args], {
    env: {
      ...{ PATH: process.env.PATH ?? "", XDG_CONFIG_HOME: join(home.folder, "config") },
      VANTAGE_BOOTSTRAP_BOOTSTRAP__STATE_DIR: join(home.folder, "state"),
      ...more,
    },
  });
}

async function rows(...args: string[]): Promise<Record<string, unknown>[]> {
  const { stdout, stderr } = await run([...args, "-o", "json"]);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test("without a gateway the client stack here announces, prepends and withdraws, at one exchange or all", async () => {
  const service = home.service({ prefixes: `${one},${two}` });
  await running(service);
  const short = (all: Record<string, unknown>[]) =>
    all.map(({ prefix, server, announce, prepend, daemon }) => [prefix, server, announce, prepend, daemon]);
  const at = (prefix: string, ...how: [announce: boolean, prepend: number][]) =>
    how.map(([announce, prepend], i) => [prefix, `ixp-${i + 1}`, announce, prepend, "confirmed"]);
  expect(short(await rows("announcements"))).toEqual([
    ...at(one, [true, 0], [true, 0]),
    ...at(two, [true, 0], [true, 0]),
  ]);
  const table = await run(["announcements"]);
  expect([table.stdout.includes(one), table.stderr]).toEqual([true, ""]);
  const ways = ["--prepend", "1", "--at", "all", "--at", "ixp-2,prepend=3", "--wait"];
  expect(short(await rows("announce", one, ...ways)).toSorted()).toEqual(at(one, [true, 1], [true, 3]));
  expect(home.text().match(/bgp_path\.prepend\(USER_ASN\)/g)).toHaveLength(4);
  expect(short(await rows("withdraw", one, "--at", "ixp-1")).toSorted()).toEqual(
    at(one, [false, 0], [true, 3]),
  );
  await rows("announce", two, "--not-to", "64497", "--for", "1h");
  const [shown] = (await rows("announcements")).filter(({ prefix }) => prefix === two);
  expect(shown).toMatchObject({ attributes: [expect.stringContaining("AS64497")], changes_left: null });
  expect(home.text()).toContain("64497");
  home.nowMs = Date.now() + 3_600_001;
  await service.client.look();
  expect(home.text()).not.toContain("64497");
  expect((await rows("withdraw", "--all")).map(({ announce }) => announce)).toEqual(Array(4).fill(false));
  expect(home.text()).not.toContain("then accept;");
});

test("what only a gateway can do is refused with its reason, and so is a prefix that is left out", async () => {
  await running(home.service({ prefixes: `${one},${two}` }));
  for (const [args, exitCode, words] of [
    [["announce"], 2, `Name one of your prefixes: ${one}, ${two}`],
    [["announce", one, "--check"], 2, "--check needs a gateway"],
    [["announce", one, "--not-to", "transit"], 1, 'the neighbour "transit" without a gateway: give its ASN'],
    [["announce", one, "--at", "ixp-9"], 1, 'There is no exchange "ixp-9": known are ixp-1, ixp-2'],
    [["withdraw", "2001:db8:9::/48"], 1, "2001:db8:9::/48 is not in USER_PREFIXES"],
    [["bootstrap", "prepend", one, "2"], 2, "use vantage announce PREFIX --prepend N"],
  ] as const) {
    const said = await run(args);
    expect([said.exitCode, said.stderr]).toEqual([exitCode, expect.stringContaining(words)]);
  }
});

test("a gateway that is named or logged in at is asked, and with --config the client stack", async () => {
  await running(home.service({ prefixes: one }));
  const config = join(home.folder, "config", "vantage");
  mkdirSync(config, { recursive: true });
  // Port 9 (discard): no one answers there.
  const named = await run(["announce", one], { VANTAGE_PEERING_GATEWAY: "http://127.0.0.1:9" });
  expect([named.exitCode, named.stderr]).toEqual([1, expect.stringContaining("http://127.0.0.1:9")]);
  const file = join(home.folder, "bootstrap.yaml");
  writeFileSync(file, home.config());
  const local = await run(["announce", one, "-o", "json", "--config", file], {
    ...{ VANTAGE_PEERING_GATEWAY: "http://127.0.0.1:9", VANTAGE_BOOTSTRAP_BOOTSTRAP__STATE_DIR: "" },
  });
  expect([local.exitCode, local.stderr]).toEqual([0, ""]);
  const both = await run(["announce", one, "--config", file, "--profile", "x"]);
  expect(both.exitCode).toBe(2);
});

test("with a gateway that cannot be reached, the error says how to withdraw without it", async () => {
  await running(home.service({ prefixes: one, gateway: true }));
  await home.stopGateway();
  const { exitCode, stderr } = await run(["withdraw", one]);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining("to withdraw without the gateway, stop its BIRD"),
  ]);
});

test("where neither a gateway is known nor a client stack runs, the error names both ways", async () => {
  const { exitCode, stderr } = await run(["withdraw", one]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`No client stack answers at ${join(home.folder, "state/control.sock")} (is `);
  expect(stderr).toContain("vantage login --gateway=URL");
});
