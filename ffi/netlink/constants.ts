/** Numbers of <linux/netlink.h>, <linux/rtnetlink.h>, <linux/if_arp.h> and <linux/neighbour.h>. */

export const netlinkRoute = 0;

export const messageType = {
  error: 2,
  done: 3,
  getLink: 18,
  newRoute: 24,
  getRoute: 26,
  newNeighbour: 28,
  getNeighbour: 30,
} as const;

export const messageFlag = {
  request: 0x1,
  acknowledge: 0x4,
  dump: 0x300,
  create: 0x400,
  replace: 0x100,
} as const;

export const linkAttribute = { address: 1, name: 3, mtu: 4 } as const;
export const routeAttribute = {
  destination: 1,
  source: 2,
  outputInterface: 4,
  gateway: 5,
  priority: 6,
  preferredSource: 7,
  multipath: 9,
  table: 15,
  via: 18,
  ipProtocol: 27,
  srcPort: 28,
  dstPort: 29,
} as const;
export const neighbourAttribute = { destination: 1, linkAddress: 2 } as const;

export const routeKind = {
  unicast: 1,
  local: 2,
  broadcast: 3,
  anycast: 4,
  multicast: 5,
  blackhole: 6,
  unreachable: 7,
  prohibit: 8,
} as const;
export const mainTable = 254;

/** NUD_*: the state of a neighbour. */
export const neighbourState = {
  reachable: 0x02,
  stale: 0x04,
  delay: 0x08,
  probe: 0x10,
  failed: 0x20,
  noArp: 0x40,
  permanent: 0x80,
} as const;
/** NTF_USE: has the kernel resolve the neighbour as if a packet had been sent to it. */
export const neighbourFlagUse = 0x01;

export const hardwareType = { ethernet: 1, loopback: 772, none: 65534 } as const;
export const linkFlagUp = 0x1;
