/**
 * The files of the real Apache Kafka, fetched once by Maven into node_modules/.cache: its jars, an empty data folder
 * that is formatted already, and an archive of its loaded classes, with which it starts in a second instead of three.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "../run/said.ts";
import { javaCommand, KafkaProcess } from "./kafka-process.ts";
import { freePorts, writeProperties } from "./kafka-properties.ts";

interface KafkaFiles {
  /** The jars and the archive, as arguments of `java`. */
  readonly javaArguments: readonly string[];
  /** To be copied for each new broker. */
  readonly formattedFolder: string;
}

/** The user that may log in at the listeners with SASL, by either mechanism. */
export const scramUser = { user: "vantage", password: "vantage-secret" } as const;

const pom = join(import.meta.dirname, "pom.xml");
const cacheFolder = join(import.meta.dirname, "../../node_modules/.cache");
const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";
const clusterId = "AAAAAAAAAAAAAAAAAAAAAQ";

/** Rejects with one line that says what to do where Java or Maven is missing. */
export async function kafkaFiles(): Promise<KafkaFiles> {
  // The folder's name holds what made it, so an old one is not taken for a new one.
  const made = readFileSync(pom, "utf8") + readFileSync(import.meta.filename, "utf8");
  const folder = join(cacheFolder, `kafka-${createHash("sha256").update(made).digest("hex").slice(0, 12)}`);
  requireCommand("java");
  if (!existsSync(folder)) {
    requireCommand("mvn");
    await makeFiles(folder);
  }
  return { javaArguments: javaArguments(folder), formattedFolder: join(folder, "formatted") };
}

function requireCommand(name: string): void {
  if (Bun.which(name) === null) {
    throw new Error(`Cannot run Kafka: there is no "${name}" here; install it by: sh tests/setup.sh test`);
  }
}

/** In a folder beside, which gets its name when it is complete: two who do this at once do not meet. */
async function makeFiles(folder: string): Promise<void> {
  mkdirSync(cacheFolder, { recursive: true });
  const making = mkdtempSync(join(cacheFolder, "kafka-making-"));
  try {
    const repository = join(making, "maven");
    const settings = [`-Dmaven.repo.local=${repository}`, `-DoutputDirectory=${join(making, "jars")}`];
    await run(["mvn", "-q", "-B", "-f", pom, plugin, ...settings]);
    rmSync(repository, { recursive: true });
    await format(making);
    renameSync(making, folder);
    await archiveClasses(folder);
  } catch (error) {
    if (!existsSync(folder)) {
      throw error;
    }
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

async function format(folder: string): Promise<void> {
  const properties = join(folder, "format.properties");
  writeProperties(properties, join(folder, "formatted"), freePorts());
  const users = ["SCRAM-SHA-512", "SCRAM-SHA-256"].flatMap((mechanism) => {
    return ["--add-scram", `${mechanism}=[name=${scramUser.user},password=${scramUser.password}]`];
  });
  const tool = ["kafka.tools.StorageTool", "format", "-t", clusterId, "-c", properties, ...users];
  await run([...javaCommand, ...javaArguments(folder), ...tool]);
}

/** A broker that starts and stops writes it at its end; without it Kafka still works. */
async function archiveClasses(folder: string): Promise<void> {
  const formattedFolder = join(folder, "formatted");
  const making = join(folder, `classes-${process.pid}.jsa`);
  const archiving = [...javaArguments(folder), `-XX:ArchiveClassesAtExit=${making}`];
  const kafka = await KafkaProcess.start({ javaArguments: archiving, formattedFolder });
  await kafka.stop();
  await kafka[Symbol.asyncDispose]();
  renameSync(making, join(folder, "classes.jsa"));
}

function javaArguments(folder: string): string[] {
  const jars = join(folder, "jars");
  const archive = join(folder, "classes.jsa");
  const classPath = readdirSync(jars)
    .sort()
    .map((name) => join(jars, name))
    .join(":");
  return ["-cp", classPath, ...(existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`] : [])];
}

async function run(command: readonly string[]): Promise<void> {
  const { stdout: said, stderr: complaint, exitCode } = await runToEnd(command);
  if (exitCode !== 0) {
    throw new Error(`Cannot prepare Kafka: ${command[0]} failed: ${(said + complaint).trim().slice(-2000)}`);
  }
}
