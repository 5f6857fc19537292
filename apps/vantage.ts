/** The one executable: a table of commands, each loaded only when it is called. */

import type { OptionTable } from "../lib/config/command-line.ts";
import { nearest } from "../lib/config/nearest.ts";
import { printErrorLine, printLine } from "../lib/terminal/output.ts";
import packageJson from "../package.json" with { type: "json" };

interface Command {
  readonly name: string;
  readonly purpose: string;
  readonly load: () => Promise<CommandModule>;
}

interface CommandModule {
  /** Takes the arguments behind the name; resolves to the exit code. */
  run(args: string[]): Promise<number>;
  /** For shells that complete words. */
  readonly options?: OptionTable;
  readonly words?: readonly string[];
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
    name: "login",
    purpose: "log in at a gateway, with a code that is confirmed in a browser",
    load: () => import("./client/gateway/login.ts"),
  },
  {
    name: "logout",
    purpose: "end a login",
    load: () => import("./client/gateway/logout.ts"),
  },
  {
    name: "profiles",
    purpose: "list the logins that are kept, or use another",
    load: () => import("./client/gateway/profiles.ts"),
  },
  {
    name: "whoami",
    purpose: "show whose login is used, its quota and its source prefixes",
    load: () => import("./client/gateway/whoami.ts"),
  },
  {
    name: "limits",
    purpose: "show what is left of your quota, and what the gateway takes",
    load: () => import("./client/gateway/limits.ts"),
  },
  {
    name: "agents",
    purpose: "list the agents of the gateway",
    load: () => import("./client/gateway/agents.ts"),
  },
  {
    name: "send",
    purpose: "submit probe lines to agents, through the gateway",
    load: () => import("./client/gateway/send.ts"),
  },
  {
    name: "measurements",
    purpose: "list your measurements",
    load: () => import("./client/gateway/measurements.ts"),
  },
  {
    name: "show",
    purpose: "show how far a measurement is",
    load: () => import("./client/gateway/show.ts"),
  },
  {
    name: "follow",
    purpose: "show a measurement as it goes",
    load: () => import("./client/gateway/follow.ts"),
  },
  {
    name: "catchment",
    purpose: "show which agent hears the answers to whose probes",
    load: () => import("./client/catchment-main.ts"),
  },
  {
    name: "cancel",
    purpose: "stop measurements",
    load: () => import("./client/gateway/cancel.ts"),
  },
  {
    name: "context",
    purpose: "look up the context of addresses: AS, exchange, place, RPKI",
    load: () => import("./context/main.ts"),
  },
  {
    name: "peering",
    purpose: "your AS number and your prefixes at the exchange",
    load: () => import("./client/peering/main.ts"),
  },
  {
    name: "probing-gateway",
    purpose: "take measurements from users over HTTP, and look after agents",
    load: () => import("./probing-gateway/main.ts"),
  },
  {
    name: "peering-gateway",
    purpose: "give ASNs and lease prefixes to users over HTTP",
    load: () => import("./peering-gateway/main.ts"),
  },
  {
    name: "policy-generator",
    purpose: "on an exchange server: leases and VPN devices to routing policy",
    load: () => import("./policy-generator/main.ts"),
  },
  {
    name: "exchange",
    purpose: "configure an exchange server: render, check, status",
    load: () => import("./exchange/main.ts"),
  },
  {
    name: "bootstrap",
    purpose: "join the exchange as a user: sessions, announcements, status page",
    load: () => import("./bootstrap/main.ts"),
  },
  {
    name: "doctor",
    purpose: "say what is wrong with a client, exchange, agent or gateway, and what to do",
    load: () => import("./doctor/main.ts"),
  },
  {
    name: "stack",
    purpose: "run broker, column store and ingester on this machine",
    load: () => import("./stack/main.ts"),
  },
  {
    name: "health",
    purpose: "ask a service how it is, for what watches over it",
    load: () => import("./health/main.ts"),
  },
  {
    name: "install-service",
    purpose: "let systemd run a service",
    load: () => import("./install-service/main.ts"),
  },
];

const usageExitCode = 2;

async function main(args: string[]): Promise<number> {
  const [name = "--help", ...rest] = args;
  if (name === "--version" || name === "-V") {
    printLine(`vantage ${packageJson.version} (${process.env.VANTAGE_COMMIT ?? "development"})`);
    return 0;
  }
  if (name === "--help" || name === "-h") {
    printLine(overview());
    return 0;
  }
  if (name === "help") {
    return main(rest[0] === undefined ? ["--help"] : [rest[0], "--help"]);
  }
  if (name === "completions") {
    const { printCompletions } = await import("./completions.ts");
    return await printCompletions(commands, rest);
  }
  const command = commands.find((known) => known.name === name);
  if (command === undefined) {
    printErrorLine(`vantage: there is no command "${name}"${suggestion(name)} (see: vantage --help)`);
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
    "  vantage completions     bash, zsh or fish: completes words in your shell",
    "  vantage --version       version and commit",
  ].join("\n");
}

/** The nearest command, when it is a slip of the finger or two away. */
function suggestion(name: string): string {
  const meant = nearest(
    name,
    commands.map((command) => command.name),
  );
  return meant === null ? "" : `; did you mean "${meant}"?`;
}

process.exitCode = await main(process.argv.slice(2));
