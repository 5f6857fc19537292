/** Loss: a bar for each agent and destination, greatest loss first. Pure. */
import { grouped } from "../counts.ts";
import type { Picture } from "../look.ts";
import { barPicture, barsMax } from "./bar-rows.ts";

/** A row of the view `loss`. */
export interface LossBar {
  readonly agent: string;
  readonly destination: string;
  readonly submitted: number;
  readonly answered: number;
  readonly lost: number;
  readonly loss_percent: number;
}

export function lossPicture(rows: readonly LossBar[]): Picture {
  const worst = rows.toSorted((a, b) => b.loss_percent - a.loss_percent || b.lost - a.lost).slice(0, barsMax);
  const bars = worst.map((row) => {
    const name = `${row.agent} to ${row.destination}`;
    return {
      name,
      parts: [
        {
          share: row.lost / row.submitted,
          fill: "loss",
          title: `${name}: ${row.lost} of ${row.submitted} probes lost (${row.loss_percent} %)`,
          text: "",
        },
      ],
      figures: `${row.loss_percent} % of ${grouped(row.submitted)} lost`,
    };
  });
  return barPicture(bars, sentenceOf(rows), { content: [], heightPx: 0, widthPx: 0 });
}

function sentenceOf(rows: readonly LossBar[]): string {
  if (rows.length === 0) {
    return "No probe yet.";
  }
  const sum = (value: (row: LossBar) => number) => rows.reduce((all, row) => all + value(row), 0);
  const [submitted, lost] = [sum(({ submitted: own }) => own), sum(({ lost: own }) => own)];
  const percent = ((100 * lost) / submitted).toFixed(2);
  const shown =
    rows.length > barsMax ? ` Drawn are the ${barsMax} with the greatest loss, of ${rows.length}.` : "";
  return `${grouped(lost)} of ${grouped(submitted)} probes lost: ${percent} %.${shown}`;
}
