/** The command line of `vantage stack`, checked whole before anything is started. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import {
  type OptionValues,
  type ParsedCommandLine,
  parseCommandLine,
  UsageError,
} from "../../lib/config/command-line.ts";
import { ttlDaysDefault, ttlDaysMax } from "../../lib/store/clickhouse/limits.ts";
import type { GatewayPlace, Listen } from "./listen.ts";

export type StackCommand =
  | {
      readonly kind: "run";
      readonly directory: string;
      readonly ttlDays: number;
      readonly listen: Listen;
      /** Null = without one. */
      readonly gateway: GatewayPlace | null;
    }
  | { readonly kind: "store"; readonly directory: string; readonly hasParent: boolean }
  | {
      readonly kind: "ingest";
      readonly broker: string;
      readonly store: string;
      readonly directory: string;
      readonly hasParent: boolean;
      /** Null = nowhere. */
      readonly listen: Listen | null;
    }
  | ({
      readonly kind: "gateway";
      readonly broker: string;
      readonly store: string;
      readonly directory: string;
      readonly hasParent: boolean;
    } & GatewayPlace)
  | {
      readonly kind: "migrate";
      readonly store: string;
      readonly ttlDays: number;
      readonly kafkaBrokers: string;
    };

const listenDefault = "127.0.0.1:8090";
const gatewayDefault = "127.0.0.1:8091";
const issuerPortDefault = "8092";
/** What each command takes, besides `--help`. */
const optionsOf = {
  run: ["dir", "ttl-days", "listen", "gateway", "gateway-listen", "issuer-port"],
  store: ["dir", "child"],
  ingest: ["broker", "store", "dir", "listen", "child"],
  gateway: ["broker", "store", "dir", "gateway-listen", "issuer-port", "child"],
  migrate: ["store", "ttl-days", "kafka-brokers"],
} as const;

export const stackOptions = {
  dir: { type: "string", values: "folder" },
  "ttl-days": { type: "string" },
  listen: { type: "string" },
  gateway: { type: "boolean" },
  "gateway-listen": { type: "string" },
  "issuer-port": { type: "string" },
  broker: { type: "string" },
  store: { type: "string" },
  "kafka-brokers": { type: "string" },
  child: { type: "boolean", hidden: true },
} as const;

/** Reads the arguments behind `vantage stack`. A wrong one gives a message that names it and what to do. */
export function parseOptions(args: readonly string[]): ParsedCommandLine<StackCommand> {
  return parseCommandLine(args, { options: stackOptions, check: commandOf });
}

type Values = OptionValues<typeof stackOptions>;

function commandOf(values: Values, [name = "run", ...more]: readonly string[]): StackCommand {
  const kind = (["run", "store", "ingest", "gateway", "migrate"] as const).find((known) => known === name);
  if (kind === undefined || more.length > 0) {
    throw new UsageError(
      `"${more[0] ?? name}" is no command of the stack: give store, ingest, gateway, migrate or none`,
    );
  }
  const known: readonly string[] = optionsOf[kind];
  const stranger = Object.keys(values).find((option) => !known.includes(option));
  if (stranger !== undefined) {
    throw new UsageError(`--${stranger} says nothing to ${kind === "run" ? "the stack itself" : kind}`);
  }
  const hasParent = values.child === true;
  switch (kind) {
    case "run": {
      const directory = resolve(values.dir ?? directoryDefault());
      return {
        kind,
        directory,
        ttlDays: ttlDaysOf(values),
        listen: listenOf("listen", values.listen ?? listenDefault, listenDefault),
        gateway: values.gateway === false ? withoutGateway(values) : gatewayOf(values),
      };
    }
    case "store":
      return { kind, directory: resolve(needed("dir", values.dir)), hasParent };
    case "ingest": {
      const directory = resolve(needed("dir", values.dir));
      const [broker, store] = [needed("broker", values.broker), storeOf(values)];
      const listen = values.listen === undefined ? null : listenOf("listen", values.listen, listenDefault);
      return { kind, broker, store, directory, hasParent, listen };
    }
    case "gateway": {
      const directory = resolve(needed("dir", values.dir));
      const [broker, store] = [needed("broker", values.broker), needed("store", values.store)];
      return { kind, broker, store, directory, hasParent, ...gatewayOf(values) };
    }
    case "migrate": {
      const store = storeOf(values);
      return {
        kind,
        store,
        ttlDays: ttlDaysOf(values),
        kafkaBrokers: kafkaOf(store, values["kafka-brokers"]),
      };
    }
  }
}

/** Where data of a service, or of a person, belongs. */
function directoryDefault(): string {
  if (process.getuid?.() === 0) {
    return "/var/lib/vantage";
  }
  return join(process.env.XDG_DATA_HOME ?? join(homedir(), ".local/share"), "vantage");
}

function needed(option: string, value: string | undefined): string {
  if (value === undefined || value === "") {
    throw new UsageError(`Give --${option}`);
  }
  return value;
}

/** `@FILE` holds the address, with its password: command lines are seen by everybody on a machine. */
function storeOf(values: Values): string {
  const given = needed("store", values.store);
  if (!given.startsWith("@")) {
    return given;
  }
  try {
    return readFileSync(given.slice(1), "utf8").trim();
  } catch (error) {
    throw new UsageError(`--store "${given}": ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Only a server can read the topic by itself. */
function kafkaOf(store: string, brokers = ""): string {
  if (store.startsWith("chdb:") && brokers !== "") {
    throw new UsageError("--kafka-brokers says nothing to an embedded store: the ingester feeds it");
  }
  return brokers;
}

function ttlDaysOf(values: Values): number {
  const text = values["ttl-days"] ?? String(ttlDaysDefault);
  const days = Number(text);
  if (!/^\d{1,6}$/.test(text) || days < 1 || days > ttlDaysMax) {
    throw new UsageError(`--ttl-days "${text}": give a number from 1 to ${ttlDaysMax}`);
  }
  return days;
}

function gatewayOf(values: Values): GatewayPlace {
  const portText = values["issuer-port"] ?? issuerPortDefault;
  const issuerPort = Number(portText);
  if (!/^\d{1,5}$/.test(portText) || issuerPort > 65535) {
    throw new UsageError(`--issuer-port "${portText}": give a port, as ${issuerPortDefault}`);
  }
  const text = values["gateway-listen"] ?? gatewayDefault;
  return { gateway: listenOf("gateway-listen", text, gatewayDefault), issuerPort };
}

function withoutGateway(values: Values): null {
  const given = (["gateway-listen", "issuer-port"] as const).find((option) => values[option] !== undefined);
  if (given !== undefined) {
    throw new UsageError(`--${given} says nothing with --no-gateway`);
  }
  return null;
}

/** `127.0.0.1:8090` or `[::1]:8090`; port 0 lets the system choose. */
function listenOf(option: string, text: string, example: string): Listen {
  const [, hostname, portText] = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s]+):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(portText);
  if (hostname === undefined || port > 65535) {
    throw new UsageError(`--${option} "${text}": give ADDRESS:PORT, as ${example}`);
  }
  return { hostname: hostname.replace(/^\[|\]$/g, ""), port };
}
