/** The one executable: a table of commands, each loaded only when it is called. */
import packageJson from "../package.json" with { type: "json" };

interface Command {
  readonly name: string;
  readonly purpose: string;
  /** Takes the arguments behind the name; resolves to the exit code. */
  readonly load: () => Promise<{ run(args: string[]): Promise<number> }>;
}

const commands: readonly Command[] = [
  {
    name: "trace",
    purpose: "show the paths to targets, with all their branches",
    load: () => import("./trace/main.ts"),
  },
  {
    name: "ping",
    purpose: "send probes to targets themselves, and time the answers",
    load: () => import("./trace/ping-main.ts"),
  },
  {
    name: "agent",
    purpose: "send probes from the broker, publish the answers to them",
    load: () => import("./agent/main.ts"),
  },
  {
    name: "probes",
    purpose: "write probe lines for targets and prefixes",
    load: () => import("./probes/main.ts"),
  },
  {
    name: "client",
    purpose: "submit probe lines to agents, through the broker",
    load: () => import("./client/main.ts"),
  },
  {
    name: "replies",
    purpose: "show what came back: replies, paths, loss, catchment",
    load: () => import("./client/replies-main.ts"),
  },
  {
    name: "stack",
    purpose: "run broker, column store and ingester on this machine",
    load: () => import("./stack/main.ts"),
  },
];

const usageExitCode = 2;

async function main(args: string[]): Promise<number> {
  const [name = "--help", ...rest] = args;
  if (name === "--version" || name === "-V") {
    console.log(`vantage ${packageJson.version} (${process.env.VANTAGE_COMMIT ?? "development"})`);
    return 0;
  }
  if (name === "--help" || name === "-h") {
    console.log(overview());
    return 0;
  }
  if (name === "help") {
    return main(rest[0] === undefined ? ["--help"] : [rest[0], "--help"]);
  }
  const command = commands.find((known) => known.name === name);
  if (command === undefined) {
    console.error(`vantage: there is no command "${name}"${suggestion(name)} (see: vantage --help)`);
    return usageExitCode;
  }
  const { run } = await command.load();
  return run(rest);
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "vantage: Internet measurement from many points of view",
    "",
    "  vantage COMMAND [options]",
    "",
    ...commands.map(({ name, purpose }) => `  ${name.padEnd(width)}  ${purpose}`),
    "",
    "  vantage help COMMAND    the options of a command, with examples",
    "  vantage --version       version and commit",
  ].join("\n");
}

/** The nearest command, when it is a slip of the finger or two away. */
function suggestion(name: string): string {
  const [nearest] = commands
    .map((command) => ({ name: command.name, slips: distance(command.name, name) }))
    .filter(({ slips }) => slips <= 2)
    .sort((a, b) => a.slips - b.slips);
  return nearest === undefined ? "" : `; did you mean "${nearest.name}"?`;
}

/** Edit distance (Levenshtein), one row of the table at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

process.exitCode = await main(process.argv.slice(2));
