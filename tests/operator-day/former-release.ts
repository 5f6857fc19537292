/** The program of the newest release before this tree, built from the commit that made it. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../deploy/compose-file.ts";
import { run } from "../lab/namespaces.ts";
import { releases } from "../upgrade/release-files.ts";

interface FormerRelease {
  readonly version: string;
  /** The executable. */
  readonly program: string;
}

/**
 * `folder` is empty. Its npm packages are today's: those of 0.1.0 are among them, in the same versions. Rejects where
 * the repository's history does not reach so far back.
 */
export async function buildFormerRelease(folder: string): Promise<FormerRelease> {
  const version = releases().at(-1) ?? "";
  const made = `tests/upgrade/releases/${version}/contents.json`;
  const git = ["git", "-C", projectRoot];
  const commits = await run([...git, "log", "--diff-filter=A", "--format=%H", "--", made]);
  const commit = commits.trim().split("\n").at(-1) ?? "";
  if (commit === "") {
    throw new Error(`No commit adds ${made}: the history of this clone is too short`);
  }
  const source = join(folder, "source");
  mkdirSync(source);
  await run(["sh", "-c", `git -C '${projectRoot}' archive ${commit} | tar -x -C '${source}'`]);
  symlinkSync(join(projectRoot, "node_modules"), join(source, "node_modules"));
  const program = join(folder, "vantage");
  const bun = `'${process.execPath}'`;
  await run([
    "sh",
    "-c",
    `cd '${source}' && ${bun} ffi/hotpath/build.ts && ${bun} tests/build.ts '${program}'`,
  ]);
  return { version, program };
}
