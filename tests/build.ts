/**
 * Builds the one executable: `bun tests/build.ts [FILE]`, dist/vantage unless FILE says otherwise.
 *
 * Each worker (`apps/…/NAME-worker.ts`) is an entry point of its own, found in the executable by its bare name, as
 * `new URL("./NAME-worker.ts", import.meta.url)` resolves beside the one bundled file there (Bun 1.4.5). So names of
 * workers are unique. The WebAssembly module is embedded because it is imported as a file.
 *
 * Code is split, so that a command reads only its own, and compiled beforehand: `bench start` says what that is worth.
 */
import { mkdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const command = "apps/vantage.ts";

/** Throws an Error that says why when there is nothing to build, or it cannot be built. */
export async function buildExecutable(outfile: string): Promise<void> {
  const workers = [...new Bun.Glob("apps/**/*-worker.ts").scanSync(root)].sort();
  const names = workers.map((path) => basename(path));
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    throw new Error(`Cannot build: two workers are named ${twice}; give one another name`);
  }
  mkdirSync(dirname(outfile), { recursive: true });
  await Bun.build({
    entrypoints: [command, ...workers].map((path) => join(root, path)),
    root,
    splitting: true,
    bytecode: true,
    format: "esm",
    naming: { entry: "[name].[ext]" },
    target: "bun",
    define: { "process.env.VANTAGE_COMMIT": JSON.stringify(commit()) },
    // What lies in the folder that somebody runs it from is none of its business.
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
  });
}

/**
 * The commit that is built, `+` behind it when files differ from it. Outside of a repository, as where an image is
 * made, what `VANTAGE_COMMIT` says, or `dev`.
 */
function commit(): string {
  const git = (...args: string[]) => {
    const { exitCode, stdout } = Bun.spawnSync(["git", ...args], { cwd: root, stderr: "ignore" });
    return exitCode === 0 ? stdout.toString().trim() : null;
  };
  const hash = Bun.which("git") === null ? null : git("rev-parse", "--short=12", "HEAD");
  if (hash === null) {
    return process.env.VANTAGE_COMMIT || "dev";
  }
  return `${hash}${git("status", "--porcelain") === "" ? "" : "+"}`;
}

if (import.meta.main) {
  const outfile = Bun.argv[2] ?? join(root, "dist/vantage");
  await buildExecutable(outfile);
  console.log(`${outfile}  ${Math.round(statSync(outfile).size / 1e6)} MB`);
}
