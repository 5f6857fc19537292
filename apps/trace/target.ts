/** Resolves the names on the command line: address and protocol. */
import { lookup } from "node:dns/promises";
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
  checkName(name);
  const destination = parseAddress(name) ?? (await resolveName(name, wantedFamily(options)));
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

/** `-s` chooses among the addresses of a name. */
function wantedFamily({ family, source }: Options): Family | null {
  return source === null ? family : familyOf(source);
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
