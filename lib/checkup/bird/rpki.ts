/** Connections to RPKI caches, as `show protocols all` of BIRD 2.0.12 lists them. Pure. */
import type { ReplyLine } from "../../bird/reply-reader.ts";
import { type Finding, fail, ok } from "../finding.ts";

const summary = /^(\S+)\s+RPKI\s+\S+\s+(\S+)\s+\d{4}\S*(?: [\d:.]+)?\s*(.*)$/;

/** One finding for each cache; having none is a finding too, because invalid routes would be accepted. */
export function rpkiFindings(lines: readonly ReplyLine[]): Finding[] {
  const caches = lines.flatMap(({ code, text }) => {
    const match = code === 1002 ? summary.exec(text) : null;
    return match === null
      ? []
      : [{ name: match[1] ?? "", state: match[2] ?? "", info: (match[3] ?? "").trim() }];
  });
  if (caches.length === 0) {
    const next = "vantage exchange render -c FILE --out /etc/bird, then birdc configure";
    return [fail("RPKI", "BIRD asks no cache, so invalid routes are taken", next)];
  }
  return caches.map(({ name, state, info }) =>
    state === "up"
      ? ok("RPKI", `${name} is up: ${info}`)
      : fail("RPKI", `${name} is ${state}: ${info}`, "does the cache run, at rpki.host and rpki.port?"),
  );
}
