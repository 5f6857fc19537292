/** Folders of the stack's gateway and issuer. */
import { join } from "node:path";

export function gatewayDirectory(directory: string): string {
  return join(directory, "gateway");
}

export function issuerDirectory(directory: string): string {
  return join(directory, "issuer");
}

/** The enrolment key of agents; only its owner may read it. */
export function enrolmentKeyPath(directory: string): string {
  return join(gatewayDirectory(directory), "enrolment.key");
}
