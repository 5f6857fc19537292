/** The columns of loss and catchment. Pure. */
import { formatAddress } from "../ip/address.ts";
import type { Catchment } from "../store/clickhouse/catchment-query.ts";
import type { Loss } from "../store/clickhouse/loss-query.ts";
import type { Column } from "../terminal/rows-output.ts";

export const lossColumns: readonly Column<Loss>[] = [
  { name: "agent", head: "agent", value: ({ agent }) => agent },
  { name: "destination", head: "destination", value: ({ destination }) => formatAddress(destination) },
  count("submitted", ({ submitted }) => submitted),
  count("answered", ({ answered }) => answered),
  count("lost", ({ submitted, answered }) => submitted - answered),
  percent("loss_percent", "loss %", ({ submitted, answered }) => 1 - answered / submitted),
  count("replies", ({ replies }) => replies),
];

export interface CatchmentRow extends Catchment {
  /** Of all answers to the probes of this site. */
  readonly share: number;
}

export const catchmentColumns: readonly Column<CatchmentRow>[] = [
  { name: "probe_agent", head: "probes of", value: ({ probeAgent }) => probeAgent },
  { name: "probe_instance", head: "instance", align: "right", value: ({ probeInstance }) => probeInstance },
  { name: "heard_by", head: "heard by", value: ({ heardBy }) => heardBy },
  count("replies", ({ replies }) => replies),
  percent("share_percent", "share %", ({ share }) => share),
  count("destinations", ({ destinations }) => destinations),
  count("responders", ({ responders }) => responders),
];

/** Shares are of the answers to the probes of one instance. */
export function withShares(rows: readonly Catchment[]): CatchmentRow[] {
  const totals = new Map<string, number>();
  for (const row of rows) {
    totals.set(senderOf(row), (totals.get(senderOf(row)) ?? 0) + row.replies);
  }
  return rows.map((row) => ({ ...row, share: row.replies / (totals.get(senderOf(row)) ?? 1) }));
}

function senderOf({ probeAgent, probeInstance }: Catchment): string {
  return `${probeAgent} ${probeInstance}`;
}

function count<Row>(name: string, value: (row: Row) => number): Column<Row> {
  return { name, head: name, align: "right", value };
}

function percent<Row>(name: string, head: string, part: (row: Row) => number): Column<Row> {
  const value = (row: Row) => Number((100 * part(row)).toFixed(2));
  return { name, head, align: "right", value };
}
