/**
 * Builds a folder that works wherever it is copied: `bun tests/build.ts [FOLDER [amd64|arm64]]`, dist unless FOLDER
 * says otherwise, for this kind of machine unless another is named: then without libchdb.so.
 *
 *     vantage           the one executable
 *     libchdb.so        ClickHouse as a library, which `vantage stack` and `vantage stack store` load from beside it
 *     completions/      vantage.bash, _vantage, vantage.fish
 *     man/man1/         vantage.1, and a page for each command: vantage-trace.1
 *
 * Each worker (`apps/…/NAME-worker.ts`) is an entry point of its own, found in the executable by its bare name, as
 * `new URL("./NAME-worker.ts", import.meta.url)` resolves beside the one bundled file there (Bun 1.4.5). So names of
 * workers are unique. The WebAssembly module is embedded because it is imported as a file.
 *
 * Code is split, so that a command reads only its own, and compiled beforehand: `bench start` says what that is worth.
 */
import { copyFileSync, linkSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "../apps/commands.ts";
import { bundledScript } from "../apps/console/frame/files.ts";
import { fromPackage, libraryName } from "../ffi/libchdb.ts";
import { describe } from "../lib/command/command/describe.ts";
import packageJson from "../package.json" with { type: "json" };
import { manPage } from "./reference/man-page.ts";

const project = join(import.meta.dirname, "..");
const command = "apps/vantage.ts";

/** Another kind of machine. */
interface ForeignMachine {
  readonly target:
    | "bun-linux-x64"
    | "bun-linux-arm64"
    | "bun-darwin-arm64"
    | "bun-darwin-x64"
    | "bun-windows-x64";
  /** Bun's program there, which becomes part of the executable; null = Bun fetches it from the registry. */
  readonly runtime: string | null;
}

/** Kinds of machines as container engines call them. */
const targets: Readonly<Record<string, ForeignMachine["target"]>> = {
  amd64: "bun-linux-x64",
  arm64: "bun-linux-arm64",
};

/** Throws an Error that says why when there is nothing to build, or it cannot be built. */
export async function buildExecutable(outfile: string, machine: ForeignMachine | null = null): Promise<void> {
  const workers = [...new Bun.Glob("apps/**/*-worker.ts").scanSync(project)].sort();
  const names = workers.map((path) => basename(path));
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    throw new Error(`Cannot build: two workers are named ${twice}; give one another name`);
  }
  mkdirSync(dirname(outfile), { recursive: true });
  await Bun.build({
    entrypoints: [command, ...workers].map((path) => join(project, path)),
    root: project,
    splitting: true,
    bytecode: true,
    format: "esm",
    naming: { entry: "[name].[ext]" },
    target: "bun",
    define: {
      "process.env.VANTAGE_COMMIT": JSON.stringify(commit()),
      "process.env.VANTAGE_CONSOLE_SCRIPT": JSON.stringify(await bundledScript()),
    },
    // Files in the working directory must not affect it.
    compile: {
      ...{ outfile, autoloadDotenv: false, autoloadBunfig: false },
      ...(machine === null ? {} : { target: machine.target }),
      ...(typeof machine?.runtime === "string" ? { executablePath: machine.runtime } : {}),
    },
  });
}

/**
 * The commit that is built, `+` behind it when files differ from it. Outside of a repository, as where an image is
 * made, what `VANTAGE_COMMIT` says, or `dev`.
 */
function commit(): string {
  const git = (...args: string[]) => {
    const { exitCode, stdout } = Bun.spawnSync(["git", ...args], { cwd: project, stderr: "ignore" });
    return exitCode === 0 ? stdout.toString().trim() : null;
  };
  const hash = Bun.which("git") === null ? null : git("rev-parse", "--short=12", "HEAD");
  if (hash === null) {
    return process.env.VANTAGE_COMMIT || "dev";
  }
  return `${hash}${git("status", "--porcelain") === "" ? "" : "+"}`;
}

/** Names of the completions as their shells look for them. */
const completionFiles = { bash: "vantage.bash", zsh: "_vantage", fish: "vantage.fish" } as const;

/** Returns the files that it made; libchdb.so is not among them where its optional npm package is not installed. */
export async function buildFolder(folder: string, machine: ForeignMachine | null = null): Promise<string[]> {
  const executable = join(folder, "vantage");
  await buildExecutable(executable, machine);
  return [executable, ...(machine === null ? addLibrary(folder) : []), ...(await buildPages(folder))];
}

/** Null for this kind of machine. Throws an Error for an unknown one. */
function foreignMachine(architecture: string): ForeignMachine | null {
  const target = targets[architecture];
  if (target === undefined) {
    throw new Error(`Cannot build for "${architecture}": ${Object.keys(targets).join(" or ")}`);
  }
  return target === `bun-linux-${process.arch}` ? null : { target, runtime: null };
}

/** Completions and man pages, which are made from the same tables as the commands. Returns the files. */
export async function buildPages(folder: string): Promise<string[]> {
  const completions = join(folder, "completions");
  mkdirSync(completions, { recursive: true });
  for (const [shell, file] of Object.entries(completionFiles)) {
    const program = [process.execPath, join(project, command)];
    const { exitCode, stdout } = Bun.spawnSync([...program, "completions", shell]);
    if (exitCode !== 0) {
      throw new Error(`Cannot make the completions for ${shell}`);
    }
    writeFileSync(join(completions, file), stdout);
  }
  const scripts = Object.values(completionFiles).map((file) => join(completions, file));
  return [...scripts, ...(await writeManPages(join(folder, "man/man1")))];
}

/** Pages of commands that are no more go. Returns the files that it made. */
export async function writeManPages(folder: string): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const commands = await describe(root, "");
  return commands.map((command) => {
    const { file, text } = manPage(command, packageJson.version);
    writeFileSync(join(folder, file), text);
    return join(folder, file);
  });
}

/** Half a gigabyte is there once where the file system allows it. */
function addLibrary(folder: string): string[] {
  const [from, to] = [fromPackage(), join(folder, libraryName)];
  if (from === null) {
    return [];
  }
  rmSync(to, { force: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
  return [to];
}

if (import.meta.main) {
  const [, , folder = join(project, "dist"), architecture] = Bun.argv;
  const machine = architecture === undefined ? null : foreignMachine(architecture);
  for (const file of await buildFolder(folder, machine)) {
    const { size } = statSync(file);
    console.log(`${file}  ${size < 1e6 ? `${Math.ceil(size / 1e3)} kB` : `${Math.round(size / 1e6)} MB`}`);
  }
}
