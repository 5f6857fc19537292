/** The time that everything in a release has. */
import { join } from "node:path";

const project = join(import.meta.dirname, "../..");

/** Reads the time of the commit, in seconds; else `SOURCE_DATE_EPOCH`. Throws an Error without either. */
export function commitTimeSec(): number {
  const git = Bun.spawnSync(["git", "log", "-1", "--format=%ct"], { cwd: project, stderr: "ignore" });
  const text = git.exitCode === 0 ? git.stdout.toString().trim() : (process.env.SOURCE_DATE_EPOCH ?? "");
  if (!/^\d+$/.test(text)) {
    throw new Error(
      "Cannot make a release: there is no commit here; set SOURCE_DATE_EPOCH to the time of its source",
    );
  }
  return Number(text);
}
