/** What the stack prints for other machines and network namespaces, where a gateway listens for them. */
import { networkInterfaces } from "node:os";
import { isLoopback } from "../../lib/engines/config/addresses.ts";
import { isWildcard, type Listen, listenText } from "./listen.ts";
import type { GatewayUrls } from "./stack.ts";

/**
 * Agents reach the gateway by its address. People do not: logins need TLS or a loopback address, and the issuer is on
 * 127.0.0.1 alone, so they forward the three ports. Empty where the gateway listens on the loopback only.
 */
export function elsewhereLines(listen: Listen, { gateway, peering, issuer }: GatewayUrls): string[] {
  if (isLoopback(listen.hostname)) {
    return [];
  }
  const hostname = isWildcard(listen) ? ownAddress() : listen.hostname;
  const port = Number(new URL(gateway).port);
  const forwards = [gateway, peering, issuer]
    .map((url) => new URL(url))
    .map((url) => `-L ${url.port}:${url.host}`);
  return [
    "",
    "From other machines and network namespaces (docs/operate/agents-elsewhere.md):",
    "",
    `  agents    gateway: {url: http://${listenText({ hostname, port })}}`,
    `  people    ssh ${forwards.join(" ")} ${hostname}`,
    `            then there: http://127.0.0.1:${port}/console`,
  ];
}

/** The first address of this machine that others may reach. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const outer = all.filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0);
  return (outer.find(({ family }) => family === "IPv4") ?? outer[0])?.address ?? "ADDRESS-OF-THIS-MACHINE";
}
