/** Where parts of the stack listen. */
import { systemReason } from "../../lib/base/failure/system-reason.ts";

export interface Listen {
  readonly hostname: string;
  /** 0 = any that is free. */
  readonly port: number;
}

/** Both gateways, and the issuer of their users' tokens: that one always on 127.0.0.1. */
export interface GatewayPlaces {
  readonly gateway: Listen;
  readonly peering: Listen;
  readonly issuerPort: number;
}

/** `127.0.0.1:8093`, IPv6 in brackets. */
export function listenText({ hostname, port }: Listen): string {
  return `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

/** Every address of a family, and the loopback address at which it is found on the same machine. */
const wildcards: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

export function isWildcard({ hostname }: Listen): boolean {
  return wildcards[hostname] !== undefined;
}

/** The URL for clients on the same machine: `http://127.0.0.1:8093`, without a slash at its end. */
export function urlOf({ hostname, port }: Listen): string {
  return `http://${listenText({ hostname: wildcards[hostname] ?? hostname, port })}`;
}

/**
 * With a free port in place of 0. The gateways and the issuer name each other, so each port is known before any of them
 * starts, and stays the same when one starts again. Throws an Error, with the option to change, where a port is taken.
 */
export function withFreePorts({ gateway, peering, issuerPort }: GatewayPlaces): GatewayPlaces {
  // All are held at a time, so that no two are the same.
  using held = new DisposableStack();
  const chosen = (place: Listen, setting: string) => held.use(hold(place, setting)).place;
  const issuer = chosen({ hostname: "127.0.0.1", port: issuerPort }, "--issuer-port");
  return {
    gateway: chosen(gateway, "--gateway-listen"),
    peering: chosen(peering, "--peering-listen"),
    issuerPort: issuer.port,
  };
}

/** Throws an Error, with the option to change, where listening is impossible. */
export function checkFree(place: Listen, setting: string): void {
  hold(place, setting)[Symbol.dispose]();
}

/** This port of 127.0.0.1, or any other where it is taken. */
export function freePort(port: number): number {
  try {
    checkFree({ hostname: "127.0.0.1", port }, "");
    return port;
  } catch {
    using other = hold({ hostname: "127.0.0.1", port: 0 }, "");
    return other.place.port;
  }
}

function hold(place: Listen, setting: string): Disposable & { readonly place: Listen } {
  try {
    const server = Bun.listen({ ...place, socket: { data() {} } });
    return { place: { ...place, port: server.port }, [Symbol.dispose]: () => server.stop(true) };
  } catch (cause) {
    const reason = systemReason(cause);
    throw new Error(`Cannot listen on ${listenText(place)}: ${reason}; give another with ${setting}`, {
      cause,
    });
  }
}
