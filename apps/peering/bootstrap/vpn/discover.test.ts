import { expect, test } from "bun:test";
import * as v from "valibot";
import { recorded } from "../../../../tests/vectors/tailscaled/recorded.ts";
import { exchangesMax } from "../limits.ts";
import { discover } from "./discover.ts";
import { type VpnDevice, type VpnStatus, vpnStatus } from "./vpn-status.ts";

const byTag = { tag: "tag:exchange", hostPrefix: null };
const byName = { tag: "tag:exchange", hostPrefix: "ixp" };

/** Each like the recorded exchange server, but for what is said here. */
const device = (HostName: string, address: string, Tags: string[] = []): VpnDevice => ({
  ...recorded.peer,
  HostName,
  DNSName: `${HostName.toLowerCase()}.vpn.example.`,
  TailscaleIPs: ["fd7a:115c:a1e0::1", address],
  Tags,
  Online: true,
  PrimaryRoutes: [],
});
const status = (...peers: VpnDevice[]): VpnStatus => ({
  ...recorded.status,
  Self: device("laptop", "100.64.0.11"),
  Peer: Object.fromEntries(peers.map((peer, index) => [`nodekey:${index}`, peer])),
});

test.each([
  ["tag", byTag],
  ["name", byName],
])("the exchange server of a recorded status is found by its %s", (_, rule) => {
  expect(discover(v.parse(vpnStatus, recorded.status), rule)).toEqual({
    state: "Running",
    loginUrl: null,
    ownAddress: "100.64.0.2",
    servedRoutes: ["2001:db8:20ab::/48"],
    exchanges: [{ name: "ixp-lab", address: "100.64.0.1", isOnline: true }],
    passedOver: [],
  });
});

test("a tailscaled that waits for a login knows neither an address nor a server", () => {
  expect(discover(v.parse(vpnStatus, recorded.loggedOut), byTag)).toEqual({
    state: "NeedsLogin",
    loginUrl: recorded.loggedOut.AuthURL || null,
    ownAddress: null,
    servedRoutes: [],
    exchanges: [],
    passedOver: [],
  });
});

test("by the tag, a name like an exchange's is nobody's business", () => {
  const found = discover(
    status(device("ixp-evil", "100.64.0.9"), device("fra", "100.64.0.2", ["tag:exchange"])),
    byTag,
  );
  expect(found.exchanges).toEqual([{ name: "fra", address: "100.64.0.2", isOnline: true }]);
  expect(found.ownAddress).toBe("100.64.0.11");
});

test("by the beginning of the host name, in any case of letters", () => {
  const found = discover(
    status(device("IXP-fra", "100.64.0.2"), device("fixp", "100.64.0.3", ["tag:exchange"])),
    byName,
  );
  expect(found.exchanges.map(({ name }) => name)).toEqual(["ixp-fra"]);
});

test("order is by address, as numbers, and two with the same name are distinguished", () => {
  const tags = ["tag:exchange"];
  const peers = [device("ixp", "100.64.0.10", tags), device("ixp", "100.64.0.9", tags)];
  const { exchanges } = discover(status(...peers), byTag);
  expect(exchanges.map(({ name, address }) => [name, address])).toEqual([
    ["ixp", "100.64.0.9"],
    ["ixp-100-64-0-10", "100.64.0.10"],
  ]);
});

test("what cannot be joined is passed over with the reason: no tunnel address, one twice, too many", () => {
  const tags = ["tag:exchange"];
  const many = Array.from({ length: exchangesMax }, (_, n) => device(`x${n}`, `100.64.1.${n}`, tags));
  const strange = [device("public", "192.0.2.1", tags), device("twin", "100.64.1.0", tags)];
  const { exchanges, passedOver } = discover(
    status(...many, device("z", "100.64.2.1", tags), ...strange),
    byTag,
  );
  expect(exchanges.length).toBe(exchangesMax);
  expect(passedOver).toEqual([
    "public: it has no address in 100.64.0.0/10",
    "twin: 100.64.1.0 is another's too",
    `z: there are more than ${exchangesMax} exchange servers`,
  ]);
});
