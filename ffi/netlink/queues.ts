/** Queues of an interface, as sysfs shows them. */
import { readdirSync } from "node:fs";

/** 1 where the system does not report it. */
export function queuesOf(interfaceName: string, direction: "rx" | "tx"): number {
  try {
    const queues = readdirSync(`/sys/class/net/${interfaceName}/queues`);
    return Math.max(1, queues.filter((name) => name.startsWith(`${direction}-`)).length);
  } catch {
    return 1;
  }
}
