/**
 * A platform that `vantage setup` has put into containers: what it keeps, and where. Databases have the addresses of
 * its secrets, whose names only containers know: from the machine itself they are reached in Docker's networks.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { parsedJson } from "../../../lib/base/api/parsed-json.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { keptAnswers } from "../setup/answers-files.ts";
import { composeCommand } from "../setup/compose-files.ts";
import { compose, docker } from "../setup/containers.ts";
import { secretsFolder } from "../setup/secrets.ts";
import type { Found } from "./source.ts";

/** Services whose names are in addresses. */
const servers: ReadonlySet<string> = new Set(["postgres", "clickhouse"]);
/** Volumes that are copied, each without what is worthless to another process. */
const copied: Readonly<Record<string, readonly string[]>> = {
  "headscale-data": [],
  "probing-state": ["spool"],
  "peering-state": [],
  "grafana-data": [],
};
/** Services that report the time of their last backup, by their volumes. */
const marked = ["probing-state", "peering-state", "ingester-state"];

export function isInContainers(): boolean {
  return keptAnswers("/", "platform")?.platform?.services === "containers";
}

/** With its password; null where this platform has none. */
export function containerSecret(name: "probing_database" | "peering_database" | "clickhouse_address") {
  const path = join(secretsFolder, name);
  return isInContainers() && existsSync(path) ? readFileSync(path, "utf8").trim() : null;
}

/** Throws CommandError when Docker does not run, or has not started the platform yet. */
export function containerSources(): Found {
  const volume = volumePaths();
  const at = (name: string) => [volume.get(name) ?? []].flat();
  const store = containerSecret("clickhouse_address");
  return {
    databases: (["probing", "peering"] as const).flatMap((schema) => {
      const address = containerSecret(`${schema}_database`);
      return address === null ? [] : [{ schema, address }];
    }),
    stores: store === null ? [] : [store],
    brokers: [],
    folders: Object.entries(copied).flatMap(([name, without]) =>
      at(name).map((path) => ({ path, only: null, without })),
    ),
    marked: marked.flatMap(at),
    notIncluded: [
      {
        what: "the broker's records",
        why: "Kafka protects records in transit by replication, not by copies",
      },
      { what: "accounts of Keycloak", why: "copy its database by pg_dump: docs/operate/backup.md" },
      { what: "metrics, silences, certificates", why: "they are made or collected again" },
    ],
  };
}

/**
 * The address as this machine reaches it. Throws CommandError when the container does not run.
 *
 * @param address a URL
 */
export function reachable(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !servers.has(url.hostname) || !isInContainers()) {
    return address;
  }
  url.hostname = addressOf(url.hostname);
  return url.href.replace(/\/$/, "");
}

function addressOf(service: string): string {
  const { output: id } = compose(["ps", "--quiet", service]);
  const form = "{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}";
  const found = id.trim() === "" ? null : docker(["inspect", "--format", form, id.trim()]);
  const [address] = found?.output.trim().split(" ") ?? [];
  if (address === undefined || address === "") {
    throw cannot(`The container of ${service} does not run: ${startCommand(service)}`);
  }
  return address;
}

/** `services`: names, with spaces. */
export function startCommand(services: string): string {
  return `${composeCommand} up --detach --wait ${services}`;
}

/** Makes the volumes of a platform whose files have just been restored: Docker gives each to its user. */
export function makeVolumes(folder: string): void {
  if (existsSync(folder) || !/\/volumes\/[^/]+\/_data(\/|$)/.test(folder) || !isInContainers()) {
    return;
  }
  const { failure } = compose(["create", "--no-build"]);
  if (failure !== null) {
    throw new Error(`Docker makes no containers: ${failure}`);
  }
  if (!existsSync(folder)) {
    throw new Error(`this Docker has its volumes elsewhere: give --folder ${folder}=NEW`);
  }
}

const config = v.object({ volumes: v.record(v.string(), v.object({ name: v.string() })) });

/** Folders of the volumes that exist, by their names in compose.yaml. */
function volumePaths(): ReadonlyMap<string, string> {
  const asked = compose(["config", "--format", "json"]);
  const read = v.safeParse(config, asked.failure === null ? parsedJson(asked.output) : null);
  if (!read.success) {
    throw cannot(`Cannot ask Docker for this platform's volumes: ${asked.failure ?? "it names none"}`);
  }
  const wanted = Object.entries(read.output.volumes).filter(([key]) => key in copied || marked.includes(key));
  const paths = wanted.map(([key, { name }]): [string, string] => {
    const { output, failure } = docker(["volume", "inspect", "--format", "{{.Mountpoint}}", name]);
    if (failure !== null) {
      throw cannot(`Cannot back up the volume ${name}: ${failure}; was the platform started?`);
    }
    return [key, output.trim()];
  });
  return new Map(paths);
}
