/**
 * Exchange servers out of the VPN's list of devices.
 *
 * By a tag, which only the operator of the VPN can give; or by the beginning of the host name, which every user of
 * the VPN can choose: that is for operators who set no tags. Pure.
 */
import { printable } from "../../../../lib/peering/policy/printable.ts";
import { isSessionAddress } from "../../../../lib/peering/policy/vpn-node.ts";
import { exchangesMax } from "../limits.ts";
import type { VpnDevice, VpnStatus } from "./vpn-status.ts";

export interface DiscoveryRule {
  readonly tag: string;
  /** Instead of the tag; null = by the tag. */
  readonly hostPrefix: string | null;
}

export interface ExchangeServer {
  /** a-z, 0-9 and `-`: one label of a host name, made unique by its address where two have the same. */
  readonly name: string;
  /** An address in 100.64.0.0/10. */
  readonly address: string;
  readonly isOnline: boolean;
}

interface Discovery {
  /** `Running` = the VPN works. */
  readonly state: string;
  /** A web address at which the user logs in; null = none. */
  readonly loginUrl: string | null;
  /** Address of this device in the tunnel; null while it has none. */
  readonly ownAddress: string | null;
  /** Routes that the VPN delivers to this device. */
  readonly servedRoutes: readonly string[];
  /** By address. */
  readonly exchanges: readonly ExchangeServer[];
  /** Devices that are exchange servers by the rule, and cannot be joined: each with the reason. */
  readonly passedOver: readonly string[];
}

const nameCharsMax = 63;
const urlCharsMax = 500;

export function discover(status: VpnStatus, rule: DiscoveryRule): Discovery {
  const found: ExchangeServer[] = [];
  const passedOver: string[] = [];
  const devices = Object.values(status.Peer ?? {}).filter((device) => fits(device, rule));
  const addressed = devices
    .map((device) => ({ device, address: sessionAddressOf(device) }))
    .sort((a, b) => (a.address ?? "").localeCompare(b.address ?? "", "en", { numeric: true }));
  for (const { device, address } of addressed) {
    const reason = reasonAgainst(address, found);
    if (address === null || reason !== null) {
      passedOver.push(`${printable(device.HostName, nameCharsMax)}: ${reason}`);
    } else {
      found.push({ name: nameOf(device, address, found), address, isOnline: device.Online });
    }
  }
  const ownAddress = status.Self ? sessionAddressOf(status.Self) : null;
  const state = printable(status.BackendState, nameCharsMax);
  const own = { ownAddress, servedRoutes: status.Self?.PrimaryRoutes ?? [] };
  return { state, loginUrl: webAddress(status.AuthURL), ...own, exchanges: found, passedOver };
}

/** Null for anything but a web address: it becomes a link. */
function webAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= urlCharsMax ? url.href : null;
}

function fits({ HostName: name, Tags: tags }: VpnDevice, { tag, hostPrefix }: DiscoveryRule): boolean {
  return hostPrefix === null ? (tags ?? []).includes(tag) : name.toLowerCase().startsWith(hostPrefix);
}

function sessionAddressOf({ TailscaleIPs: addresses }: VpnDevice): string | null {
  return (addresses ?? []).find(isSessionAddress) ?? null;
}

function reasonAgainst(address: string | null, found: readonly ExchangeServer[]): string | null {
  if (address === null) {
    return "it has no address in 100.64.0.0/10";
  }
  if (found.some((other) => other.address === address)) {
    return `${address} is another's too`;
  }
  return found.length === exchangesMax ? `there are more than ${exchangesMax} exchange servers` : null;
}

/** The VPN's own name for the device is unique; what the device calls itself need not even be a name. */
function nameOf({ HostName, DNSName }: VpnDevice, address: string, found: readonly ExchangeServer[]): string {
  const byAddress = address.replaceAll(".", "-");
  const label = (DNSName.split(".")[0] || HostName).toLowerCase();
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label) || label.length > nameCharsMax) {
    return `exchange-${byAddress}`;
  }
  return found.some(({ name }) => name === label) ? `${label}-${byAddress}` : label;
}
