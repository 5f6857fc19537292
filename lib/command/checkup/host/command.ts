/** Runs a read-only system command. */
import { commandMsMax } from "../limits.ts";

/** Debian installs daemons in folders that a user's PATH may lack. */
const path = `${process.env.PATH ?? ""}:/usr/sbin:/sbin`;

/** Its output, standard and error; null when the command is missing or fails. */
export async function outputOf(command: readonly string[]): Promise<string | null> {
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
