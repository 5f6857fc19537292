/** iproute2's `ip`, for the exchange's tunnel and the links to its upstreams. */
import { cannot } from "../../../lib/command/command/command-error.ts";

/** Debian has programs of root in folders that a service's PATH may lack. */
export const rootPath = `${process.env.PATH ?? ""}:/usr/sbin:/sbin`;

/** One after the other; a word holds no space. Rejects with an Error that says what `ip` has said. */
export async function ip(...commands: string[]): Promise<void> {
  for (const command of commands) {
    const child = spawn(["ip", ...command.split(" ")]);
    const [said, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    if (exitCode !== 0) {
      throw cannot(`Cannot make a tunnel: ip ${command}: ${said.trim() || `exit code ${exitCode}`}`);
    }
  }
}

/** Within a namespace. */
export function ipIn(namespace: string, ...commands: string[]): Promise<void> {
  return ip(...commands.map((command) => `-n ${namespace} ${command}`));
}

/** As the kernel says it, not /sys: that may show another namespace. */
export async function hasDevice(name: string): Promise<boolean> {
  return (await spawn(["ip", "link", "show", "dev", name]).exited) === 0;
}

function spawn(command: string[]) {
  try {
    const env = { ...process.env, PATH: rootPath };
    return Bun.spawn(command, { env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  } catch (cause) {
    throw cannot("Cannot make a tunnel: there is no ip; install iproute2", { cause });
  }
}
