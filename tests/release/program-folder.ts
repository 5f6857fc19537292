/** What a release holds for one kind of machine, in a folder: the build (tests/build.ts), and what is to be read. */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { libraryName } from "../../ffi/libchdb.ts";
import { buildExecutable } from "../build.ts";
import { archiveReadme } from "./archive-readme.ts";
import { type Machine, ownMachine } from "./machines.ts";
import { lockedVersion, packageFolder } from "./npm-package.ts";

const project = join(import.meta.dirname, "../..");
/** For people; the SBOM lies beside them. */
const documents = ["LICENSE", "CHANGELOG.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];
/** For operators: what the guides refer to. */
const deployment = ["deploy", "compose.yaml", "compose.client.yaml"];

interface ProgramFolder {
  readonly folder: string;
  readonly machine: Machine;
  /** Completions, man pages, docs and SDKs, which are the same everywhere. */
  readonly pages: string;
  readonly sbom: string;
}

/** Null when all is there; else what is missing, in a sentence. Throws an Error when nothing can be built. */
export async function makeProgramFolder({
  folder,
  machine,
  pages,
  sbom,
}: ProgramFolder): Promise<string | null> {
  mkdirSync(folder, { recursive: true });
  const executable = join(folder, "vantage");
  await buildExecutable(executable, machine.name === ownMachine()?.name ? null : await foreign(machine));
  chmodSync(executable, 0o755);
  for (const name of ["completions", "man"]) {
    cpSync(join(pages, name), join(folder, name), { recursive: true });
  }
  for (const name of documents) {
    copyFileSync(join(project, name), join(folder, name));
  }
  writeFileSync(
    join(folder, "README.md"),
    archiveReadme(readFileSync(join(project, "README.md"), "utf8"), basename(folder)),
  );
  // What commands refer to, and the README.
  copyTree(join(pages, "docs"), join(folder, "docs"));
  copyTree(join(pages, "sdk"), join(folder, "sdk"));
  for (const name of deployment) {
    copyTree(join(project, name), join(folder, name));
  }
  copyFileSync(sbom, join(folder, "vantage.cdx.json"));
  return await addLibrary(folder, machine);
}

/** Modes do not depend on the umask of whoever cloned; secrets that a platform in this tree has made stay there. */
function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => path !== join(project, "deploy/secrets") });
  const below = statSync(to).isDirectory() ? readdirSync(to, { recursive: true, encoding: "utf8" }) : [];
  for (const path of [to, ...below.map((name) => join(to, name))]) {
    const { mode } = statSync(path);
    chmodSync(path, (mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

async function foreign({ target, runtime }: Machine) {
  const found = await packageFolder(runtime, lockedVersion(runtime));
  if (found.kind === "missing") {
    throw new Error(`Cannot build for ${target}: ${runtime} is missing, as ${found.reason}`);
  }
  return { target, runtime: join(found.folder, "bin/bun") };
}

/** Only `vantage stack` needs it. */
async function addLibrary(folder: string, { name, library }: Machine): Promise<string | null> {
  const version = lockedVersion(library);
  const found = await packageFolder(library, version);
  const file = found.kind === "there" ? join(found.folder, libraryName) : null;
  if (file === null || !existsSync(file)) {
    const why = found.kind === "missing" ? found.reason : `it holds no ${libraryName}`;
    return `${libraryName} is not in the release for ${name}: npm package ${library}@${version}: ${why}. There, \
vantage stack starts once the file lies beside the executable; all else works`;
  }
  const target = join(folder, libraryName);
  copyFileSync(file, target);
  chmodSync(target, 0o644);
  return null;
}
