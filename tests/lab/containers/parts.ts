/**
 * What the lab is made of, fetched once from the registries of packages into a folder that stays: Debian with an
 * engine, Debian as base images have it, and the programs of those images that are stood in for.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../../run/said.ts";
import { LabError } from "../namespaces.ts";
import { type Binaries, binaries } from "../vpn/binaries.ts";
import { canEmulate } from "./foreign-bases.ts";

/** Docker and Compose of Debian 13; and Podman, for the user who has that. */
const enginePackages = [
  ...["ca-certificates", "iproute2", "iptables", "nftables", "procps", "curl", "openssl", "git", "python3"],
  ...["docker.io", "docker-cli", "docker-compose", "docker-buildx", "runc"],
  ...["podman", "podman-compose", "netavark", "aardvark-dns", "buildah", "skopeo"],
];
const keycloak = "org.keycloak:keycloak-quarkus-dist:26.4.7:zip";
/** By which Kafka writes what it logs: its distribution has it beside the jars. */
const kafkaLog = "org.apache.logging.log4j:log4j-slf4j-impl:2.25.3";
const copyPlugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1";
const kafkaPom = join(import.meta.dirname, "../../kafka/pom.xml");

export interface Parts {
  readonly engine: string;
  readonly bookworm: string;
  /** Null where this machine cannot run it. */
  readonly bookwormArm64: string | null;
  readonly trixie: string;
  /** The zip's folder, and that of the jars. */
  readonly keycloak: string;
  readonly kafka: string;
  readonly programs: Binaries;
}

export const partsFolderDefault = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
  "vantage/containers",
);

/** Rejects with LabError where something cannot be fetched. */
export async function fetchParts(folder: string, print: (line: string) => void): Promise<Parts> {
  mkdirSync(folder, { recursive: true });
  const debian = (
    name: string,
    suite: string,
    packages: readonly string[],
    options: readonly string[] = [],
  ) => debianRoot({ folder, name, suite, packages, options }, print);
  const maven = mavenIn(folder);
  return {
    engine: await debian("engine", "trixie", enginePackages),
    bookworm: await debian("bookworm", "bookworm", ["ca-certificates"]),
    bookwormArm64: canEmulate()
      ? await debian("bookworm-arm64", "bookworm", ["ca-certificates"], ["--arch=arm64"])
      : null,
    trixie: await debian("trixie", "trixie", ["ca-certificates"]),
    keycloak: await fetchKeycloak(folder, print),
    kafka: await once(folder, "kafka", print, (fresh) => [
      [...maven, "-f", kafkaPom, `${copyPlugin}:copy-dependencies`, `-DoutputDirectory=${fresh}`],
      [...maven, `${copyPlugin}:copy`, `-Dartifact=${kafkaLog}`, `-DoutputDirectory=${fresh}`],
    ]),
    programs: await binaries(print),
  };
}

/** The folder of its distribution, fetched where it is missing. Rejects with LabError. */
export async function keycloakFolder(): Promise<string> {
  const print = (line: string) => void process.stderr.write(`${line}\n`);
  return join(await fetchKeycloak(partsFolderDefault, print), keycloakName.replace("quarkus-dist-", ""));
}

const keycloakName = keycloak.split(":").slice(1, 3).join("-");

async function fetchKeycloak(folder: string, print: (line: string) => void): Promise<string> {
  mkdirSync(folder, { recursive: true });
  return await once(folder, "keycloak", print, (fresh) => [
    [...mavenIn(folder), `${copyPlugin}:copy`, `-Dartifact=${keycloak}`, `-DoutputDirectory=${fresh}`],
    ["python3", "-m", "zipfile", "-e", join(fresh, `${keycloakName}.zip`), fresh],
  ]);
}

function mavenIn(folder: string): string[] {
  return ["mvn", "-q", "-B", `-Dmaven.repo.local=${join(folder, "maven")}`];
}

interface DebianOrder {
  /** Where it is kept, below its name. */
  readonly folder: string;
  readonly name: string;
  readonly suite: string;
  readonly packages: readonly string[];
  readonly options?: readonly string[];
}

/** A Debian with these packages, made by debootstrap where it does not exist. Resolves to its path. */
export async function debianRoot(
  { folder, name, suite, packages, options = [] }: DebianOrder,
  print: (line: string) => void,
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const mirror = await debianMirror();
  const debootstrap = ["debootstrap", ...options, "--variant=minbase", `--include=${packages.join(",")}`];
  return await once(folder, name, print, (fresh) => [[...debootstrap, suite, fresh, mirror]]);
}

/** The folder has its name once it is complete. */
async function once(
  folder: string,
  name: string,
  print: (line: string) => void,
  commands: (fresh: string) => readonly (readonly string[])[],
): Promise<string> {
  const path = join(folder, name);
  if (!existsSync(path)) {
    print(`Fetching ${name}, this once`);
    const fresh = `${path}.new`;
    rmSync(fresh, { recursive: true, force: true });
    for (const command of commands(fresh)) {
      await must(command);
    }
    renameSync(fresh, path);
  }
  return path;
}

/** The one that this machine's own packages come from. */
async function debianMirror(): Promise<string> {
  const policy = await must(["apt-cache", "policy", "bird2"]);
  return /https?:\S+/.exec(policy)?.[0] ?? "http://deb.debian.org/debian";
}

/** What it said; rejects with LabError when it fails. */
export async function must(command: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runToEnd(["nice", ...command]);
  if (exitCode !== 0) {
    throw new LabError(`Cannot run "${command.join(" ")}": ${(stderr + stdout).trim().slice(-2000)}`);
  }
  return stdout;
}
