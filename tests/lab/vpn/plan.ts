/**
 * The lab of the VPN, as data.
 *
 *     upstream ─── ixp ┐                        ┌ user ─── host    an address of the leased /48 behind the user
 *                      ├ underlay (198.51.100.0/24)
 *     target ── agent ┘                        └ core    coordination server, issuer, peering gateway, broker
 *
 * ixp, user, agent and core each run a tailscaled; what goes between them goes through its tunnel.
 */

export const nodes = ["underlay", "core", "ixp", "user", "agent", "upstream", "host", "target"] as const;
export type Node = (typeof nodes)[number];

/** On the underlay, which stands for the Internet between the machines. */
export const underlay = {
  core: "198.51.100.1",
  ixp: "198.51.100.2",
  user: "198.51.100.3",
  agent: "198.51.100.4",
} as const;
export type Machine = keyof typeof underlay;

export const coordinationPort = 8443;
export const coordinationUrl = `https://${underlay.core}:${coordinationPort}`;
export const gatewayPort = 8080;
export const gatewayUrl = `http://${underlay.core}:${gatewayPort}`;
export const statusPort = 8091;

export const platformAsn = 64_500;
export const upstreamAsn = 64_496;
/** Origin of what the upstream announces. */
export const farAsn = 64_499;
export const platformAggregate = "2001:db8:2000::/40";
export const leasePool = "2001:db8:20ab::/48";
export const infrastructurePrefix = "2001:db8:ffff::/48";
export const farPrefix = "3fff:0:7::/48";
/** A host far away, at the upstream. */
export const farHost = "3fff:0:7::1";
/** Out of the leased /48: an address of the user's machine itself, and a network behind it. */
export const leased = {
  own: "2001:db8:20ab::1",
  network: "2001:db8:20ab:1::/64",
  router: "2001:db8:20ab:1::1",
  host: "2001:db8:20ab:1::2",
} as const;

/** Links beside the underlay: an address of each end. */
export const links = {
  upstream: { a: "ixp", b: "upstream", addressA: "2001:db8:f0::2/64", addressB: "2001:db8:f0::1/64" },
  host: { a: "user", b: "host", addressA: `${leased.router}/64`, addressB: `${leased.host}/64` },
  target: { a: "agent", b: "target", addressA: "192.0.2.1/24", addressB: "192.0.2.2/24" },
} as const;
export const targetAddress = "192.0.2.2";

export const internetRange = "2000::/3";
export const device = "tailscale0";
export const tunnelMtuBytes = 1280;
/** IPv6 and TCP take 40 and 20 bytes of it. */
export const tunnelMssBytes = tunnelMtuBytes - 60;
