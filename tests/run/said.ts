/** Programs that run to their end, and what they said. */

interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

interface Piped {
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly exited: Promise<number>;
}

export async function saidBy(child: Piped): Promise<Said> {
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, exitCode };
}

/**
 * What a program that goes on has said once that is among it, however the pipe cuts it into pieces; the stream stays
 * open. Throws where it ends before.
 */
export async function saidUpTo(stream: ReadableStream<Uint8Array>, words: string): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes(words)) {
    const { value } = await reader.read();
    if (value === undefined) {
      throw new Error(`It ended before it said ${JSON.stringify(words)}: ${text}`);
    }
    text += decoder.decode(value, { stream: true });
  }
  reader.releaseLock();
  return text;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: standard input is empty. */
  readonly stdin?: Uint8Array | Blob;
  readonly timeout?: number;
}

/** Whatever its exit code is. */
export function runToEnd(command: readonly string[], options: RunOptions = {}): Promise<Said> {
  return saidBy(Bun.spawn([...command], { stdin: "ignore", ...options, stdout: "pipe", stderr: "pipe" }));
}
