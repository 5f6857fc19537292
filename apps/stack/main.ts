/** `vantage stack`: the one-machine platform, and its parts by themselves. */
import { keepFilesPrivate } from "../../lib/disk/private-file.ts";
import { migrate } from "../../lib/store/clickhouse/migrate.ts";
import { openStore } from "../../lib/store/clickhouse/open.ts";
import { printErrorLine, printLine } from "../../lib/terminal/output.ts";
import { repliesTopic } from "../../lib/wire/target-header.ts";
import { help } from "./help.ts";
import { groups } from "./ingest/groups.ts";
import { runIngest } from "./ingest-process.ts";
import { startObserver } from "./observer.ts";
import { parseOptions, type StackCommand } from "./options.ts";
import { StopRequest } from "./parent.ts";
import { Stack } from "./stack.ts";
import { runStoreProcess } from "./store-process.ts";
import { welcome } from "./welcome.ts";

export { stackOptions as options } from "./options.ts";
export const words = ["store", "ingest", "gateway", "migrate"];

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseOptions(args);
  if (parsed.kind === "help") {
    printLine(help.trimEnd());
    return 0;
  }
  if (parsed.kind === "wrong") {
    printErrorLine(`vantage stack: ${parsed.message} (see: vantage stack --help)`);
    return 2;
  }
  keepFilesPrivate();
  const command = parsed.options;
  const name = command.kind === "run" ? "vantage stack" : `vantage stack ${command.kind}`;
  try {
    await execute(command);
    return 0;
  } catch (error) {
    printErrorLine(`${name}: ${error instanceof Error ? error.message : String(error)}`);
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
    case "gateway": {
      // Large, and of no use to the other parts.
      const { runGateway } = await import("./gateway-process.ts");
      return runGateway(command);
    }
    case "migrate":
      return runMigrate(command);
  }
}

async function runStack(command: StackCommand & { kind: "run" }): Promise<void> {
  const { listen, ...config } = command;
  using stop = new StopRequest(false);
  await using stack = await Stack.start({ ...config, say: printErrorLine });
  await using observer = startObserver(stack, listen);
  printLine(welcome(stack, config.directory, observer.url));
  await stop.came;
  printLine("stopping");
}

async function runMigrate({ store: address, ttlDays, kafkaBrokers }: StackCommand & { kind: "migrate" }) {
  await using store = await openStore(address);
  const values = { ttlDays, kafkaBrokers, repliesTopic, repliesGroup: groups.replies };
  const { applied, ttlChanged, feedChanged } = await migrate(store, values);
  const changed = ttlChanged.length === 0 ? "" : `; results are now kept for ${ttlDays} days`;
  const feeder = kafkaBrokers === "" ? "vantage stack ingest" : "the server itself";
  const fed = feedChanged ? `; replies are now read by ${feeder}` : "";
  printLine(`${store.address}: ${applied.length} migrations applied${changed}${fed}`);
}
