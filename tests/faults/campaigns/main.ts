/**
 * `npm run test:campaigns`: campaigns of a run each minute, for an hour, at several gateways on one PostgreSQL. Each
 * gateway is killed again and again, now and then all of them at once. Afterwards every planned run is held against
 * the journal, the measurements, the quota and the broker's log: docs/internals/faults.md.
 *
 * Nothing leaves the machine: probes are for documentation addresses and end in the log. Exit code 1 when a run came
 * twice, or neither came nor has a reason; 2 on wrong usage.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { accountOf } from "./account.ts";
import { playHour } from "./hour.ts";
import { problemsOf, reportText } from "./report.ts";

const usage = `Usage: bun tests/faults/campaigns/main.ts [options]

  --minutes=N      how long campaigns go on (60)
  --campaigns=N    campaigns of 60 s each (20)
  --gateways=N     gateways on one PostgreSQL (3)
  --kill=SEC       a gateway is killed each so many seconds, on average (10)
  --json           the report as one line of JSON
`;

interface Options {
  readonly minutes: number;
  readonly campaigns: number;
  readonly gateways: number;
  readonly killSec: number;
  readonly json: boolean;
}

/** Throws an Error that says what is wrong. */
function readOptions(args: readonly string[]): Options {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ minutes: text("60"), campaigns: text("20"), gateways: text("3"), kill: text("10") },
      json: { type: "boolean", default: false },
    },
  });
  const number = (name: "minutes" | "campaigns" | "gateways" | "kill") => {
    const value = Number(values[name]);
    if (!(value > 0) || (name !== "kill" && !Number.isSafeInteger(value))) {
      throw new Error(`Cannot use --${name} "${values[name]}": it takes a number above 0`);
    }
    return value;
  };
  return {
    ...{ minutes: number("minutes"), campaigns: number("campaigns"), gateways: number("gateways") },
    ...{ killSec: number("kill"), json: values.json },
  };
}

async function main(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = readOptions(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "vantage-campaigns-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const account = await playHour(options, folder, accountOf);
  const problems = problemsOf(account);
  process.stdout.write(
    options.json ? `${JSON.stringify({ ...account, problems })}\n` : reportText(account, options),
  );
  for (const problem of problems) {
    process.stderr.write(`${problem}\n`);
  }
  return problems.length === 0 ? 0 : 1;
}

if (import.meta.main) {
  process.exit(await main(Bun.argv.slice(2)));
}
