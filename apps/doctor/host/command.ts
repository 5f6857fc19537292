/** Runs a command of the system that only tells something. */
import { commandMsMax } from "../limits.ts";

/** Debian keeps daemons where the path of a user may not lead. */
const path = `${process.env.PATH ?? ""}:/usr/sbin:/sbin`;

/** What it says on both outputs; null when there is no such command, or it fails. */
export async function told(command: readonly string[]): Promise<string | null> {
  try {
    const child = Bun.spawn([...command], {
      env: { ...process.env, PATH: path },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: commandMsMax,
    });
    const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()];
    const [out = "", err = ""] = await Promise.all(texts);
    return (await child.exited) === 0 ? out + err : null;
  } catch {
    return null;
  }
}
