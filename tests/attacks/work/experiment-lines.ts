/** Journals of experiments that take long to read: many changes behind many routes, many rounds of many targets. */
import * as v from "valibot";
import { experimentSchema } from "../../../lib/measuring/experiment/definition.ts";

const startMs = Date.UTC(2026, 10, 24, 8);
const ns = (ms: number) => String(BigInt(startMs + ms) * 1_000_000n);
const pace = { spacingSec: 600, perHourMax: 10 };
const experiment = v.parse(experimentSchema, {
  ...{ experiment: "attack", prefix: "2001:db8:51::/48" },
  probe: { agents: ["attacked"], targets: ["192.0.2.1"], sites: { attacked: "ixp-1" } },
  steps: [{ at: 0, announce: { sites: ["ixp-1"] }, probe: { catchment: { after: 60 } } }],
});

/** The first line. */
export function begunLine(name: string): string {
  const definition = JSON.stringify([experiment, ["ixp-1"], pace]);
  return JSON.stringify({ kind: "begun", name, startMs, definition });
}

function event(ms: number, fields: object): string {
  const own = { timeNs: ns(ms), plane: "control", source: "controller", subject: "", detail: "" };
  return JSON.stringify({ kind: "event", event: { ...own, ...fields } });
}

/** Every change comes behind every route, so each route is compared with all of them. */
export function manyChanges(lines: number): string[] {
  return Array.from({ length: lines }, (_, i) =>
    i % 2 === 0
      ? event(i, { subject: `p${i}`, event: "route" })
      : event(10_000_000 + i, { subject: "*", event: "asked", detail: `${i}` }),
  );
}

export function manyRounds(rounds: number, targets: number): string[] {
  const addresses = Array.from({ length: targets }, (_, i) => `2001:db8::${i.toString(16)}`);
  return Array.from({ length: rounds }, (_, round) =>
    JSON.stringify({
      kind: "round",
      round,
      sites: Object.fromEntries(addresses.map((one, i) => [one, [`w${(i * (round + 1)) % 7}`]])),
    }),
  );
}
