/** `vantage peering`: ASN and prefixes at the exchange. A table of commands, each loaded when it is called. */
import type { OptionTable } from "../../../lib/config/command-line.ts";
import { nearest } from "../../../lib/config/nearest.ts";
import { printLine } from "../../../lib/terminal/output.ts";
import { exitCodes } from "../failure.ts";
import type { Command } from "../gateway/command.ts";
import { addressOptions, formatOption, loginOptions } from "../gateway/common-options.ts";
import { complain } from "../standard-error.ts";

interface Subcommand {
  readonly name: string;
  readonly usage: string;
  readonly purpose: string;
  readonly load: () => Promise<Pick<Command, "run">>;
}

const subcommands: readonly Subcommand[] = [
  { name: "asn", usage: "", purpose: "show your AS number; get one", load: () => import("./asn.ts") },
  {
    name: "prefix list",
    usage: "[--all]",
    purpose: "show your live leases, or all you ever had",
    load: () => import("./list.ts"),
  },
  {
    name: "prefix request",
    usage: "HOURS",
    purpose: "lease a /48, and get an AS number with it",
    load: () => import("./request.ts"),
  },
  {
    name: "prefix renew",
    usage: "HOURS [PREFIX]",
    purpose: "let a lease end so many hours from now",
    load: () => import("./renew.ts"),
  },
  {
    name: "prefix release",
    usage: "[PREFIX]",
    purpose: "give a prefix back",
    load: () => import("./release.ts"),
  },
  {
    name: "prefix rpki",
    usage: "on|off [PREFIX]",
    purpose: "switch a lease's route origin authorisation",
    load: () => import("./rpki.ts"),
  },
  {
    name: "env",
    usage: "",
    purpose: "print USER_ASN and USER_PREFIXES, as the client stack takes them",
    load: () => import("./env.ts"),
  },
];

/** For completions. */
export const words: readonly string[] = [...new Set(subcommands.flatMap(({ name }) => name.split(" ")))];
export const options: OptionTable = { ...formatOption, ...addressOptions.peering, ...loginOptions };

/** Runs the command with the arguments behind its name; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const rest = args[0] === "prefix" ? args.slice(1) : args;
  if (rest.length === 0 || rest[0] === "--help" || rest[0] === "-h") {
    printLine(help());
    return rest.length === 0 ? exitCodes.usage : exitCodes.ok;
  }
  const asked = wordsOf(args);
  const found = subcommands.find(({ name }) => name === asked.join(" "));
  if (found === undefined) {
    complain("peering", `${unknown(asked.join(" "))} (see: vantage peering --help)`);
    return exitCodes.usage;
  }
  const { run: runFound } = await found.load();
  return runFound(args.slice(asked.length));
}

/** What other programs of this kind call a command of ours. */
const otherWords: Readonly<Record<string, string>> = {
  revoke: "release",
  delete: "release",
  extend: "renew",
};

/** `prefix` takes a second word. */
function wordsOf(args: readonly string[]): readonly string[] {
  return args.slice(0, args[0] === "prefix" ? 2 : 1);
}

function unknown(asked: string): string {
  const names = subcommands.map(({ name }) => name);
  const word = asked.replace(/^prefix /, "");
  const meant = nearest(asked, names) ?? names.find((name) => name === `prefix ${otherWords[word] ?? word}`);
  return `There is no command "${asked}"${meant === undefined ? "" : `; did you mean "${meant}"?`}`;
}

function help(): string {
  const rows = subcommands.map(({ name, usage, purpose }) => [`${name} ${usage}`.trim(), purpose] as const);
  const width = Math.max(...rows.map(([command]) => command.length));
  return [
    "vantage peering: your AS number and your prefixes at the exchange",
    "",
    "  vantage peering COMMAND [options]",
    "",
    ...rows.map(([command, purpose]) => `  ${command.padEnd(width)}  ${purpose}`),
    "",
    "Examples",
    "  vantage peering prefix request 24",
    "  vantage peering env >> .env && docker compose --profile client up",
  ].join("\n");
}
