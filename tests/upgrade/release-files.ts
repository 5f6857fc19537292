/**
 * What is kept of a release in tests/upgrade/releases/VERSION, so that later ones can be tried on it:
 *
 *     probing.sql, peering.sql    the gateways' databases, by pg_dump
 *     platform.tar.xz             folder of `vantage stack`: embedded databases, log and column store
 *     contents.json               what was put in, and must come out; its keys open nothing else
 */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PeeringContents } from "./peering-contents.ts";
import type { PlatformFacts } from "./platform-contents.ts";
import type { ProbingContents } from "./probing-contents.ts";

export const releasesFolder = join(import.meta.dirname, "releases");

export const schemas = ["probing", "peering"] as const;
export const engines = ["postgres", "pglite"] as const;
type Engine = (typeof engines)[number];

export interface Contents {
  readonly probing: Readonly<Record<Engine, ProbingContents>>;
  readonly peering: Readonly<Record<Engine, PeeringContents>>;
  readonly platform: PlatformFacts;
}

export function releases(): string[] {
  return readdirSync(releasesFolder).sort();
}

export function contentsOf(version: string): Contents {
  return JSON.parse(readFileSync(join(releasesFolder, version, "contents.json"), "utf8")) as Contents;
}

/** Dumps a database that nobody changes meanwhile, as SQL. */
export function dumped(address: string, ...more: readonly string[]): string {
  const text = run(["pg_dump", "--no-owner", "--no-privileges", ...more, address]);
  // Newer ones guard their text by words that older ones of psql do not know.
  return text.replaceAll(/^\\(un)?restrict .*\n/gm, "");
}

/** Into a database that is empty. */
export function loadDump(file: string, address: string): void {
  run(["psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", `--file=${file}`, address]);
}

/** Changes what a release has written. */
export function execute(address: string, statement: string): void {
  run(["psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", `--command=${statement}`, address]);
}

export function pack(folder: string, archive: string): void {
  // Made again where they are missing: no keys, and nothing of what only a running process needs.
  const without = ["issuer", "run", "*.key", "*.sqlite*", "endpoint.json"].map((name) => `--exclude=${name}`);
  run(["tar", "-C", folder, ...without, "--use-compress-program=xz -9e", "-cf", archive, "."]);
}

export function unpack(archive: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  run(["tar", "-C", folder, "-xJf", archive]);
}

function run(command: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { stdin: "ignore" });
  if (exitCode !== 0) {
    throw new Error(`${command.join(" ")}: ${stderr.toString().trim()}`);
  }
  return stdout.toString();
}
