/** `vantage upgrade --check`: what the start of this program's services would change, before it is done. */
import { embeddedFolder } from "../../../lib/base/api/embedded-folder.ts";
import { counted } from "../../../lib/base/terminal/figures.ts";
import { printLine } from "../../../lib/base/terminal/output.ts";
import { printRows } from "../../../lib/base/terminal/print-rows.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { wrongUsage } from "../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { formatOption } from "../../../lib/command/command/format-option.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { sourceOptions } from "../backup/options.ts";
import { sourcesOf } from "../backup/sources.ts";
import { type SchemaState, schemaStates } from "./schema-states.ts";

export const command = defineCommand({
  about: `Run it with the new program while the old services run: it lists the migrations that they would apply to \
each database, in which order to restart, and whether the old program can be started again afterwards. It changes \
nothing. Without options it checks the stack in its usual folder and the gateways configured in /etc/vantage.`,
  options: {
    check: { flag: true, default: false, meaning: "needed: an upgrade itself is a new package and restarts" },
    ...sourceOptions,
    ...formatOption,
  },
  arguments: {},
  examples: [
    ["new/vantage upgrade --check", "before new/vantage is installed"],
    ["vantage upgrade --check --probing-gateway gateway.yaml -o json", "one gateway, for a program"],
  ],
  exits: { ok: "all of it can be upgraded, or is up to date", failure: "something cannot: it is named" },
  act: async ({ check, output, ...named }) => {
    if (!check) {
      throw wrongUsage(
        "give --check; to upgrade, install the new program and restart the services: docs/operate/upgrade.md",
      );
    }
    const states = await schemaStates(sourcesOf({ ...named, folder: [] }, "check"));
    printRows(columns, states, output);
    if (output === "table") {
      printLine(["", ...advice(states)].join("\n"));
    }
    return states.some(({ problem }) => problem !== null) ? exitCodes.failure : exitCodes.ok;
  },
});

const columns: readonly Column<SchemaState>[] = [
  { name: "part", head: "Part", value: ({ part }) => part },
  { name: "address", head: "Address", value: ({ address }) => address },
  { name: "version", head: "Version", value: ({ version }) => version, align: "right" },
  { name: "new_version", head: "New", value: ({ newVersion }) => newVersion, align: "right" },
  {
    name: "migrations",
    head: "Migrations",
    value: ({ migrations }) => migrations,
    text: ({ migrations }) => migrations.join(" "),
    cell: ({ migrations, problem }) => problem ?? shortened(migrations),
  },
  { name: "problem", head: null, value: ({ problem }) => problem },
];

/** Few by name; of many, as of a database two releases old, how many, and the last ones. */
function shortened(names: readonly string[]): string {
  const last = names.slice(-namedMax).join(", ");
  return names.length === 0 ? "none" : names.length <= namedMax ? last : `${names.length}: …, ${last}`;
}

const namedMax = 3;

/** What to do with this program, line by line. */
function advice(states: readonly SchemaState[]): string[] {
  if (states.some(({ problem }) => problem !== null)) {
    return ["Not all of it can be upgraded: see above. Check again when that is put right."];
  }
  const changed = states.filter(({ migrations }) => migrations.length > 0);
  const isServer = changed.some(
    ({ part, address }) => part === "column store" && embeddedFolder("store", address) === null,
  );
  const order = [
    "vantage backup",
    ...(isServer ? ["vantage stack migrate --store …"] : []),
    "gateways: stop all of one database, then start the new ones; vantage stack does so by itself",
    "ingesters, policy generators, collectors",
    "agents, one by one",
  ];
  return [
    changed.length === 0
      ? `Vantage ${packageJson.version} changes no schema.`
      : `Vantage ${packageJson.version} changes ${counted(changed.length, "schema")}, each at its service's start.`,
    "Order:",
    ...order.map((step, i) => `  ${i + 1}. ${step}`),
    changed.length === 0
      ? "Back again: start the old program."
      : "Back again: the old program refuses the new schemas; restore the backup.",
  ];
}
