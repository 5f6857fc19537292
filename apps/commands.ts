/** Every command of the executable: its name, what it is for, and where it is. Each is loaded when it is called. */
import { defineCommand, defineGroup } from "../lib/command/command/command.ts";
import { kindOf } from "../lib/command/command/kinds.ts";
import { runCommand } from "../lib/command/command/run-command.ts";
import type { CommandEntry } from "../lib/command/command/table.ts";
import { commandGroups } from "./command-groups.ts";
import { upkeepCommands } from "./upkeep-commands.ts";
import { version } from "./version.ts";

const commands: readonly CommandEntry[] = [
  {
    name: "trace",
    purpose: "show the paths to targets, with all their branches",
    load: () => import("./user/trace/main.ts"),
  },
  {
    name: "ping",
    purpose: "ping targets, and measure round-trip times",
    load: () => import("./user/trace/ping-main.ts"),
  },
  {
    name: "agent",
    purpose: "send probes from the broker, publish the replies",
    load: () => import("./probing/agent/main.ts"),
  },
  {
    name: "probes",
    purpose: "write probe lines for targets and prefixes",
    load: () => import("./user/probes/main.ts"),
  },
  {
    name: "client",
    purpose: "submit probe lines to agents, through the broker",
    load: () => import("./user/client/main.ts"),
  },
  {
    name: "replies",
    purpose: "show results: replies, paths, loss, catchment",
    load: () => import("./user/client/replies-main.ts"),
  },
  {
    name: "sql",
    purpose: "query results in SQL, at the gateway",
    load: () => import("./user/client/gateway/sql.ts"),
  },
  {
    name: "import",
    purpose: "read results of scamper and RIPE Atlas into a column store",
    load: () => import("./user/client/import-main.ts"),
  },
  {
    name: "login",
    purpose: "log in at a gateway, with a code that is confirmed in a browser",
    load: () => import("./user/client/gateway/login.ts"),
  },
  {
    name: "logout",
    purpose: "end a login",
    load: () => import("./user/client/gateway/logout.ts"),
  },
  {
    name: "profiles",
    purpose: "list the stored logins, or switch to another",
    load: () => import("./user/client/gateway/profiles.ts"),
  },
  {
    name: "whoami",
    purpose: "show the login in use, its quota and its source prefixes",
    load: () => import("./user/client/gateway/whoami.ts"),
  },
  {
    name: "limits",
    purpose: "show what is left of your quota, and the gateway's limits",
    load: () => import("./user/client/gateway/limits.ts"),
  },
  {
    name: "agents",
    purpose: "list the agents of the gateway",
    load: () => import("./user/client/gateway/agents.ts"),
  },
  {
    name: "send",
    purpose: "submit probe lines to agents, through the gateway",
    load: () => import("./user/client/gateway/send.ts"),
  },
  {
    name: "campaign",
    purpose: "make, change and list recurring measurements",
    load: () => import("./user/client/campaign/main.ts"),
  },
  {
    name: "discover",
    purpose: "find the routers and links on the way to prefixes, in rounds",
    load: () => import("./user/client/discover/main.ts"),
  },
  {
    name: "experiment",
    purpose: "plan announcements of a leased prefix, and probes from it",
    load: () => import("./user/client/experiment/main.ts"),
  },
  {
    name: "token",
    purpose: "make, list and revoke API tokens, for programs",
    load: () => import("./user/client/token/main.ts"),
  },
  {
    name: "alerts",
    purpose: "list the alerts of your campaigns, and their deliveries",
    load: () => import("./user/client/campaign/alerts.ts"),
  },
  {
    name: "share",
    purpose: "share results, by link or publicly",
    load: () => import("./user/client/share/main.ts"),
  },
  {
    name: "measurements",
    purpose: "list your measurements",
    load: () => import("./user/client/gateway/measurements.ts"),
  },
  {
    name: "label",
    purpose: "name a measurement, tag it, write a note",
    load: () => import("./user/client/gateway/label.ts"),
  },
  {
    name: "show",
    purpose: "show the status of a measurement",
    load: () => import("./user/client/gateway/show.ts"),
  },
  {
    name: "packets",
    purpose: "download a measurement's packets, as agents sent and captured them",
    load: () => import("./user/client/gateway/packets.ts"),
  },
  {
    name: "follow",
    purpose: "show the replies of a measurement live",
    load: () => import("./user/client/gateway/follow.ts"),
  },
  {
    name: "catchment",
    purpose: "show which agent receives the answers to which agent's probes",
    load: () => import("./user/client/catchment-main.ts"),
  },
  {
    name: "cancel",
    purpose: "stop measurements",
    load: () => import("./user/client/gateway/cancel.ts"),
  },
  {
    name: "export",
    purpose: "save the results of a measurement in a folder, and verify it later",
    load: () => import("./user/client/export-main.ts"),
  },
  {
    name: "mcp",
    purpose: "give a language model tools to measure with (Model Context Protocol)",
    load: () => import("./user/mcp/main.ts"),
  },
  {
    name: "routes",
    purpose: "show routes as BGP sessions announce and withdraw them",
    load: () => import("./user/routes/main.ts"),
  },
  {
    name: "context",
    purpose: "look up the context of addresses: AS, exchange, place, RPKI",
    load: () => import("./user/context/main.ts"),
  },
  {
    name: "peering",
    purpose: "your AS number and your prefixes at the exchange",
    load: () => import("./user/client/peering/main.ts"),
  },
  {
    name: "announce",
    purpose: "announce a prefix at exchange servers, prepended or not",
    load: () => import("./user/client/peering/announce.ts"),
  },
  {
    name: "withdraw",
    purpose: "withdraw a prefix, or all prefixes",
    load: () => import("./user/client/peering/withdraw.ts"),
  },
  {
    name: "announcements",
    purpose: "show what is announced at which exchange server, and its state",
    load: () => import("./user/client/peering/announcements.ts"),
  },
  {
    name: "admin",
    purpose: "for operators: users, agents, keys, blocklist, kill switch, audit",
    load: () => import("./operator/admin/main.ts"),
  },
  {
    name: "probing-gateway",
    purpose: "accept measurements from users over HTTP, and manage agents",
    load: () => import("./probing/gateway/main.ts"),
  },
  {
    name: "peering-gateway",
    purpose: "assign ASNs and lease prefixes to users over HTTP",
    load: () => import("./peering/gateway/main.ts"),
  },
  {
    name: "collector",
    purpose: "receive routes from routers by BMP and MRT, and keep the current table",
    load: () => import("./peering/collector/main.ts"),
  },
  {
    name: "policy-generator",
    purpose: "on an exchange server: make routing policy from leases and VPN devices",
    load: () => import("./peering/generator/main.ts"),
  },
  {
    name: "exchange",
    purpose: "configure an exchange server: render, check, status",
    load: () => import("./peering/exchange/main.ts"),
  },
  {
    name: "bootstrap",
    purpose: "join the exchange as a user: sessions, announcements, status page",
    load: () => import("./peering/bootstrap/main.ts"),
  },
  {
    name: "setup",
    purpose: "configure this machine as a platform or an agent, from a few answers",
    load: () => import("./operator/setup/main.ts"),
  },
  {
    name: "doctor",
    purpose: "find what is wrong with a client, exchange, agent or gateway, and how to fix it",
    load: () => import("./operator/doctor/main.ts"),
  },
  {
    name: "stack",
    purpose: "run the whole platform on this machine",
    load: () => import("./stack/main.ts"),
  },
  ...upkeepCommands,
];

/** The executable itself. */
export const root: CommandEntry = {
  name: "vantage",
  purpose: "Internet measurement from many points of view",
  load: async () => ({
    command: defineGroup({
      subcommands: [...commands, help, completions, version],
      groups: commandGroups,
      examples: [
        ["vantage help trace", "the options of a command, with examples"],
        ["vantage trace example.org", "the paths to a host"],
      ],
    }),
  }),
};

const help: CommandEntry = {
  name: "help",
  purpose: "show the options of a command, with examples",
  load: async () => {
    const names = [...commands, completions, version].map(({ name }) => name);
    return {
      command: defineCommand({
        options: {},
        arguments: {
          words: {
            kind: kindOf("COMMAND", names, String),
            many: true,
            meaning: "a command, and one of its own",
          },
        },
        examples: ["vantage help trace", "vantage help peering prefix request"],
        act: ({ words }) => runCommand(root, [...words, "--help"], ""),
      }),
    };
  },
};

const completions: CommandEntry = {
  name: "completions",
  purpose: "write a script that completes words in your shell",
  load: async () => {
    const { completionsCommand } = await import("./completions.ts");
    return { command: completionsCommand(root) };
  },
};
