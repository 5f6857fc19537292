/** `vantage limits`: the rest of the day's quota, and the gateway's limits. */
import * as v from "valibot";
import { limitsAnswer } from "../../../../lib/base/api/users.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { durationInWords } from "../../../../lib/base/terminal/time-words.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";

const { submission_bytes_per_day, sql_seconds_per_day, destination_packets_per_second } =
  limitsAnswer.entries;

/** Gateways before 0.2.0 have no limit of bytes, nor of packets to one destination; later ones may have no SQL. */
const limitsSchema = v.object({
  ...v.pick(limitsAnswer, ["probes_per_day", "submissions_per_minute", "prefix_probes_per_day"]).entries,
  ...v.pick(limitsAnswer, ["probes_per_submission", "agents_per_submission"]).entries,
  ...v.pick(limitsAnswer, ["stream_body_bytes", "retention_days"]).entries,
  submission_bytes_per_day: v.optional(v.nullable(submission_bytes_per_day), null),
  sql_seconds_per_day: v.optional(v.nullable(sql_seconds_per_day), null),
  destination_packets_per_second: v.optional(v.nullable(destination_packets_per_second), null),
});

type Limits = v.InferOutput<typeof limitsSchema>;

const columns: readonly Column<Limits>[] = [
  { name: "remaining", head: "left today", value: (one) => one.probes_per_day.remaining, cell: leftText },
  { name: "limit", head: null, value: (one) => one.probes_per_day.limit },
  { name: "used", head: null, value: (one) => one.probes_per_day.used },
  { name: "resets_in_seconds", head: "day ends in", value: resetSeconds, cell: resetText },
  { name: "bytes_remaining", head: "bytes left today", value: bytesLeft, cell: bytesText },
  { name: "sql_seconds_remaining", head: "SQL left today", value: sqlLeft, cell: sqlText },
  amount("submissions_per_minute", "submissions a minute"),
  amount("probes_per_submission", "probes of a submission"),
  amount("agents_per_submission", "agents of a submission"),
  amount("prefix_probes_per_day", "to one /24 or /48 a day"),
  { name: "address_packets_per_second", head: "to one address", value: addressRate, cell: addressText },
  { name: "network_packets_per_second", head: "to one /24 or /48", value: networkRate, cell: networkText },
  amount("stream_body_bytes", null),
  {
    name: "retention_days",
    head: "results are kept",
    value: (one) => one.retention_days,
    cell: (one) => `${one.retention_days} ${one.retention_days === 1 ? "day" : "days"}`,
  },
];

export const command = gatewayCommand({
  about: "A quota counts probes x agents, from 00:00 UTC on.",
  options: {},
  arguments: {},
  examples: ["vantage limits"],
  act: async (session) => {
    const gateway = await session.open();
    session.printRecord(columns, await gateway.read("/api/limits", limitsSchema, { signal: session.signal }));
    return exitCodes.ok;
  },
});

type Amount = Exclude<keyof Limits, DayLimit | "destination_packets_per_second">;
type DayLimit = "probes_per_day" | "submission_bytes_per_day" | "sql_seconds_per_day";

function amount(name: Amount, head: string | null): Column<Limits> {
  return { name, head, value: (one) => one[name], cell: (one) => grouped(one[name]) };
}

function leftText({ probes_per_day: { remaining, limit } }: Limits): string {
  return `${grouped(remaining)} of ${grouped(limit)} probes`;
}

function bytesLeft({ submission_bytes_per_day: day }: Limits): number | null {
  return day?.remaining ?? null;
}

function bytesText({ submission_bytes_per_day: day }: Limits): string {
  return day === null ? "" : `${grouped(day.remaining)} of ${grouped(day.limit)} of submissions`;
}

function sqlLeft({ sql_seconds_per_day: day }: Limits): number | null {
  return day?.remaining ?? null;
}

function sqlText({ sql_seconds_per_day: day }: Limits): string {
  return day === null ? "" : `${grouped(day.remaining)} of ${grouped(day.limit)} s of the column store`;
}

function addressRate({ destination_packets_per_second: rates }: Limits): number | null {
  return rates?.address_by_user ?? null;
}

function networkRate({ destination_packets_per_second: rates }: Limits): number | null {
  return rates?.network ?? null;
}

function addressText(limits: Limits): string {
  const ofAll = limits.destination_packets_per_second?.address ?? 0;
  const shared = ofAll === 0 ? "" : `, ${grouped(ofAll)} with others`;
  return `${rateText(addressRate(limits))}${shared}; TCP a tenth`;
}

function networkText(limits: Limits): string {
  return `${rateText(networkRate(limits))}; TCP a tenth`;
}

function rateText(rate: number | null): string {
  return rate === null || rate === 0 ? "any number" : `${grouped(rate)} packets/s`;
}

function resetSeconds({ probes_per_day }: Limits): number {
  return probes_per_day.resets_in_seconds;
}

function resetText(limits: Limits): string {
  return durationInWords(resetSeconds(limits) * 1000);
}
