/** Where each part of a backup goes, and what is there already. */

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { embeddedFolder, embeddedSchemes } from "../../../lib/base/api/embedded-folder.ts";
import { withoutPassword } from "../../../lib/base/failure/without-password.ts";
import { counted } from "../../../lib/base/terminal/figures.ts";
import { wrongUsage } from "../../../lib/command/command/command-error.ts";
import { loggedTopics } from "../../../lib/engines/broker/embedded/copy-log.ts";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { tablesOf } from "./database-tables.ts";
import { reachable } from "./in-containers.ts";
import type { Contents, CopiedBroker, CopiedDatabase, CopiedFolder, CopiedStore } from "./manifest.ts";
import { openToWrite } from "./open-engines.ts";
import { countRows, rowTables } from "./store-tables.ts";

/** From the command line; null = where it came from. */
interface NamedTargets {
  readonly stack: string | null;
  readonly probingDatabase: string | null;
  readonly peeringDatabase: string | null;
  readonly store: readonly string[];
  readonly broker: string | null;
  /** `OLD=NEW` each. */
  readonly folder: readonly string[];
}

export type Target = { readonly name: string } & (
  | { readonly kind: "database"; readonly copy: CopiedDatabase; readonly address: string }
  | { readonly kind: "store"; readonly copy: CopiedStore; readonly address: string }
  | { readonly kind: "broker"; readonly copy: CopiedBroker; readonly folder: string }
  | { readonly kind: "folder"; readonly copy: CopiedFolder; readonly folder: string }
);

/** Addresses with their passwords, which a backup does not hold, as this machine has them; null = it has none. */
export interface ConfiguredHere {
  readonly database: (name: CopiedDatabase["name"]) => string | null;
  readonly store: () => string | null;
}

/**
 * In the order in which they are restored. Throws CommandError `usage` for an option that nothing in it is for.
 */
export function targetsOf(contents: Contents, named: NamedTargets, configured: ConfiguredHere): Target[] {
  const moved = mover(contents, named);
  const { probingDatabase, peeringDatabase, store, broker } = named;
  if (store.length > 0 && store.length !== contents.stores.length) {
    throw wrongUsage(
      `--store is needed for each of the backup's stores, of which it has ${contents.stores.length}`,
    );
  }
  const database = { probing: probingDatabase, peering: peeringDatabase };
  return [
    ...contents.databases.map((copy) => {
      const own = movedAddress("database", copy.from, moved);
      const here = database[copy.name] === null ? configured.database(copy.name) : null;
      const withPassword = here !== null && withoutPassword(here) === own ? here : own;
      const address = database[copy.name] ?? withPassword;
      return { kind: "database", name: `${copy.name} database`, copy, address } as const;
    }),
    ...contents.stores.map((copy, i) => {
      const own = movedAddress("store", copy.from, moved);
      const here = store[i] === undefined ? configured.store() : null;
      const address = store[i] ?? (here !== null && hostOf(here) === hostOf(own) ? here : own);
      return { kind: "store", name: "column store", copy, address } as const;
    }),
    ...contents.brokers.map((copy) => {
      const folder = embeddedFolder("broker", broker ?? movedAddress("broker", copy.from, moved));
      if (folder === null || folder === "") {
        throw wrongUsage(`--broker ${broker}: give embedded:DIR`);
      }
      return { kind: "broker", name: "embedded log", copy, folder } as const;
    }),
    ...contents.folders.map((copy) => {
      return { kind: "folder", name: "files", copy, folder: moved(copy.from) } as const;
    }),
  ];
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

function mover({ stack, folders }: Contents, named: NamedTargets): (path: string) => string {
  const moves = named.folder.map((text): readonly [string, string] => {
    const [from, to] = text.split("=").map((path) => resolve(path));
    if (from === undefined || to === undefined || !folders.some((one) => one.from === from)) {
      const known = folders.map((one) => one.from).join(", ");
      throw wrongUsage(`--folder ${text}: give OLD=NEW, where OLD is one of the backup's folders: ${known}`);
    }
    return [from, to];
  });
  if (named.stack !== null && stack === null) {
    throw wrongUsage("--stack: this backup has no stack");
  }
  if (named.stack !== null && stack !== null) {
    moves.push([stack, resolve(named.stack)]);
  }
  return (path) => {
    const move = moves.find(([from]) => path === from || path.startsWith(`${from}/`));
    return move === undefined ? path : move[1] + path.slice(move[0].length);
  };
}

function movedAddress(
  engine: keyof typeof embeddedSchemes,
  address: string,
  moved: (path: string) => string,
): string {
  const folder = embeddedFolder(engine, address);
  return folder === null ? address : embeddedSchemes[engine] + moved(folder);
}

/** Where it goes, for people. */
export function placeOf(target: Target): string {
  return "folder" in target ? target.folder : withoutPassword(target.address);
}

/** What there is at the target already, one line each; none = it is empty. Changes nothing. */
export async function presentAt(target: Target): Promise<string[]> {
  switch (target.kind) {
    case "database":
      return await inDatabase(target.address);
    case "store":
      return await inStore(target.address);
    case "broker":
      return loggedTopics(target.folder).map((topic) => join(target.folder, `${topic}.log`));
    case "folder":
      return target.copy.files
        .map(({ path }) => join(target.folder, path))
        .filter((path) => existsSync(path));
  }
}

async function inDatabase(address: string): Promise<string[]> {
  const folder = embeddedFolder("database", address);
  if (folder !== null) {
    const path = join(folder, "pgdata");
    return existsSync(path) ? [path] : [];
  }
  await using database = await openToWrite(address);
  return (await tablesOf(database.sql)).map((table) => `${database.address}: table ${table}`);
}

async function inStore(address: string): Promise<string[]> {
  const folder = embeddedFolder("store", address);
  if (folder !== null) {
    const path = join(folder, "clickhouse");
    return existsSync(path) && readdirSync(path).length > 0 ? [path] : [];
  }
  await using store = await openStore(reachable(address));
  const lines: string[] = [];
  for (const table of await rowTables(store)) {
    const rows = await countRows(store, table);
    lines.push(...(rows > 0 ? [`${store.address}: ${table}, ${counted(rows, "row")}`] : []));
  }
  return lines;
}
