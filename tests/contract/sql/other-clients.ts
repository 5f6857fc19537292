/** Clients of other languages that tests drive: made once into node_modules/.cache, where the machine can do it. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isLongRun } from "../../run/tier.ts";

const sources = join(import.meta.dirname, "clients");
const cache = join(import.meta.dirname, "../../../node_modules/.cache");
const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";

/** A command, or why it cannot be had here. */
export type Program = { readonly command: readonly string[] } | { readonly missing: string };

/** ClickHouse's JDBC driver behind Jdbc.java. */
export function jdbcClient(): Promise<Program> {
  return made("jdbc", ["pom.xml", "Jdbc.java"], ["java", "javac", "mvn"], {
    make: async (folder) => {
      const jars = [`-Dmaven.repo.local=${folder}/maven`, `-DoutputDirectory=${folder}/jars`];
      await run(["mvn", "-q", "-B", "-f", join(sources, "pom.xml"), plugin, ...jars], folder);
      rmSync(join(folder, "maven"), { recursive: true });
      await run(["javac", "-cp", `${folder}/jars/*`, "-d", folder, join(sources, "Jdbc.java")], folder);
    },
    command: (folder) => ["java", "-cp", `${folder}:${folder}/jars/*`, "Jdbc"],
  });
}

/** Grafana's client library behind main.go. Its first build takes minutes, so the usual tier needs one made before. */
export function grafanaClient(): Promise<Program> {
  return made("clickhouse-go", ["go.mod", "go.sum", "main.go"], ["go"], {
    isSlow: true,
    make: (folder) => run(["go", "build", "-o", join(folder, "client"), "."], sources),
    command: (folder) => [join(folder, "client")],
  });
}

interface Making {
  readonly isSlow?: boolean;
  readonly make: (folder: string) => Promise<void>;
  readonly command: (folder: string) => readonly string[];
}

async function made(
  name: string,
  files: readonly string[],
  tools: readonly string[],
  { isSlow = false, make, command }: Making,
): Promise<Program> {
  const hash = createHash("sha256");
  for (const file of files) {
    hash.update(readFileSync(join(sources, file)));
  }
  const folder = join(cache, `${name}-${hash.digest("hex").slice(0, 12)}`);
  if (existsSync(folder)) {
    return { command: command(folder) };
  }
  const lacking = tools.find((tool) => Bun.which(tool) === null);
  if (lacking !== undefined || (isSlow && !isLongRun)) {
    return { missing: lacking === undefined ? "it is built in the long tier" : `there is no ${lacking}` };
  }
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(join(cache, `${name}-making-`));
  try {
    await make(making);
    renameSync(making, folder);
  } catch (error) {
    if (!existsSync(folder)) {
      return { missing: error instanceof Error ? error.message : String(error) };
    }
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return { command: command(folder) };
}

async function run(command: readonly string[], cwd: string): Promise<void> {
  const child = Bun.spawn([...command], { cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const texts = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()));
  if ((await child.exited) !== 0) {
    throw new Error(`${command[0]} failed: ${texts.join("").trim().slice(0, 500)}`);
  }
}
