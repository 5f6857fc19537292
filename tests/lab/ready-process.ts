/** Long-running commands of the lab: started until they say that they are ready, and ended. */
import type { Subprocess } from "bun";
import { LabError } from "./namespaces.ts";

const startMsMax = 240_000;
const stopMsMax = 120_000;

/**
 * Resolves when the command has printed the words; `keep` has it from its first moment, to end it whatever comes.
 * Throws LabError with all that it said when it ends before, or takes a minute.
 */
export async function startReady(
  command: readonly string[],
  ready: string,
  keep: (child: Subprocess) => void,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const env = { ...process.env, ...environment };
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe", env });
  keep(child);
  const said = { text: "" };
  const heard = Promise.withResolvers<void>();
  const listen = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      said.text += decoder.decode(chunk, { stream: true });
      if (said.text.includes(ready)) {
        heard.resolve();
      }
    }
  };
  void listen(child.stdout);
  void listen(child.stderr);
  const timer = setTimeout(() => heard.reject(new LabError(`Not ready in time: ${said.text}`)), startMsMax);
  void child.exited.then((code) => heard.reject(new LabError(`Ended with exit code ${code}: ${said.text}`)));
  await heard.promise.finally(() => clearTimeout(timer));
}

/** Asks it to end, and kills it when it does not. */
export async function end(child: Subprocess): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
  await child.exited;
  clearTimeout(timer);
}
