/** `vantage login` in the lab, and the person who confirms its code in a browser. */
import { join } from "node:path";
import { vantageCommand } from "../run/vantage-command.ts";
import { LabError, run } from "./namespaces.ts";

const approver = join(import.meta.dirname, "approve-login.ts");
const completeUrl = /or open +(\S+)/;

/** Where a user's commands run. */
interface UserPlace {
  readonly gatewayUrl: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  command(words: readonly string[]): string[];
}

/** Resolves when the login is kept; `print` is given what the command says. */
export async function logIn(place: UserPlace, name: string, print: (text: string) => void): Promise<void> {
  const words = [...vantageCommand, "login", `--gateway=${place.gatewayUrl}`];
  const child = Bun.spawn(place.command(words), {
    ...{ env: place.environment, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  let said = "";
  let approval: Promise<unknown> | null = null;
  const decoder = new TextDecoder();
  for await (const chunk of child.stderr) {
    said += decoder.decode(chunk, { stream: true });
    const url = completeUrl.exec(said)?.[1];
    if (url !== undefined && approval === null) {
      approval = run(place.command([process.execPath, approver, url, name]));
    }
  }
  await approval;
  print(said + (await new Response(child.stdout).text()));
  if ((await child.exited) !== 0) {
    throw new LabError(`Cannot log in: ${said}`);
  }
}
