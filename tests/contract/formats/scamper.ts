/** What scamper's tools say of a file; they must not complain. */
import { expect } from "bun:test";

export async function output(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [text, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([await child.exited, complaint]).toEqual([0, ""]);
  return text;
}
