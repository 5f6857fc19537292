/** Resolves the names on the command line: address and protocol. */
import { lookup } from "node:dns/promises";
import { withoutPassword } from "../../../lib/base/failure/without-password.ts";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { type Address, address, type Family, familyOf, formatAddress } from "../../../lib/net/ip/address.ts";
import { readHost, type TypedHost } from "../../../lib/net/ip/typed-host.ts";
import type { Protocol } from "../../../lib/net/packet/probe.ts";
import type { ProtocolChoice } from "./option-tables.ts";
import type { Options } from "./options.ts";

/** A target before its route has been looked up. */
export interface NamedTarget {
  /** As the user wrote it. */
  readonly name: string;
  readonly address: Address;
  readonly protocol: Protocol;
  /** Its zone: `fe80::1%eth0`. */
  readonly zone?: string;
}

/** Where the probes of a flow leave this host. */
export interface Departure {
  readonly source: Address;
  readonly interfaceName: string;
}

/** With the departure of its first flow. */
export interface TraceTarget extends NamedTarget, Departure {
  /** Those of its other flows, where they differ. */
  readonly otherDepartures: readonly Departure[];
}

/** Throws CommandError, which names the target and the next step. */
export async function nameTarget(name: string, options: Options): Promise<NamedTarget> {
  const host = readHost(name);
  if (host.kind === "bad") {
    throw badTarget(name, host);
  }
  const destination = host.kind === "address" ? host.address : await resolveName(host.name, name, options);
  const family = familyOf(destination);
  if (options.family !== null && options.family !== family) {
    throw cannot(`Cannot trace ${name} with -${options.family}: it is an IPv${family} address`);
  }
  if (options.source !== null && familyOf(options.source) !== family) {
    const source = formatAddress(options.source);
    throw cannot(`Cannot trace ${name} from ${source}: one is IPv4, the other IPv6`);
  }
  const zone = host.kind === "address" ? host.zone : null;
  checkZone(name, zone, options);
  return {
    name,
    address: destination,
    protocol: protocolOf(options.protocol, family),
    ...(zone === null ? {} : { zone }),
  };
}

function badTarget(name: string, { reason, port, instead }: Extract<TypedHost, { kind: "bad" }>) {
  const shown = visible(withoutPassword(name));
  if (instead !== undefined && reason.startsWith("is a URL")) {
    const forPort = port === undefined ? "" : `; for its port: -p tcp --dst-port ${port}`;
    return cannot(`Cannot probe the URL ${shown}: give its host, ${instead}${forPort}`);
  }
  if (instead !== undefined && reason.startsWith("is a prefix")) {
    return cannot(
      `Cannot probe the prefix ${shown} here: give an address of it, as ${instead}, ` +
        "or probe all of it with vantage probes and vantage send",
    );
  }
  const tcp = port === undefined ? "" : ` (-p tcp --dst-port ${port})`;
  return cannot(`Cannot probe "${shown}": it ${reason}${tcp}`);
}

/** A link-local address is on one link of this machine; an agent's links are unknown here. */
function checkZone(name: string, zone: string | null, { from, interfaceName }: Options): void {
  if (zone === null) {
    return;
  }
  if (from !== null) {
    throw cannot(`Cannot probe ${name} with --from: %${zone} is an interface of this machine; leave it out`);
  }
  if (interfaceName !== null && interfaceName !== zone) {
    throw cannot(`Cannot probe ${name} by -i ${interfaceName}: its zone names the interface ${zone}`);
  }
}

/** `-s` chooses among the addresses of a name. */
function wantedFamily({ family, source }: Options): Family | null {
  return source === null ? family : familyOf(source);
}

/** `typed`: as it was written. */
async function resolveName(name: string, typed: string, options: Options): Promise<Address> {
  const family = wantedFamily(options);
  try {
    const found = await lookup(name, family === null ? { order: "ipv6first" } : { family });
    return address(found.address);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    const temporary = code === "EAI_AGAIN" || code === "ETIMEOUT" || code === "ECONNREFUSED";
    const reason = temporary ? "no name server answers; try again, or give an address" : "no such name";
    const version = family === null ? "" : ` with an IPv${family} address`;
    throw cannot(`Cannot find ${visible(typed)}${version}: ${reason}`);
  }
}

function protocolOf(choice: ProtocolChoice, family: Family): Protocol {
  return choice === "icmp" && family === 6 ? "icmpv6" : choice;
}
