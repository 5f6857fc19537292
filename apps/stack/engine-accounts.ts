/**
 * The rights of the embedded store's engine, in a configuration that is written at each start.
 *
 * The library connects as `default` alone, whose rights come from two roles: `operator` has all of them, `vantage_sql`
 * is what a reader's connection keeps (chdb-guest-worker.ts). The account `vantage_rows` has the row policies of the
 * views (door.ts). Tables of `system` are open to every role in the library, so a row policy on all of them shows rows
 * to operators alone, except in those that name nothing of others.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  guestAccount,
  guestGrants,
  rowPolicies,
  rowsAccount,
  rowsGrants,
} from "../../lib/engines/store/clickhouse/door.ts";

const folderName = "accounts";
const operatorRole = "operator";
const isOperator = `has(currentRoles(), '${operatorRole}')`;

/** What clients look up of the engine and of tables that the reader may read; and tables of numbers. */
const openSystemTables = [
  ...["one", "numbers", "numbers_mt", "zeros", "zeros_mt", "databases", "tables", "columns"],
  ...["functions", "formats", "data_type_families", "table_functions", "time_zones", "keywords", "licenses"],
  ...["aggregate_function_combinators", "collations", "contributors"],
];

/** Arguments of every connection to the directory. */
export function engineArguments(directory: string): Readonly<Record<string, string>> {
  return { "config-file": join(directory, folderName, "config.xml") };
}

/** Before the first connection. */
export function writeAccounts(directory: string): void {
  const folder = join(directory, folderName);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const users = join(folder, "users.xml");
  writeFileSync(users, element("clickhouse", usersText()), { mode: 0o600 });
  const config = element("users_config", escaped(users));
  writeFileSync(join(folder, "config.xml"), element("clickhouse", config), { mode: 0o600 });
}

function usersText(): string {
  const roles = [
    element(operatorRole, grants(["GRANT ALL ON *.* WITH GRANT OPTION"])),
    element(guestAccount, grants(guestGrants)),
  ];
  const system = [
    ["", isOperator],
    // What a reader may see is named by it: it would be good for as long as its sets are.
    ["settings", `name != 'log_comment' OR ${isOperator}`],
    ...openSystemTables.map((table) => [table, "1"]),
  ];
  const rows = Object.entries(rowPolicies).map(([table, filter]) => [table, filter]);
  const users = [
    account(
      "default",
      grants([`GRANT ${operatorRole}`, `GRANT ${guestAccount}`]) + filters("system", system),
    ),
    account(rowsAccount, grants(rowsGrants) + filters("measure", rows)),
  ];
  return [
    element("profiles", element("default", "")),
    element("quotas", element("default", "")),
    element("roles", roles.join("")),
    element("users", users.join("")),
  ].join("\n");
}

/** Only this process can connect to the library, and the library only as `default`. */
function account(name: string, rights: string): string {
  const networks = element("networks", element("ip", "::/0"));
  const both = element("profile", "default") + element("quota", "default");
  return element(name, `<no_password/>${networks}${both}${rights}`);
}

/** An empty name stands for all tables of the database. */
function filters(database: string, tables: readonly (readonly string[])[]): string {
  const all = tables.map(
    ([table = "", filter = ""]) => `<table name="${table}">${element("filter", escaped(filter))}</table>`,
  );
  return element("databases", `<database name="${database}">${all.join("")}</database>`);
}

function grants(statements: readonly string[]): string {
  return element("grants", statements.map((statement) => element("query", escaped(statement))).join(""));
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
