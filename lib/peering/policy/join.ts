/**
 * Joins the gateway's users with their devices in the VPN. A conflict excludes the users involved and no others: two
 * users with one address, ASN or prefix are both excluded, since nothing shows which of them is right.
 */
import type { Exclusion } from "./exclusion.ts";
import { ExclusionLedger } from "./exclusion-ledger.ts";
import { addressesPerUserMax } from "./limits.ts";
import type { Mapping } from "./mapping.ts";
import { type JoinRules, Owners } from "./owners.ts";
import { type TunnelAddress, tunnelAddressOf, type VpnNode } from "./vpn-node.ts";

export interface Member extends Mapping {
  /** One or more, sorted. */
  readonly addresses: readonly TunnelAddress[];
}

export interface Membership {
  /** Sorted by hash. */
  readonly members: readonly Member[];
  /** Sorted by hash; entries without a known user first. */
  readonly excluded: readonly Exclusion[];
}

interface JoinInput {
  readonly mappings: readonly Mapping[];
  readonly nodes: readonly VpnNode[];
  /** Entries that the readers of both sources have already excluded. */
  readonly excluded: readonly Exclusion[];
}

/** Joins any number of users: whether one is included does not depend on how many others there are. */
export function joinDevices(input: JoinInput, rules: JoinRules): Membership {
  const ledger = new ExclusionLedger(input.excluded);
  const mappings = input.mappings.toSorted((a, b) => (a.userHash < b.userHash ? -1 : 1));
  refuseDuplicates(mappings, ledger);
  const devices = devicesByUser(input.nodes, { rules, mappings }, ledger);
  refuseSharedAddresses(devices, ledger);
  noteAbsent(mappings, devices, ledger);
  const members = mappings.flatMap((mapping) => {
    const addresses = devices.get(mapping.userHash);
    return ledger.isOut(mapping.userHash) || addresses === undefined ? [] : [{ ...mapping, addresses }];
  });
  return { members, excluded: ledger.sorted() };
}

function refuseDuplicates(mappings: readonly Mapping[], ledger: ExclusionLedger): void {
  const hashes = mappings.map(({ userHash }): Claim => [userHash, userHash]);
  const asns = mappings.map(({ userHash, asn }): Claim => [String(asn), userHash]);
  const prefixes = mappings.flatMap(({ userHash, leases }) =>
    leases.map(({ prefix }): Claim => [prefix, userHash]),
  );
  for (const [userHash] of repeated(hashes)) {
    ledger.fault(userHash, "duplicateUser", "");
  }
  for (const [userHash, asn] of contested(asns)) {
    ledger.fault(userHash, "duplicateAsn", asn);
  }
  for (const [userHash, prefix] of contested(prefixes)) {
    ledger.fault(userHash, "duplicatePrefix", prefix);
  }
}

/** A value, and a user who claims it. */
type Claim = readonly [thing: string, userHash: string];

function repeated(claims: readonly Claim[]): Claim[] {
  const seen = new Set<string>();
  return claims.filter(([thing]) => seen.size === seen.add(thing).size);
}

/** Users whose value another user claims too, and the value. */
function contested(claims: readonly Claim[]): [userHash: string, thing: string][] {
  const first = new Map<string, string>();
  const out: [string, string][] = [];
  for (const [thing, userHash] of claims) {
    const other = first.get(thing);
    if (other === undefined) {
      first.set(thing, userHash);
    } else if (other !== userHash) {
      out.push([other, thing], [userHash, thing]);
    }
  }
  return out;
}

type Devices = Map<string, TunnelAddress[]>;

function devicesByUser(
  nodes: readonly VpnNode[],
  { rules, mappings }: { rules: JoinRules; mappings: readonly Mapping[] },
  ledger: ExclusionLedger,
): Devices {
  const devices: Devices = new Map();
  const owners = new Owners(rules, mappings);
  for (const node of nodes) {
    const owner = owners.of(node);
    const address = tunnelAddressOf(node);
    if ("reason" in owner) {
      ledger.add(owner);
    } else if (address === null) {
      ledger.fault(owner.userHash, "badAddress", node.addresses.join(" "));
    } else {
      addDevice(devices, owner.userHash, address);
    }
  }
  for (const [userHash, addresses] of devices) {
    addresses.sort((a, b) => (sortKey(a.v4) < sortKey(b.v4) ? -1 : 1));
    if (addresses.length > addressesPerUserMax) {
      ledger.fault(userHash, "tooManyAddresses", String(addresses.length));
    }
  }
  return devices;
}

/** A device that is listed twice counts once. */
function addDevice(devices: Devices, userHash: string, address: TunnelAddress): void {
  const known = devices.get(userHash) ?? [];
  if (!known.some(({ v4 }) => v4 === address.v4)) {
    devices.set(userHash, [...known, address]);
  }
}

/** Decimal parts of one width, so that text sorts like numbers. */
function sortKey(v4: string): string {
  return v4.replaceAll(/\d+/g, (part) => part.padStart(3, "0"));
}

function refuseSharedAddresses(devices: Devices, ledger: ExclusionLedger): void {
  const pick = (family: "v4" | "v6") =>
    [...devices].flatMap(([userHash, addresses]) =>
      addresses.flatMap((address): Claim[] =>
        address[family] === null ? [] : [[address[family], userHash]],
      ),
    );
  for (const [userHash, address] of [...contested(pick("v4")), ...contested(pick("v6"))]) {
    ledger.fault(userHash, "duplicateAddress", address);
  }
}

function noteAbsent(mappings: readonly Mapping[], devices: Devices, ledger: ExclusionLedger): void {
  const known = new Set(mappings.map(({ userHash }) => userHash));
  for (const userHash of known) {
    if (!devices.has(userHash)) {
      ledger.add({ userHash, reason: "noNode", detail: "" });
    }
  }
  for (const userHash of devices.keys()) {
    if (!known.has(userHash)) {
      ledger.add({ userHash, reason: "noMapping", detail: "" });
    }
  }
}
