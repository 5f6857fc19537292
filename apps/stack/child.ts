/**
 * One process of the stack: started, watched, restarted when it dies, stopped.
 *
 * A child writes lines of JSON (parent.ts); its standard error is for people and is passed on. When its standard input
 * ends, the stack is gone and the child ends too, even after a kill -9.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type ChildMessage, messageOf } from "./child-message.ts";
import { healthyAfterMs, restartWaitMs, startTimeoutMs, stopTimeoutMs } from "./limits.ts";

interface ChildOrder {
  readonly name: string;
  /** Arguments after `vantage stack`. */
  readonly args: readonly string[];
  /** Lines for people. */
  readonly say: (line: string) => void;
  /** What it does before it is ready. */
  readonly onStep: (step: string) => void;
}

type Process = Bun.Subprocess<"pipe", "pipe", "pipe">;

/** A service's log of what goes well: before it is ready, steps say that in words. */
const infoLine = /^\{"at":"[^"]+","level":"info",/;

export class Child {
  readonly name: string;
  restarts = 0;
  isUp = false;
  /** The child's current problem; null when it is healthy. */
  trouble: string | null = null;
  readonly #order: ChildOrder;
  #process: Process | null = null;
  readonly #stopping = new AbortController();
  #waitMs: number = restartWaitMs.first;
  #lastWords = "";
  /** Counters of processes before this one, and of this one. */
  #before: Readonly<Record<string, number>> = {};
  #counters: Readonly<Record<string, number>> = {};
  #ready = Promise.withResolvers<string>();
  #over: Promise<void> = Promise.resolve();

  constructor(order: ChildOrder) {
    this.name = order.name;
    this.#order = order;
    // Callers may await it.
    this.#ready.promise.catch(() => undefined);
  }

  /** Resolves with the child's ready message; rejects with its last output when it ends before. */
  async start(): Promise<string> {
    this.#over = this.#keepRunning();
    const timer = setTimeout(
      () =>
        this.#ready.reject(
          new Error(`Cannot start the ${this.name}: it is not ready after ${startTimeoutMs / 1000} s`),
        ),
      startTimeoutMs,
    );
    try {
      return await this.#ready.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Counters of the child since the stack's start, restarts included. */
  counters(): Record<string, number> {
    return summed(this.#before, this.#counters);
  }

  /** Asks it to end, waits, and kills it when it does not. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#process?.stdin.end();
    this.#process?.kill("SIGTERM");
    const timer = setTimeout(() => this.#process?.kill("SIGKILL"), stopTimeoutMs);
    await this.#over;
    clearTimeout(timer);
  }

  async #keepRunning(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const startedAt = performance.now();
      const exit = await this.#runOnce();
      this.isUp = false;
      this.#before = this.counters();
      this.#counters = {};
      if (this.#stopping.signal.aborted) {
        // Ends the wait of callers for its start.
        this.#ready.reject(new Error(`The ${this.name} was stopped before it was ready`));
        return;
      }
      this.#ready.reject(
        new Error(this.#lastWords || `Cannot start the ${this.name}: it ended with ${exit}`),
      );
      this.trouble = `${exit}${this.#lastWords === "" ? "" : `: ${this.#lastWords}`}`;
      if (performance.now() - startedAt > healthyAfterMs) {
        this.#waitMs = restartWaitMs.first;
      }
      this.#order.say(`${this.name} ended with ${exit}; starting it again in ${this.#waitMs} ms`);
      await sleep(this.#waitMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      this.#waitMs = Math.min(2 * this.#waitMs, restartWaitMs.last);
      this.restarts++;
    }
  }

  /** Resolves with how it ended. */
  async #runOnce(): Promise<string> {
    const child = Bun.spawn([...ownCommand(), "stack", ...this.#order.args], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    this.#process = child;
    this.#lastWords = "";
    if (this.#stopping.signal.aborted) {
      child.kill("SIGTERM");
    }
    await Promise.all([
      linesOf(child.stdout, (line) => this.#hear(messageOf(line))),
      linesOf(child.stderr, (line) => this.#passOn(line)),
      child.exited,
    ]);
    this.#process = null;
    return child.signalCode === null ? `exit code ${child.exitCode}` : String(child.signalCode);
  }

  #hear(message: ChildMessage | null): void {
    switch (message?.kind) {
      case "ready":
        this.isUp = true;
        this.trouble = null;
        this.#ready.resolve(message.text);
        break;
      case "step":
        this.#order.onStep(message.text);
        break;
      case "counters":
        this.#counters = message.counters;
        break;
      case "trouble":
        this.trouble = message.text;
        this.#order.say(`${this.name}: ${message.text}`);
        break;
      case "well":
        this.trouble = null;
        this.#order.say(`${this.name}: all is well again`);
        break;
    }
  }

  #passOn(line: string): void {
    if (!this.isUp && infoLine.test(line)) {
      return;
    }
    this.#lastWords = line.replace(/^vantage stack \w+: /, "");
    this.#order.say(`${this.name}: ${this.#lastWords}`);
  }
}

/** The command that starts this program again: the executable alone, or Bun with the file that it runs. */
function ownCommand(): string[] {
  return Bun.main.startsWith("/$bunfs/") ? [process.execPath] : [process.execPath, Bun.main];
}

function summed(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...names].map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}

/** Calls `each` with every line of a stream, the last one also without its end, until the stream is over. */
export async function linesOf(
  stream: ReadableStream<Uint8Array>,
  each: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(each);
  }
  if (rest !== "") {
    each(rest);
  }
}
