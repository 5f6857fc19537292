/** Commands inside of the containers of this platform, by Docker Compose. */
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { composeWords } from "./compose-files.ts";

interface Ran {
  readonly output: string;
  /** Null: it did what it should. */
  readonly failure: string | null;
  readonly errors: string;
}

/** `input`: on its standard input. What it printed, also when it failed. */
export function inContainer(service: string, command: readonly string[], input = ""): Ran {
  const words = ["docker", ...composeWords, "exec", "-T", service, ...command];
  try {
    const { exitCode, stdout, stderr } = Bun.spawnSync(words, { stdin: new TextEncoder().encode(input) });
    const [output, errors] = [stdout.toString(), stderr.toString()];
    const last = `${output}\n${errors}`.trim().split("\n").at(-1);
    return { output, errors, failure: exitCode === 0 ? null : last || `exit code ${exitCode}` };
  } catch (error) {
    return { output: "", errors: "", failure: systemReason(error) };
  }
}
