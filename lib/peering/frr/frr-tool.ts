/** FRR's own tools, `vtysh` and `frr-reload.py`, run to their end (tested with FRR 8.4.4). */
import { Failure } from "../../base/failure/failure.ts";
import { answerBytesMax, complaintCharsMax } from "./limits.ts";

/** Debian installs daemons and their tools in folders that may be missing from the PATH of a user or service. */
const path = `${process.env.PATH ?? ""}:/usr/sbin:/sbin:/usr/lib/frr`;

interface ToolRun {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

/** Throws Failure `daemon` when the tool cannot be run, does not end in time, or prints too much. */
export async function runTool(command: readonly string[], limitMs: number): Promise<ToolRun> {
  const child = spawn(command, limitMs);
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (child.signalCode !== null) {
    const why = `no end in ${limitMs} ms, or more than ${answerBytesMax} bytes`;
    throw new Failure("daemon", "unreachable", `Cannot wait for "${command.join(" ")}": ${why}`);
  }
  return { exitCode, output, errors };
}

/** The tool's error message, cut to a length that can be shown. */
export function complaintOf({ exitCode, output, errors }: ToolRun): string {
  const text = `${errors}\n${output}`.trim().slice(0, complaintCharsMax);
  return text || `exit code ${exitCode}`;
}

function spawn(command: readonly string[], timeout: number) {
  try {
    return Bun.spawn([...command], {
      env: { ...process.env, PATH: path, VTYSH_PAGER: "cat" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout,
      maxBuffer: answerBytesMax,
    });
  } catch (cause) {
    const message = `Cannot run ${command[0]}: install FRR (Debian: frr, frr-pythontools), or configure its path`;
    throw new Failure("daemon", "unreachable", message, { cause });
  }
}
