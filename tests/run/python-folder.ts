/** Packages of PyPI that tests use: installed once, into a virtual environment that npm's own installs leave alone. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const cache = join(import.meta.dirname, "../../node_modules/.cache");

/**
 * The folder of an environment with exactly these packages; their programs lie in its `bin`.
 *
 * @param packages as `pyasn==1.6.2`
 */
export async function pythonFolder(...packages: readonly string[]): Promise<string> {
  const folder = join(cache, packages.join("+").replaceAll("==", "-"));
  const whole = join(folder, ".whole");
  if (!existsSync(whole)) {
    // Files run side by side: the first one installs, the others wait for it. The lock ends with its process. Of the
    // thousands of modules of large packages, few are ever imported: those alone are compiled, by who imports them.
    const install = `test -e "$1/.whole" || { rm -rf "$1" && python3 -m venv "$1" &&
      "$1/bin/pip" install --quiet --no-compile --disable-pip-version-check "\${@:2}" && touch "$1/.whole"; }`;
    mkdirSync(cache, { recursive: true });
    await run(["flock", `${folder}.lock`, "bash", "-c", install, "install", folder, ...packages]);
  }
  return folder;
}

async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const complaint = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) {
    throw new Error(`Cannot run ${command.join(" ")}: ${complaint.trim()}`);
  }
}
