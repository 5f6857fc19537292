/** Where the stack keeps what is its gateway's and its issuer's. */
import { join } from "node:path";

export function gatewayDirectory(directory: string): string {
  return join(directory, "gateway");
}

export function issuerDirectory(directory: string): string {
  return join(directory, "issuer");
}

/** The key with which agents make first contact; only its owner may read it. */
export function enrolmentKeyPath(directory: string): string {
  return join(gatewayDirectory(directory), "enrolment.key");
}
