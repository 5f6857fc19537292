/** The tables of an aim: its rounds, and the forecast of a dry run. */
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import type { Share } from "../../../../lib/measuring/experiment/aim/outlook.ts";
import type { AimRow } from "../../../../lib/measuring/experiment/aim-rounds.ts";
import { percentText } from "../../../../lib/measuring/experiment/aim-words.ts";

interface Forecasted {
  readonly announced: string;
  readonly goal: string;
  readonly forecast: Share | null;
}

/** Shares from 0 to 1. */
const forecastColumns = [
  shareColumn("forecast", "forecast", ({ forecast }) => forecast?.share ?? null),
  shareColumn("forecast_low", "from", ({ forecast }) => forecast?.low ?? null),
  shareColumn("forecast_high", "to", ({ forecast }) => forecast?.high ?? null),
];

export const dryRunColumns: readonly Column<Forecasted>[] = [
  { name: "announced", head: "announced", value: ({ announced }) => announced },
  { name: "goal", head: "goal", value: ({ goal }) => goal },
  ...forecastColumns,
];

export const aimColumns: readonly Column<AimRow>[] = [
  { name: "round", head: "round", align: "right", value: ({ round }) => round },
  { name: "announced", head: "announced", value: ({ announced }) => announced },
  { name: "why", head: "to", value: ({ why }) => why },
  { name: "goal", head: "goal", value: ({ goal }) => goal },
  ...forecastColumns,
  {
    ...{ name: "measured", head: "measured", align: "right" },
    value: ({ measured }) => measured,
    cell: ({ measured }) => (measured === null ? "" : percentText(measured)),
  },
  {
    ...{ name: "is_met", head: "met", value: ({ isMet }) => isMet },
    cell: ({ isMet }) => (isMet === null ? "" : isMet ? "yes" : "no"),
  },
];

function shareColumn(
  name: string,
  head: string,
  share: (row: Pick<Forecasted, "forecast">) => number | null,
): Column<Pick<Forecasted, "forecast">> {
  const cell = (row: Pick<Forecasted, "forecast">) => {
    const value = share(row);
    return value === null ? "" : percentText(value);
  };
  return { name, head, align: "right", value: share, cell };
}
