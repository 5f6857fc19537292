/** `vantage admin`: what operators do at both gateways. A table of commands, each loaded when it is called. */
import { defineGroup } from "../../lib/command/command.ts";

export const command = defineGroup({
  about: `For logins that have an operator's right at the gateway (oidc.operators, oidc.operator_claim), and for \
holders of its admin key: VANTAGE_TOKEN, or --token-stdin. Every change is in the audit, with who made it.`,
  subcommands: [
    {
      name: "users",
      purpose: "find, limit, suspend, export and erase users",
      load: () => import("./users.ts"),
    },
    {
      name: "agents",
      purpose: "make, describe, pause and retire agents; their keys",
      load: () => import("./agents.ts"),
    },
    {
      name: "enrolment",
      purpose: "keys with which new agents make themselves known",
      load: () => import("./enrolment.ts"),
      otherNames: ["enrolment-keys", "enroll", "enrol"],
    },
    { name: "service-keys", purpose: "keys of exchange servers", load: () => import("./service-keys.ts") },
    {
      name: "campaigns",
      purpose: "what goes on without a person, and the end of it",
      load: () => import("./campaigns.ts"),
    },
    { name: "blocklist", purpose: "destinations that are left alone", load: () => import("./blocklist.ts") },
    {
      name: "kill-switch",
      purpose: "stop all probing of all agents, or let it go on",
      load: () => import("./kill.ts"),
      otherNames: ["kill"],
    },
    {
      name: "announcements",
      purpose: "who may announce what at the exchange, and the end of it",
      load: () => import("./announcements.ts"),
      otherNames: ["leases"],
    },
    { name: "source", purpose: "find the users of a source address", load: () => import("./source.ts") },
    { name: "ingest", purpose: "say how far the store is behind", load: () => import("./ingest.ts") },
    { name: "audit", purpose: "list who changed what, newest first", load: () => import("./audit.ts") },
  ],
  examples: [
    ["vantage admin agents set west --tag eu", "users can choose it by tag:eu then"],
    ["vantage admin users suspend 'auth0|68a1' --reason 'scans a hospital'", "at both gateways"],
    ["vantage admin kill-switch on --reason 'a loop in AS 64500'", "asks for the gateway's name"],
  ],
});
