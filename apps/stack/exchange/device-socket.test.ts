import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalApi } from "../../peering/bootstrap/vpn/local-api.ts";
import { DeviceSocket } from "./device-socket.ts";

interface Carried {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** A device in a platform of 2001:db8:2000::/40, asked as bootstrap asks. */
async function withDevice(use: (device: Device) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "vantage-device-"));
  const device: Device = {
    socket: join(folder, "tailscaled.sock"),
    api: new LocalApi(join(folder, "tailscaled.sock")),
    isJoined: true,
    carried: [],
  };
  try {
    await using _socket = new DeviceSocket({
      socket: device.socket,
      isJoined: () => device.isJoined,
      platformPrefixes: ["2001:db8:2000::/40"],
      carry: async (add, remove) => {
        device.carried.push({ add, remove });
      },
    });
    await use(device);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Device {
  readonly socket: string;
  readonly api: LocalApi;
  isJoined: boolean;
  readonly carried: Carried[];
}

test("until somebody has joined it waits for a login, and knows nobody", () =>
  withDevice(async (device) => {
    device.isJoined = false;
    const { BackendState, Peer, Health } = await device.api.status();
    expect([BackendState, Peer]).toEqual(["NeedsLogin", {}]);
    expect(Health?.[0]).toContain("vantage stack join");
    device.isJoined = true;
    const status = await device.api.status();
    expect(status.BackendState).toBe("Running");
    expect(Object.values(status.Peer ?? {}).map(({ Tags }) => Tags)).toEqual([["tag:exchange"]]);
  }));

test("prefixes of the platform that the device offers are carried to it, and no longer when it stops", () =>
  withDevice(async ({ api, carried }) => {
    await api.advertise(["2001:db8:2001::/48", "::/0", "2001:db8:3000::/48", "nonsense"]);
    await api.advertise(["2001:db8:2002::/48"]);
    expect(carried).toEqual([
      { add: ["2001:db8:2001::/48"], remove: [] },
      { add: ["2001:db8:2002::/48"], remove: ["2001:db8:2001::/48"] },
    ]);
    expect((await api.settings()).offers).toEqual(["2001:db8:2002::/48"]);
  }));

test("it is for root alone, and for no web page", () =>
  withDevice(async ({ socket, carried }) => {
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    const strange = await fetch("http://127.0.0.1/localapi/v0/status", { unix: socket });
    expect(strange.status).toBe(403);
    const url = "http://local-tailscaled.sock/localapi/v0/prefs";
    const bad = await fetch(url, { unix: socket, method: "PATCH", body: '{"AdvertiseRoutes": "::/0"}' });
    expect([bad.status, carried.length]).toEqual([400, 0]);
  }));
