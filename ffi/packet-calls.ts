/** Whether packets can be sent and captured here at all. */
import { libc } from "./libc.ts";

/** Returns false where the C library of Linux cannot be loaded: on other systems. */
export function hasPacketCalls(): boolean {
  try {
    libc();
    return true;
  } catch {
    return false;
  }
}
