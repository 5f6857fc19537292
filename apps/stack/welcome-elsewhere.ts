/** What the stack prints for other machines and network namespaces, where a gateway listens for them. */
import { networkInterfaces } from "node:os";
import { type Listen, listenText } from "./listen.ts";
import type { GatewayUrls } from "./stack.ts";

const wildcards: readonly string[] = ["0.0.0.0", "::"];
const loopback = /^(localhost|127(\.\d+){3}|::1)$/;

/**
 * Agents reach the gateway by its address. People do not: logins need TLS or a loopback address, and the issuer is on
 * 127.0.0.1 alone, so they forward the three ports. Empty where the gateway listens on the loopback only.
 */
export function elsewhereLines({ hostname }: Listen, { gateway, peering, issuer }: GatewayUrls): string[] {
  if (loopback.test(hostname)) {
    return [];
  }
  const address = wildcards.includes(hostname) ? ownAddress() : hostname;
  const [port, ...others] = [gateway, peering, issuer].map((url) => new URL(url));
  if (port === undefined) {
    return [];
  }
  const forwards = [port, ...others].map((url) => `-L ${url.port}:${url.host}`);
  return [
    "",
    "From other machines and network namespaces (docs/operate/agents-elsewhere.md):",
    "",
    `  agents    gateway: {url: http://${listenText({ hostname: address, port: Number(port.port) })}}`,
    `  people    ssh ${forwards.join(" ")} ${address}`,
    `            then there: http://127.0.0.1:${port.port}/console`,
  ];
}

/** The first address of this machine that others may reach. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const outer = all.filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0);
  return (outer.find(({ family }) => family === "IPv4") ?? outer[0])?.address ?? "ADDRESS-OF-THIS-MACHINE";
}
