/** What there is to back up: what the command line names, or what is found in the usual places of this machine. */

import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { embeddedFolder } from "../../../lib/base/api/embedded-folder.ts";
import { withoutPassword } from "../../../lib/base/failure/without-password.ts";
import { sourceIn } from "../../../lib/command/checkup/configuration.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import type { GatewayFrame } from "../../../lib/engines/service/gateway-config.ts";
import { readGatewayConfig as readPeering } from "../../peering/gateway/config.ts";
import { readGatewayConfig as readProbing } from "../../probing/gateway/config.ts";
import { gatewayDirectory, peeringDirectory } from "../../stack/gateway-folder.ts";
import { directoryDefault } from "../../stack/options.ts";
import { containerSecret, containerSources, isInContainers } from "./in-containers.ts";
import type { Contents } from "./manifest.ts";
import type { ConfiguredHere } from "./restore-targets.ts";
import type { FolderSource, Found, Sources } from "./source.ts";

/** From the command line; all null or empty = what is found. */
interface NamedSources {
  readonly stack: string | null;
  /** Configuration files. */
  readonly probingGateway: string | null;
  readonly peeringGateway: string | null;
  readonly store: readonly string[];
  readonly folder: readonly string[];
}

const configurationFolder = "/etc/vantage";
/** Where services keep their state that have no database; Headscale has its users and devices in SQLite. */
const stateFolders = [
  ...["policy-generator", "collector", "bootstrap"].map((name) => `/var/lib/vantage/${name}`),
  "/var/lib/headscale",
];

/** Throws CommandError when there is nothing, or something that is named does not exist. */
export function sourcesOf(named: NamedSources, verb: string): Sources {
  const { store, folder, ...single } = named;
  const isNamed = [...Object.values(single), ...store, ...folder].some((one) => one !== null);
  const found = isNamed ? named : foundHere();
  const contained = isNamed || !isInContainers() ? nothing : containerSources();
  const parts = [stackSources(found.stack), ...gatewaySources(found), contained];
  const folders = found.folder.map((path) => ({ path: existing(path), only: null, without: [] }));
  const services = parts.filter((part) => part !== contained);
  const all: Sources = {
    stack: found.stack === null ? null : resolve(found.stack),
    databases: parts.flatMap(({ databases }) => databases),
    stores: unique([...parts.flatMap(({ stores }) => stores), ...found.store]),
    brokers: unique(parts.flatMap(({ brokers }) => brokers)),
    // Volumes last: a restore makes them from the files of the configuration.
    folders: withoutRepeated([...services.flatMap((one) => one.folders), ...folders, ...contained.folders]),
    marked: parts.flatMap(({ marked }) => marked),
    notIncluded: [...parts.flatMap(({ notIncluded }) => notIncluded), ...always],
  };
  if (all.databases.length + all.stores.length + all.folders.length === 0) {
    throw cannot(
      `Nothing to ${verb}: found neither a stack in ${directoryDefault()} nor a configuration in ` +
        `${configurationFolder}; name what there is, with --stack, --probing-gateway, --peering-gateway, ` +
        "--store or --folder",
    );
  }
  return all;
}

/** What a backup does not hold: addresses with their passwords. */
export const configuredHere: ConfiguredHere = {
  database: (schema) => containerSecret(`${schema}_database`) ?? configuredDatabase(schema),
  store: () => containerSecret("clickhouse_address"),
};

function configuredDatabase(schema: "probing" | "peering"): string | null {
  const file = join(configurationFolder, `${schema}-gateway.yaml`);
  if (!existsSync(file)) {
    return null;
  }
  const read = schema === "probing" ? readProbing : readPeering;
  return read(sourceIn(file), process.env).database.address;
}

const always: Contents["notIncluded"] = [
  {
    what: "accepted probes that are not in the broker yet",
    why: "they expire, and go back to the users' quota",
  },
  {
    what: "the ingester's journals",
    why: "the log in the backup continues where the store in it ends",
  },
  { what: "sets of context in the column store", why: "load them again: vantage context load" },
  { what: "units of systemd", why: "vantage setup and vantage install-service make them again" },
  { what: "state folders of agents, unless named with --folder", why: "agents enrol again" },
];

const nothing: Found = { databases: [], stores: [], brokers: [], folders: [], marked: [], notIncluded: [] };

function foundHere(): NamedSources {
  const there = (path: string) => (existsSync(path) ? path : null);
  return {
    stack: there(join(directoryDefault(), "store")) === null ? null : directoryDefault(),
    probingGateway: there(join(configurationFolder, "probing-gateway.yaml")),
    peeringGateway: there(join(configurationFolder, "peering-gateway.yaml")),
    store: [],
    folder: [configurationFolder, ...stateFolders].filter((path) => existsSync(path)),
  };
}

function stackSources(given: string | null): Found {
  if (given === null) {
    return nothing;
  }
  const stack = existing(given);
  const gateways = [
    { schema: "probing", folder: gatewayDirectory(stack) },
    { schema: "peering", folder: peeringDirectory(stack) },
  ] as const;
  const running = gateways.filter(({ folder }) => existsSync(join(folder, "database")));
  const within = [
    "broker",
    "store",
    "ingest",
    ...gateways.flatMap(({ folder }) => ofGateway(relative(stack, folder))),
  ];
  return {
    databases: running.map(({ schema, folder }) => ({
      schema,
      address: `pglite:${join(folder, "database")}`,
    })),
    stores: [`chdb:${join(stack, "store")}`],
    // With Kafka a stack is the store alone.
    brokers: [join(stack, "broker")].filter((path) => existsSync(path)),
    folders: [{ path: stack, only: null, without: within }],
    marked: [stack, ...running.map(({ folder }) => folder)],
    notIncluded: [],
  };
}

/** Folders of a gateway's state that other parts hold, or that are not worth it. */
function ofGateway(folder: string): string[] {
  return ["database", "broker", "spool"].map((name) => join(folder, name));
}

function gatewaySources({ probingGateway, peeringGateway, store }: NamedSources): Found[] {
  const found: Found[] = [];
  if (probingGateway !== null) {
    const config = readProbing(sourceIn(existing(probingGateway)), process.env);
    const broker = config.broker.address;
    const log = embeddedFolder("broker", broker);
    const stores = store.length > 0 || config.storeAddress === null ? [] : [config.storeAddress];
    found.push({
      ...gatewaySource("probing", config, [probingGateway]),
      stores,
      brokers: log === null ? [] : [log],
      notIncluded: log === null ? [kafka(broker)] : [],
    });
  }
  if (peeringGateway !== null) {
    const config = readPeering(sourceIn(existing(peeringGateway)), process.env);
    const { subjectKeysFile: keys } = config;
    found.push(gatewaySource("peering", config, [peeringGateway, ...(keys === null ? [] : [keys])]));
  }
  return found;
}

function kafka(broker: string): Contents["notIncluded"][number] {
  return {
    what: withoutPassword(broker),
    why: "Kafka protects records in transit by replication, not by copies",
  };
}

function gatewaySource(
  schema: "probing" | "peering",
  { stateDir, database }: GatewayFrame,
  files: readonly string[],
): Found {
  const state = existsSync(stateDir) ? resolve(stateDir) : null;
  const single = files.map((file) => ({ path: dirname(resolve(file)), only: [basename(file)], without: [] }));
  return {
    ...nothing,
    databases: [{ schema, address: database.address }],
    folders: [...(state === null ? [] : [{ path: state, only: null, without: ofGateway("") }]), ...single],
    marked: state === null ? [] : [state],
  };
}

/** Files that lie in a folder which is copied as a whole. */
function withoutRepeated(folders: readonly FolderSource[]): FolderSource[] {
  const whole = folders.filter(({ only }) => only === null).map(({ path }) => path);
  return folders.filter(({ path, only }) => only === null || !whole.includes(path));
}

function existing(path: string): string {
  if (!existsSync(path)) {
    throw cannot(`Cannot back up ${path}: it does not exist`);
  }
  return resolve(path);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
