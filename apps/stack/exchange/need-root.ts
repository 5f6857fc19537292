/** Whether this process may run an exchange server. */
import { cannot } from "../../../lib/command/command/command-error.ts";

/** Throws an Error, with the next step, where an exchange server cannot run. */
export function needRoot(): void {
  if (process.getuid?.() !== 0) {
    throw cannot(
      "Cannot run an exchange: BIRD's port and the tunnel need root; start it as root, or with sudo",
    );
  }
}
