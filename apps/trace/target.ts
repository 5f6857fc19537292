/** Resolves the names on the command line: address, protocol, source, interface. */
import { lookup } from "node:dns/promises";
import { findLink } from "../../ffi/netlink/link.ts";
import { isOwnAddress, lookupRoute } from "../../ffi/netlink/route.ts";
import { cannot } from "../../lib/command/command-error.ts";
import {
  type Address,
  address,
  type Family,
  familyOf,
  formatAddress,
  parseAddress,
} from "../../lib/ip/address.ts";
import type { Protocol } from "../../lib/packet/probe.ts";
import type { ProtocolChoice } from "./option-tables.ts";
import type { Options } from "./options.ts";

/** A target before its route has been looked up. */
export interface NamedTarget {
  /** As the user wrote it. */
  readonly name: string;
  readonly address: Address;
  readonly protocol: Protocol;
}

export interface TraceTarget extends NamedTarget {
  readonly source: Address;
  readonly interfaceName: string;
}

/** Throws CommandError, which names the target and the next step. */
export async function findTarget(name: string, options: Options): Promise<TraceTarget> {
  const named = await nameTarget(name, options);
  return { ...named, ...route(name, named.address, options) };
}

/** Throws CommandError, which names the target and the next step. */
export async function nameTarget(name: string, options: Options): Promise<NamedTarget> {
  checkName(name);
  const destination = parseAddress(name) ?? (await resolveName(name, options.family));
  const family = familyOf(destination);
  if (options.family !== null && options.family !== family) {
    throw cannot(`Cannot trace ${name} with -${options.family}: it is an IPv${family} address`);
  }
  if (options.source !== null && familyOf(options.source) !== family) {
    const source = formatAddress(options.source);
    throw cannot(`Cannot trace ${name} from ${source}: one is IPv4, the other IPv6`);
  }
  return {
    name,
    address: destination,
    protocol: protocolOf(options.protocol, family),
  };
}

/** Throws CommandError, with what to give instead, for a URL or a prefix. */
function checkName(name: string): void {
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(name)?.[1]?.replace(/^[^@]*@/, "");
  if (host !== undefined) {
    const alone = /^\[(.*)\]/.exec(host)?.[1] ?? host.replace(/:\d*$/, "");
    const port = /:(\d+)$/.exec(host)?.[1];
    const tcp = port === undefined ? "" : `; for its port: -p tcp --dst-port ${port}`;
    throw cannot(`Cannot probe the URL ${name}: give its host, ${alone}${tcp}`);
  }
  if (/^[^/]+\/\d{1,3}$/.test(name)) {
    const [base = ""] = name.split("/");
    throw cannot(
      `Cannot probe the prefix ${name} here: give an address of it, as ${base}, ` +
        "or probe all of it with vantage probes and vantage send",
    );
  }
}

async function resolveName(name: string, family: Family | null): Promise<Address> {
  try {
    const found = await lookup(name, family === null ? { order: "ipv6first" } : { family });
    return address(found.address);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    const temporary = code === "EAI_AGAIN" || code === "ETIMEOUT" || code === "ECONNREFUSED";
    const reason = temporary ? "no name server answers; try again, or give an address" : "no such name";
    const version = family === null ? "" : ` with an IPv${family} address`;
    throw cannot(`Cannot find ${name}${version}: ${reason}`);
  }
}

function protocolOf(choice: ProtocolChoice, family: Family): Protocol {
  return choice === "icmp" && family === 6 ? "icmpv6" : choice;
}

/** `-s` may be an address of a prefix that is only routed to this host, and so on no interface. */
function route(name: string, destination: Address, options: Options) {
  const link = options.interfaceName === null ? null : findLink(options.interfaceName);
  if (options.interfaceName !== null && link === null) {
    throw cannot(`Cannot use interface ${options.interfaceName}: there is none (see: ip link)`);
  }
  if (options.source !== null && !options.spoof && !isOwnAddress(options.source)) {
    throw cannot(
      `Cannot send from ${formatAddress(options.source)}: it is not an address of this host (see: ip address); ` +
        "if its prefix is routed to this host, add --spoof",
    );
  }
  const found = lookupRoute(destination, options.source ?? undefined, link?.index);
  if (!found.ok) {
    const by = link === null ? "" : ` by ${link.name}`;
    throw cannot(
      `Cannot reach ${name}${by}: ${found.reason} (see: ip route get ${formatAddress(destination)})`,
    );
  }
  return { source: options.source ?? found.source, interfaceName: found.interfaceName };
}
