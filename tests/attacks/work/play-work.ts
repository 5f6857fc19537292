/** Plays the attacks on a gateway's one thread, each on a gateway of its own: `/health` and memory, before and now. */
import { type Column, RowsOutput } from "../../../lib/base/terminal/rows-output.ts";
import { grownMbMax, healthMsMax } from "./bounds.ts";
import { type Swept, sweep, sweptGateways } from "./sweep.ts";
import { WatchedGateway } from "./watched-gateway.ts";
import { isReached, workAttacks } from "./work-attacks.ts";

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
  for (const name of sweptGateways) {
    for (const row of await sweptRows(name)) {
      failed += row.isHeldOff ? 0 : 1;
      output.add(row);
    }
  }
  output.finish();
  return failed;
}

/** A row for each kind of caller, and one for each route that was too much. */
async function sweptRows(name: (typeof sweptGateways)[number]): Promise<Row[]> {
  const all: Swept[] = [];
  for await (const one of sweep(name)) {
    all.push(one);
  }
  console.error(`${name}: ${all.length} routes swept`);
  const byCaller = [...Map.groupBy(all, ({ caller }) => caller)];
  return byCaller.flatMap(([caller, routes]) => {
    const bad = routes.filter((one) => !isHeld(one));
    const good = routes.filter(isHeld);
    const requests = good.reduce((sum, one) => sum + one.requests, 0);
    const attack = `${name}: ${requests} requests to ${good.length} routes as ${caller}`;
    return [
      rowOf(attack, good, true),
      ...bad.map((one) => rowOf(`${one.method} ${one.route}`, [one], false)),
    ];
  });
}

function isHeld({ healthMs, grownMb, failures }: Swept): boolean {
  return healthMs < healthMsMax && grownMb < grownMbMax && failures.length === 0;
}

function rowOf(attack: string, routes: readonly Swept[], isHeldOff: boolean): Row {
  const healthMs = Math.max(0, ...routes.map((one) => one.healthMs));
  const grownMb = Math.max(0, ...routes.map((one) => one.grownMb));
  const failures = routes.flatMap((one) => one.failures);
  const answers = failures.length > 0 ? failures.join(", ") : "no 5xx but 503";
  return { attack, before: "not measured", after: textOf({ healthMs, grownMb }), answers, isHeldOff };
}

async function playOne({ attack, before, ready, isOfResults }: (typeof workAttacks)[number]): Promise<Row> {
  await using gateway = await (isOfResults ? WatchedGateway.startWithStore() : WatchedGateway.start());
  const { healthMs, grownMb, answers } = await gateway.during(await ready(gateway));
  const figures = { healthMs, grownMb };
  console.error(`${attack}: ${textOf(figures)}`);
  const counts = Object.entries(answers).map(([answer, count]) => `${count} x ${answer}`);
  return {
    ...{
      attack,
      before: before === null ? "not measured" : textOf(before),
      after: textOf(figures),
      answers: counts.join(", "),
    },
    isHeldOff: healthMs < healthMsMax && grownMb < grownMbMax && isReached(answers),
  };
}

function textOf({ healthMs, grownMb }: { readonly healthMs: number; readonly grownMb: number }): string {
  return `${healthMs.toFixed(0)} ms, ${grownMb.toFixed(0)} MB`;
}
