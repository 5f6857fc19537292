/** Packages of PyPI that tests use: installed once, into a virtual environment that npm's own installs leave alone. */
import { existsSync, rmSync } from "node:fs";
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
    rmSync(folder, { recursive: true, force: true });
    await run(["python3", "-m", "venv", folder]);
    await run([join(folder, "bin/pip"), "install", "--quiet", ...packages]);
    await Bun.write(whole, "");
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
