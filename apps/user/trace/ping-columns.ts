/** A ping for programs: a row for each probe, or, as a summary, for each target. Pure. */
import type { AddressNotes } from "../../../lib/answers/enrich/address-context.ts";
import { contextColumns, nothingKnown } from "../../../lib/answers/enrich/context-fields.ts";
import type { Column, Format } from "../../../lib/base/terminal/rows-output.ts";
import { roundedMs } from "../../../lib/measuring/paths/rounded-ms.ts";
import { rttColumns } from "../../../lib/measuring/paths/rtt-columns.ts";
import { kindInWords } from "../../../lib/measuring/paths/words.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import type { LeftOut } from "./outstanding.ts";
import { type PingEnding, type Pinged, type PingFigures, pingFigures } from "./ping-figures.ts";

/** `agent` is null where this machine probes. */
const targetColumns: readonly Column<Pinged>[] = [
  { name: "agent", head: null, value: ({ agent }) => agent ?? null },
  { name: "target", head: null, value: ({ target }) => target.name },
  { name: "address", head: null, value: ({ target }) => formatAddress(target.address) },
  { name: "protocol", head: null, value: ({ target }) => target.protocol },
];

/** `outcome` is `answered`, `lost` or `failed`; the following fields describe the answer. */
const endingColumns: readonly Column<PingEnding>[] = [
  ...targetColumns.map(({ name, value }) => column(name, ({ pinged }: PingEnding) => value(pinged))),
  column("sequence", ({ sequence }) => sequence),
  column("outcome", ({ outcome }) => (typeof outcome === "string" ? outcome : "answered")),
  column("from", ({ outcome }) => (typeof outcome === "string" ? null : formatAddress(outcome.from))),
  column("rtt_ms", ({ outcome }) => (typeof outcome === "string" ? null : roundedMs(outcome.rttMs))),
  {
    name: "answer",
    head: null,
    value: ({ outcome }) => (typeof outcome === "string" ? null : outcome.kind),
    text: ({ outcome }) => (typeof outcome === "string" ? "" : outcome.kind.kind),
  },
  column("says", ({ outcome }) => (typeof outcome === "string" ? "" : kindInWords(outcome.kind))),
  column("site", ({ outcome }) => (typeof outcome === "string" ? null : outcome.reply?.replySite || null)),
];

/**
 * `sent` = `answered` + `answered_by_others` + `lost` + `not_awaited`, beside those that `failed` to be sent. `forged`
 * and `late` replies were left out.
 */
const summaryColumns: readonly Column<Pinged>[] = [
  ...targetColumns,
  figure("sent", ({ sent }) => sent),
  figure("answered", ({ answered }) => answered),
  figure("answered_by_others", ({ others }) => others),
  figure("lost", ({ lost }) => lost),
  figure("not_awaited", ({ unawaited }) => unawaited),
  figure("failed", ({ failed }) => failed),
  figure("loss_percent", ({ lossPercent }) => (lossPercent === null ? null : Number(lossPercent.toFixed(2)))),
  leftOut("forged"),
  leftOut("late"),
  ...rttColumns.map(({ name, value }) => figure(name, ({ rtt }) => value(rtt))),
];

/** Before the columns of the ping what the gateway calls it, where agents ping; behind them who answered. */
export function pingColumns(
  notes: AddressNotes,
  format: Format,
  measurementId: string | null = null,
): readonly Column<PingEnding>[] {
  const knownOf = ({ outcome }: PingEnding) =>
    typeof outcome === "string" ? nothingKnown : notes.of(formatAddress(outcome.from));
  return [
    ...idColumn<PingEnding>(measurementId),
    ...endingColumns,
    ...contextColumns(notes.fields, format, knownOf),
  ];
}

/** The same for the summary; behind its columns what is known of the target. */
export function pingSummaryColumns(
  notes: AddressNotes,
  format: Format,
  measurementId: string | null = null,
): readonly Column<Pinged>[] {
  const knownOf = ({ target }: Pinged) => notes.of(formatAddress(target.address));
  return [
    ...idColumn<Pinged>(measurementId),
    ...summaryColumns,
    ...contextColumns(notes.fields, format, knownOf),
  ];
}

function idColumn<Row>(measurementId: string | null): Column<Row>[] {
  return measurementId === null ? [] : [{ name: "measurement_id", head: null, value: () => measurementId }];
}

function column(name: string, value: (row: PingEnding) => unknown): Column<PingEnding> {
  return { name, head: null, value };
}

function figure(name: string, value: (figures: PingFigures) => unknown): Column<Pinged> {
  return { name, head: null, value: (pinged) => value(pingFigures(pinged)) };
}

/** Null where an agent probes, whose receiver leaves them out. */
function leftOut(name: keyof LeftOut): Column<Pinged> {
  return { name, head: null, value: (pinged) => pinged.leftOut?.()[name] ?? null };
}
