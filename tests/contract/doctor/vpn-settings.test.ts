/** Settings of tailscaled with which a user's prefixes are announced, and their packets still go wrong. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vpnSettings } from "../../../apps/peering/bootstrap/checkup/vpn.ts";
import { exchangeDevice, Tailscaled } from "../bootstrap/tailscaled.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-doctor-"));
let tailscaled: Tailscaled;
beforeAll(() => {
  tailscaled = new Tailscaled(join(folder, "ts.sock"), [exchangeDevice(1)]);
});
afterAll(async () => {
  await tailscaled[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const advice = async () => (await vpnSettings(tailscaled.socket)).map(({ next }) => next);

test("a device that offers a prefix gets advice for its packets", async () => {
  tailscaled.routes = ["2001:db8:20ab::/48"];
  expect(await advice()).toEqual([]);
  tailscaled.settings = { NoSNAT: false, RouteAll: false };
  expect(await advice()).toEqual([
    "tailscale set --snat-subnet-routes=false",
    "tailscale set --accept-routes",
  ]);
});

test("who only listens needs neither", async () => {
  tailscaled.routes = null;
  expect(await advice()).toEqual([]);
});

test("a tailscaled that refuses to tell is a remark, too", async () => {
  tailscaled.failure = () => new Response("denied", { status: 403 });
  expect(await advice()).toEqual(["run as root, or: tailscale set --operator=USER"]);
});
