/** Connections to RPKI caches, from BIRD's list. Pure. */
import { readCaches } from "../../../peering/bird/caches.ts";
import type { ReplyLine } from "../../../peering/bird/reply-reader.ts";
import { type Finding, fail, ok, warn } from "../finding.ts";

/** One finding per cache; having none is also a finding, because invalid routes would be accepted. */
export function rpkiFindings(lines: readonly ReplyLine[]): Finding[] {
  const caches = readCaches(lines);
  if (caches.length === 0) {
    const next = "vantage exchange render -c FILE --out /etc/bird, then birdc configure";
    return [fail("RPKI", "BIRD has no cache, so invalid routes are accepted", next)];
  }
  const isOneUp = caches.some(({ isUp }) => isUp);
  return caches.map(({ name, isUp, server, status }) => {
    if (isUp) {
      return ok("RPKI", `${name} is up: ${status}`);
    }
    const level = isOneUp ? warn : fail;
    return level("RPKI", `${name} is down: ${status}`, `does the cache run, at ${server} (rpki.host)?`);
  });
}
