/** The link-layer header of an outgoing frame: route, next hop, MAC. */
import {
  linkHeaderBytesAt,
  neighbourBytes,
  neighbourReach,
  neighbourSlots,
  neighboursAt,
  routeBytes,
  routeCountAt,
  routeKindGateway,
  routeKindNone,
  routeKindOffset,
  routeKindOnLink,
  routeMacOffset,
  routesAt,
  sourceMacAt,
  stopNeighbour,
  stopNone,
  stopNoRoute,
} from "../memory-layout";

/** Writes the header of the frame to `dst` (16 bytes); returns why it cannot, or `stopNone`. */
export function fillLinkHeader(frame: usize, dst: usize, ipv4: bool): i32 {
  const route = findRoute(load<u64>(dst), load<u64>(dst, 8));
  if (route == 0) {
    return stopNoRoute;
  }
  const kind = load<u8>(route, routeKindOffset);
  if (kind == routeKindNone) {
    return stopNoRoute;
  }
  if (load<u32>(linkHeaderBytesAt) == 0) {
    return stopNone;
  }
  let mac: usize = route + routeMacOffset;
  if (kind == routeKindOnLink) {
    const neighbour = findNeighbour(dst);
    if (neighbour == 0) {
      return stopNeighbour;
    }
    mac = neighbour + 16;
  } else if (kind != routeKindGateway) {
    return stopNeighbour;
  }
  store<u32>(frame, load<u32>(mac));
  store<u16>(frame, load<u16>(mac, 4), 4);
  store<u32>(frame, load<u32>(sourceMacAt), 6);
  store<u16>(frame, load<u16>(sourceMacAt, 4), 10);
  store<u16>(frame, ipv4 ? 0x0008 : 0xdd86, 12);
  return stopNone;
}

function findRoute(dst0: u64, dst1: u64): usize {
  const count = load<u32>(routeCountAt);
  for (let i: u32 = 0; i < count; i++) {
    const route: usize = routesAt + i * routeBytes;
    if (
      (dst0 & load<u64>(route, 16)) == load<u64>(route) &&
      (dst1 & load<u64>(route, 24)) == load<u64>(route, 8)
    ) {
      return route;
    }
  }
  return 0;
}

/** Spreads addresses over the table; neighbours on a link differ in their last bytes. */
export function neighbourSlot(dst: usize): u32 {
  const mixed = (load<u64>(dst) ^ (load<u64>(dst, 8) * 0x9e3779b97f4a7c15)) * 0xff51afd7ed558ccd;
  return <u32>(mixed >> 32) % neighbourSlots;
}

function findNeighbour(dst: usize): usize {
  const first = neighbourSlot(dst);
  for (let i: u32 = 0; i < <u32>neighbourReach; i++) {
    const entry: usize = neighboursAt + ((first + i) % neighbourSlots) * neighbourBytes;
    if (load<u8>(entry, 22) == 0) {
      return 0;
    }
    if (load<u64>(entry) == load<u64>(dst) && load<u64>(entry, 8) == load<u64>(dst, 8)) {
      return entry;
    }
  }
  return 0;
}

/** Stores the neighbour at `dst` (16 bytes) and the MAC after it; false when all its slots are taken. */
export function rememberNeighbour(dst: usize): bool {
  const first = neighbourSlot(dst);
  for (let i: u32 = 0; i < <u32>neighbourReach; i++) {
    const entry: usize = neighboursAt + ((first + i) % neighbourSlots) * neighbourBytes;
    const same = load<u64>(entry) == load<u64>(dst) && load<u64>(entry, 8) == load<u64>(dst, 8);
    if (load<u8>(entry, 22) == 0 || same) {
      memory.copy(entry, dst, 22);
      store<u8>(entry, 1, 22);
      return true;
    }
  }
  return false;
}

export function forgetNeighbours(): void {
  memory.fill(neighboursAt, 0, neighbourSlots * neighbourBytes);
}
