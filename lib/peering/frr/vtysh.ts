/** Queries FRR's daemons by `vtysh`. Callers build commands from names of our own, never from foreign text. */
import { Failure } from "../../base/failure/failure.ts";
import { complaintOf, runTool } from "./frr-tool.ts";
import { answerMsMax } from "./limits.ts";

export interface FrrAccess {
  /** The `vtysh` command or its path. */
  readonly vtysh: string;
  /** Folder of the daemons' sockets, such as `bgpd.vty`. */
  readonly socketFolder: string;
}

/** The response of `bgpd`, or of all daemons when `daemon` is null. Throws Failure `daemon`. */
export async function askFrr(
  { vtysh, socketFolder }: FrrAccess,
  daemon: "bgpd" | null,
  command: string,
): Promise<string> {
  const only = daemon === null ? [] : ["-d", daemon];
  const done = await runTool([vtysh, "--vty_socket", socketFolder, ...only, "-c", command], answerMsMax);
  if (done.exitCode !== 0) {
    const message = `Cannot query FRR at ${socketFolder}: ${complaintOf(done)}`;
    const advice = "is it running, and may this user query it (Debian: group frrvty)?";
    throw new Failure("daemon", "unreachable", `${message}; ${advice}`);
  }
  return done.output;
}

/** Like `askFrr` for bgpd; null when the response is not JSON, which happens for a command unknown to bgpd. */
export async function askFrrJson(place: FrrAccess, command: string): Promise<unknown> {
  const text = await askFrr(place, "bgpd", `${command} json`);
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
