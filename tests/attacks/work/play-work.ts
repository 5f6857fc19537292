/** Plays the attacks on a gateway's one thread, each on a gateway of its own: `/health` and memory, before and now. */
import { type Column, RowsOutput } from "../../../lib/base/terminal/rows-output.ts";
import { WatchedGateway } from "./watched-gateway.ts";
import { workAttacks } from "./work-attacks.ts";

/** The longest that `/health` may take, and the megabytes that the gateway may grow by, on a machine that is idle. */
const healthMsMax = 250;
const grownMbMax = 512;

interface Row {
  readonly attack: string;
  readonly before: string;
  readonly after: string;
  readonly answers: string;
  readonly isHeldOff: boolean;
}

const columns: readonly Column<Row>[] = [
  { name: "attack", head: "attack", value: ({ attack }) => attack },
  { name: "before", head: "before", value: ({ before }) => before },
  { name: "after", head: "after", value: ({ after }) => after },
  { name: "answers", head: "answers", value: ({ answers }) => answers },
  { name: "verdict", head: "", value: ({ isHeldOff }) => (isHeldOff ? "held off" : "NOT HELD OFF") },
];

/** Prints a table; resolves to how many attacks were not held off. */
export async function playWork(): Promise<number> {
  const output = new RowsOutput({ columns, format: "table", print: console.log, dim: (text) => text });
  let failed = 0;
  for (const one of workAttacks) {
    const row = await playOne(one);
    failed += row.isHeldOff ? 0 : 1;
    output.add(row);
  }
  output.finish();
  return failed;
}

async function playOne({ attack, before, ready }: (typeof workAttacks)[number]): Promise<Row> {
  await using gateway = await WatchedGateway.start();
  const { healthMs, grownMb, answers } = await gateway.during(await ready(gateway));
  const figures = { healthMs, grownMb };
  console.error(`${attack}: ${textOf(figures)}`);
  const counts = Object.entries(answers).map(([answer, count]) => `${count} x ${answer}`);
  return {
    ...{ attack, before: textOf(before), after: textOf(figures), answers: counts.join(", ") },
    isHeldOff: healthMs < healthMsMax && grownMb < grownMbMax,
  };
}

function textOf({ healthMs, grownMb }: { readonly healthMs: number; readonly grownMb: number }): string {
  return `${healthMs.toFixed(0)} ms, ${grownMb.toFixed(0)} MB`;
}
