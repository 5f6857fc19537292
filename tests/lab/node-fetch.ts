/**
 * `fetch` from inside a node of the lab: one process there for all requests, as tests that wait for a value ask for
 * it many times a second.
 */
import type { Subprocess } from "bun";

interface NodeRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface NodeResponse {
  readonly status: number;
  readonly bytes: Uint8Array;
}

type Line = { readonly id: number } & (
  | { readonly status: number; readonly base64: string }
  | { readonly error: string }
);

const program = `
const answer = async ({ id, url, ...request }) => {
  let line;
  try {
    const response = await fetch(url, request);
    const bytes = Buffer.from(await response.arrayBuffer());
    line = { id, status: response.status, base64: bytes.toString("base64") };
  } catch (error) {
    line = { id, error: String(error) };
  }
  process.stdout.write(JSON.stringify(line) + "\\n");
};
for await (const line of console) void answer(JSON.parse(line));
`;

export class NodeFetch implements Disposable {
  readonly #child: Subprocess<"pipe", "pipe", "inherit">;
  readonly #waiting = new Map<number, PromiseWithResolvers<NodeResponse>>();
  #asked = 0;

  /** `within` makes the command line of the node. */
  constructor(within: (command: readonly string[]) => readonly string[]) {
    const command = [...within([process.execPath, "-e", program])];
    this.#child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
    void this.#read();
  }

  /** Rejects when nothing answers there, or the process has ended with its node. */
  async ask(request: NodeRequest): Promise<NodeResponse> {
    const id = this.#asked++;
    const waiting = Promise.withResolvers<NodeResponse>();
    this.#waiting.set(id, waiting);
    this.#child.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
    void this.#child.stdin.flush();
    return waiting.promise;
  }

  [Symbol.dispose](): void {
    this.#child.kill("SIGKILL");
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = `${rest}${text}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        this.#settle(JSON.parse(line));
      }
    }
    for (const { reject } of this.#waiting.values()) {
      reject(new Error("The process that asks has ended"));
    }
  }

  #settle(line: Line): void {
    const waiting = this.#waiting.get(line.id);
    this.#waiting.delete(line.id);
    if ("error" in line) {
      waiting?.reject(new Error(line.error));
    } else {
      waiting?.resolve({ status: line.status, bytes: Buffer.from(line.base64, "base64") });
    }
  }
}
