/** `vantage admin`: operators' tasks at both gateways. A table of commands, each loaded when it is called. */
import { defineGroup } from "../../../lib/command/command/command.ts";

export const command = defineGroup({
  about: `For logins with operator rights at the gateway (oidc.operators, oidc.operator_claim), and for \
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
      purpose: "keys with which new agents enrol",
      load: () => import("./enrolment.ts"),
      otherNames: ["enrolment-keys", "enroll", "enrol"],
    },
    { name: "service-keys", purpose: "keys of exchange servers", load: () => import("./service-keys.ts") },
    {
      name: "campaigns",
      purpose: "campaigns of all users: list and stop",
      load: () => import("./campaigns.ts"),
    },
    { name: "blocklist", purpose: "destinations that no agent probes", load: () => import("./blocklist.ts") },
    {
      name: "kill-switch",
      purpose: "stop all probing of all agents, or resume it",
      load: () => import("./kill.ts"),
      otherNames: ["kill"],
    },
    {
      name: "announcements",
      purpose: "what users may announce at the exchange: list, withdraw, stop",
      load: () => import("./announcements.ts"),
      otherNames: ["leases"],
    },
    {
      name: "source",
      purpose: "find whose probes come from a source address",
      load: () => import("./source.ts"),
    },
    {
      name: "ingest",
      purpose: "show how far the store is behind the broker",
      load: () => import("./ingest.ts"),
    },
    {
      name: "trace",
      purpose: "show what happened to a measurement, by its id or its request's",
      load: () => import("./trace.ts"),
    },
    { name: "audit", purpose: "list who changed what, newest first", load: () => import("./audit.ts") },
  ],
  examples: [
    ["vantage admin agents set west --tag eu", "users can choose it by tag:eu then"],
    ["vantage admin users suspend 'auth0|68a1' --reason 'scans a hospital'", "at both gateways"],
    ["vantage admin kill-switch on --reason 'a loop in AS 64500'", "asks for the gateway's name"],
  ],
});
