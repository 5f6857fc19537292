/** `vantage peering`: ASN and prefixes at the exchange. A table of commands, each loaded when it is called. */
import { defineGroup } from "../../../../lib/command/command/command.ts";
import type { CommandEntry } from "../../../../lib/command/command/table.ts";

const prefixCommands: readonly CommandEntry[] = [
  { name: "list", purpose: "show your live leases, or all you ever had", load: () => import("./list.ts") },
  {
    name: "request",
    purpose: "lease a /48, and get an AS number with it",
    load: () => import("./request.ts"),
  },
  {
    name: "renew",
    purpose: "set a lease to end this many hours from now",
    otherNames: ["extend"],
    load: () => import("./renew.ts"),
  },
  {
    name: "release",
    purpose: "give a prefix back",
    otherNames: ["revoke", "delete"],
    load: () => import("./release.ts"),
  },
  {
    name: "rpki",
    purpose: "switch a lease's route origin authorisation (ROA)",
    load: () => import("./rpki.ts"),
  },
];

export const command = defineGroup({
  subcommands: [
    {
      name: "asn",
      purpose: "show your AS number; get one when you have none",
      load: () => import("./asn.ts"),
    },
    {
      name: "prefix",
      purpose: "list, request, renew and release your leases",
      otherNames: prefixCommands.map(({ name }) => name),
      load: async () => ({ command: defineGroup({ subcommands: prefixCommands }) }),
    },
    {
      name: "grant",
      purpose: "let another program announce a prefix, for a time",
      load: () => import("./grants.ts"),
    },
    {
      name: "env",
      purpose: "print USER_ASN and USER_PREFIXES, as the client stack takes them",
      load: () => import("./env.ts"),
    },
  ],
  examples: [
    "vantage peering prefix request 24",
    "vantage peering env >> .env && docker compose --file compose.client.yaml up --detach",
  ],
});
