/** Checks a configuration with a separate process, `bird -p`: the running BIRD is not involved. */
import { Failure } from "../../base/failure/failure.ts";
import { parseMsMax } from "./limits.ts";

/** Debian installs daemons in folders that may be missing from the PATH of a user or service. */
const path = `${process.env.PATH ?? ""}:/usr/sbin:/sbin`;

/** Throws Failure `daemon` `refused`, with BIRD's own message (file, line, column), when BIRD cannot read the file. */
export async function checkParse(birdCommand: string, file: string): Promise<void> {
  const child = spawn([birdCommand, "-p", "-c", file]);
  const [output, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (exitCode !== 0) {
    const why = child.signalCode === null ? output.trim() : `no end in ${parseMsMax} ms`;
    throw new Failure("daemon", "refused", `BIRD cannot read ${file}: ${why || `exit code ${exitCode}`}`);
  }
}

function spawn(command: string[]) {
  try {
    const env = { ...process.env, PATH: path };
    return Bun.spawn(command, {
      env,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      timeout: parseMsMax,
    });
  } catch (cause) {
    const message = `Cannot run ${command[0]}: install BIRD 2 (Debian: bird2), or configure its path`;
    throw new Failure("daemon", "unreachable", message, { cause });
  }
}

/** The version that `bird --version` prints, such as `2.0.12`; null when `bird` is missing or prints something else. */
export async function installedBird(birdCommand = "bird"): Promise<string | null> {
  try {
    const env = { ...process.env, PATH: path };
    const child = Bun.spawn([birdCommand, "--version"], {
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const output = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return /BIRD version (\S+)/.exec(output.join(""))?.[1] ?? null;
  } catch {
    return null;
  }
}
