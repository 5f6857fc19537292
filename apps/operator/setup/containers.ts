/** Commands on this machine, and to its Docker where the platform is in containers. */
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { composeWords } from "./compose-files.ts";

interface Ran {
  readonly output: string;
  readonly errors: string;
  /** Null: it did what it should. */
  readonly failure: string | null;
}

/** `input`: on its standard input. What it printed, also when it failed. */
export function ran(
  command: readonly string[],
  input: string,
  variables: Readonly<Record<string, string>> = {},
): Ran {
  const env = { ...process.env, ...variables };
  try {
    const { exitCode, stdout, stderr } = Bun.spawnSync([...command], {
      ...{ stdin: new TextEncoder().encode(input), env },
    });
    const [output, errors] = [stdout.toString(), stderr.toString()];
    const last = `${output}\n${errors}`.trim().split("\n").at(-1);
    return { output, errors, failure: exitCode === 0 ? null : last || `exit code ${exitCode}` };
  } catch (error) {
    return { output: "", errors: "", failure: systemReason(error) };
  }
}

export function docker(words: readonly string[], input = ""): Ran {
  return ran(["docker", ...words], input);
}

/** The same for the platform's own containers. */
export function compose(words: readonly string[], input = ""): Ran {
  return docker([...composeWords, ...words], input);
}

export function inContainer(service: string, command: readonly string[], input = ""): Ran {
  return compose(["exec", "-T", service, ...command], input);
}
