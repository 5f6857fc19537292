/** `vantage peering grant`: what a user lets another program announce, such as a probing gateway. */
import * as v from "valibot";
import {
  type GrantKind,
  grantAnswer,
  grantChangesMax,
  grantDaysMax,
  grantKinds,
  madeGrantAnswer,
} from "../../../../lib/base/api/grants.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { defineGroup, subcommand } from "../../../../lib/command/command/command.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { duration, kindOf, number, text, unfit } from "../../../../lib/command/command/kinds.ts";
import { timeAfter } from "./announcement-options.ts";
import { chosenPrefix, jsonHeaders, leaseArgument } from "./lease-arguments.ts";

type Grant = v.InferOutput<typeof grantAnswer>;

export const grantColumns: readonly Column<Grant>[] = [
  { name: "id", head: "grant", value: ({ id }) => id },
  { name: "name", head: "name", value: ({ name }) => name },
  { name: "state", head: "state", value: ({ state }) => state },
  { name: "prefixes", head: "prefixes", value: (row) => row.prefixes, text: (row) => row.prefixes.join(" ") },
  { name: "kinds", head: "kinds", value: ({ kinds }) => kinds, text: ({ kinds }) => kinds.join(" ") },
  {
    ...{ name: "changes", head: "changes", align: "right", value: ({ changes }) => changes },
    cell: ({ changes, changes_max: most }) => `${changes}/${most}`,
  },
  { name: "changes_max", head: null, value: (row) => row.changes_max },
  { name: "created_at", head: null, value: (row) => row.created_at },
  { name: "expires_at", head: "until", value: (row) => row.expires_at },
  { name: "revoked_at", head: null, value: (row) => row.revoked_at },
  { name: "last_used_at", head: "last used", value: (row) => row.last_used_at },
];

/** What experiments use: the others need rights that operators give. */
export const usualKinds = grantKinds.filter((kind) => kind !== "poison" && kind !== "blackhole");

const kindsKind = kindOf("KIND,…", "any", (given) => {
  const names = given.split(",").filter((name) => name !== "");
  const unknown = names.find((name) => !isKind(name));
  return unknown === undefined
    ? names.filter(isKind)
    : unfit(`"${unknown}" is none of ${grantKinds.join(", ")}`);
});

function isKind(name: string): name is GrantKind {
  return (grantKinds as readonly string[]).includes(name);
}

const create = gatewayCommand({
  service: "peering",
  about: `Prints the secret, once: the gateway keeps a hash of it. Its holder announces and withdraws the prefix, so \
many times, until the end, and nothing else. vantage experiment run creates one by itself.`,
  options: {
    name: { kind: text, default: "grant", meaning: "what it is for" },
    kinds: {
      kind: kindsKind,
      default: usualKinds,
      defaultText: "all but poison and blackhole",
      meaning: `attributes of announcements, and lease (renewing it): of ${grantKinds.join(", ")}`,
    },
    changes: { kind: number(1, grantChangesMax), default: 20, meaning: "changes that announce" },
    for: {
      kind: duration(grantDaysMax * 86_400_000),
      default: 86_400_000,
      defaultText: "24h",
      meaning: "time until it ends, and what was announced with it",
    },
  },
  arguments: { prefix: leaseArgument },
  examples: ["vantage peering grant create 2001:db8:1::/48 --changes 10 --for 6h"],
  act: async (session, { prefix, name, kinds, changes, for: forMs }) => {
    const gateway = await session.open();
    const { signal } = session;
    const body = JSON.stringify({
      ...{ name, kinds, prefixes: [await chosenPrefix(gateway, prefix, signal)] },
      ...{ changes_max: changes, expires_at: timeAfter(forMs, Date.now()) },
    });
    const ask = { method: "POST", headers: jsonHeaders, body, signal } as const;
    const made = await gateway.read("/api/grants", madeGrantAnswer, ask);
    session.note("the secret is shown this once: keep it, or create another grant");
    session.printRecord(
      [{ name: "secret", head: "secret", value: (row) => row.secret }, ...grantColumns],
      made,
    );
    return exitCodes.ok;
  },
});

const list = gatewayCommand({
  service: "peering",
  about: "The newest first; those that ended stay for a month.",
  options: {},
  arguments: {},
  examples: ["vantage peering grant list"],
  act: async (session) => {
    const gateway = await session.open();
    const grants = await gateway.read("/api/grants", v.array(grantAnswer), { signal: session.signal });
    session.printRows(grantColumns, grants, "no grant; create one with: vantage peering grant create");
    return exitCodes.ok;
  },
});

const revoke = gatewayCommand({
  service: "peering",
  about: `It takes effect at once. What was announced with it stays until it ends, at most two renewals; vantage \
withdraw ends it now.`,
  options: {},
  arguments: { grant: { kind: text, placeholder: "GRANT", required: true, meaning: "its id" } },
  examples: ["vantage peering grant revoke 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55"],
  act: async (session, { grant }) => {
    const gateway = await session.open();
    const ask = { method: "DELETE", signal: session.signal } as const;
    const path = `/api/grants/${encodeURIComponent(grant)}`;
    session.printRecord(grantColumns, await gateway.read(path, grantAnswer, ask));
    return exitCodes.ok;
  },
});

export const command = defineGroup({
  about: "Rights that you give another program, such as a probing gateway: docs/announce/announcements.md.",
  subcommands: [
    subcommand("create", "create a grant, and show its secret once", create),
    subcommand("list", "list your grants", list),
    subcommand("revoke", "end a grant, at once", revoke),
  ],
  examples: ["vantage peering grant create 2001:db8:1::/48 --changes 10 --for 6h"],
});
