/** What has no object at Krill because its CA does not hold it. */
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import { krillNamedMax } from "../limits.ts";

/** Warns once of the same ones, and names the first. */
export function notHeldWarning(
  log: Logger,
  message: string,
  name: "prefixes" | "asns",
): (notHeld: readonly (string | number)[]) => void {
  let said = "";
  return (notHeld) => {
    const text = notHeld.join(" ");
    if (text !== said && notHeld.length > 0) {
      log.warn(message, { count: notHeld.length, [name]: notHeld.slice(0, krillNamedMax) });
    }
    said = text;
  };
}
