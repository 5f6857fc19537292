/** `vantage stack`: the one-machine platform, and its parts by themselves. */
import { writeSync } from "node:fs";
import { migrate } from "../../lib/store/clickhouse/migrate.ts";
import { openStore } from "../../lib/store/clickhouse/open.ts";
import { repliesTopic } from "../../lib/wire/target-header.ts";
import { help } from "./help.ts";
import { groups } from "./ingest/groups.ts";
import { runIngest } from "./ingest/ingest-process.ts";
import { startObserver } from "./observer.ts";
import { parseOptions, type StackCommand } from "./options.ts";
import { StopRequest } from "./parent.ts";
import { Stack } from "./stack.ts";
import { runStoreProcess } from "./store-process.ts";

const standardError = 2;

export { stackOptions as options } from "./options.ts";
export const words = ["store", "ingest", "migrate"];

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions(args);
  if (parsed.kind === "help") {
    console.log(help.trimEnd());
    return 0;
  }
  if (parsed.kind === "wrong") {
    writeSync(standardError, `vantage stack: ${parsed.message} (see: vantage stack --help)\n`);
    return 2;
  }
  const command = parsed.options;
  const name = command.kind === "run" ? "vantage stack" : `vantage stack ${command.kind}`;
  try {
    await execute(command);
    return 0;
  } catch (error) {
    writeSync(standardError, `${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

async function execute(command: StackCommand): Promise<void> {
  switch (command.kind) {
    case "run":
      return runStack(command);
    case "store":
      return runStoreProcess(command.directory, command.hasParent);
    case "ingest":
      return runIngest(command);
    case "migrate":
      return runMigrate(command);
  }
}

async function runStack({ directory, ttlDays, listen }: StackCommand & { kind: "run" }): Promise<void> {
  using stop = new StopRequest(false);
  const say = (line: string) => writeSync(standardError, `${line}\n`);
  await using stack = await Stack.start({ directory, ttlDays, say });
  await using observer = startObserver(stack, listen);
  console.log(welcome(stack, observer.url));
  await stop.came;
  console.log("stopping");
}

function welcome({ addresses }: Stack, url: string): string {
  return [
    "The stack is running; Ctrl-C stops it.",
    "",
    `  broker    ${addresses.broker}`,
    `  store     ${addresses.store}`,
    `  health    ${url}health`,
    `  metrics   ${url}metrics`,
    "",
    "In the configuration of agents and of the client:",
    "",
    "  kafka:",
    `    brokers: ${JSON.stringify(addresses.broker)}`,
    "",
    "Then:",
    "",
    "  vantage agent --config agent.yaml",
    "  vantage client --config client.yaml -p probes.csv AGENT",
    `  vantage replies --store ${addresses.store}`,
  ].join("\n");
}

async function runMigrate({ store: address, ttlDays, kafkaBrokers }: StackCommand & { kind: "migrate" }) {
  await using store = await openStore(address);
  const values = { ttlDays, kafkaBrokers, repliesTopic, repliesGroup: groups.replies };
  const { applied, ttlChanged } = await migrate(store, values);
  const changed = ttlChanged.length === 0 ? "" : `; results are now kept for ${ttlDays} days`;
  console.log(`${store.address}: ${applied.length} migrations applied${changed}`);
}
