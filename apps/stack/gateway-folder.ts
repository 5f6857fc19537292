/** Folders of the stack's gateways, issuer and exchange server, and files in them that several parts read. */
import { existsSync } from "node:fs";
import { join } from "node:path";

export function gatewayDirectory(directory: string): string {
  return join(directory, "gateway");
}

export function peeringDirectory(directory: string): string {
  return join(directory, "peering-gateway");
}

/** The key by which an exchange server's policy generator asks the peering gateway; only its owner may read it. */
export function serviceKeyPath(directory: string): string {
  return join(peeringDirectory(directory), "service.key");
}

/** What the exchange server and the tunnel to it keep. */
export function exchangeDirectory(directory: string): string {
  return join(directory, "exchange");
}

export function issuerDirectory(directory: string): string {
  return join(directory, "issuer");
}

/** What a gateway does while it opens its embedded database, in the words of a start. */
export function databaseStep(stateDirectory: string): string {
  return existsSync(join(stateDirectory, "database/pgdata")) ? "opens its database" : "makes its database";
}

/** The enrolment key of agents; only its owner may read it. */
export function enrolmentKeyPath(directory: string): string {
  return join(gatewayDirectory(directory), "enrolment.key");
}
