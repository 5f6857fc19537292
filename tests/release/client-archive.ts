/** A release's archive for users of macOS or Windows: the executable, and what is to be read. */
import { chmodSync, copyFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildExecutable } from "../build.ts";
import type { ClientMachine } from "./machines.ts";
import { lockedVersion, packageFolder } from "./npm-package.ts";

const project = join(import.meta.dirname, "../..");

/** What nobody has started on such a machine is listed so. */
export const notRunHere = "built, not run here";

interface ClientFolder {
  readonly folder: string;
  readonly machine: ClientMachine;
  /** Completions and man pages. */
  readonly pages: string;
  readonly sbom: string;
}

/** Null when it is made; else why not, in a sentence. Throws an Error when the build fails. */
export async function makeClientFolder({
  folder,
  machine,
  pages,
  sbom,
}: ClientFolder): Promise<string | null> {
  const { name, target, runtime, runtimePath, program } = machine;
  const version = lockedVersion(runtime);
  const found = await packageFolder(runtime, version);
  if (found.kind === "missing") {
    return `the client for ${name}: npm package ${runtime}@${version}: ${found.reason}`;
  }
  mkdirSync(folder, { recursive: true });
  const executable = join(folder, program);
  await buildExecutable(executable, { target, runtime: join(found.folder, runtimePath) });
  chmodSync(executable, 0o755);
  for (const part of name.startsWith("macos") ? ["completions", "man"] : []) {
    cpSync(join(pages, part), join(folder, part), { recursive: true });
  }
  copyFileSync(join(project, "LICENSE"), join(folder, "LICENSE"));
  copyFileSync(sbom, join(folder, "vantage.cdx.json"));
  writeFileSync(join(folder, "README.md"), readme(machine));
  return null;
}

const unquarantine = "A browser marks what it downloads: `xattr -d com.apple.quarantine vantage`";

/** On Apple silicon the build's ad-hoc signature is valid; on Intel there is Bun's own, of another program. */
const starts: Readonly<Record<ClientMachine["name"], string>> = {
  "macos-arm64": `${unquarantine}, then \`./vantage help\`.`,
  "macos-x64": `${unquarantine}.\nSign it: \`codesign --force --sign - vantage\`, then \`./vantage help\`.`,
  "windows-x64": "`.\\vantage.exe help` lists its commands.",
};

function readme({ name, label, program }: ClientMachine): string {
  const start = starts[name];
  const state = `${notRunHere[0]?.toUpperCase()}${notRunHere.slice(1)}`;
  return `# Vantage: the client for ${label}

**${state}**: \`${program}\` was made on Linux, and its makers have not started it on ${label}.

${start}
Log in with \`vantage login --gateway URL\`. All commands that a user needs work with a gateway: \`trace\` and
\`ping\` with \`--from\`, \`send\`, \`replies\`, \`campaign\`, \`discover\`, \`experiment\`, \`token\`, \`share\`,
\`peering\`. Sending packets from this machine, agents, gateways and column stores need Linux.
`;
}
