/** Asks a service's `/health` all the time, and remembers what it said and how slowly. */
const pauseMs = 250;
const answerMsMax = 60_000;

export class HealthWatch implements AsyncDisposable {
  /** Since `begin`. */
  slowestMs = 0;
  readonly #counts = new Map<string, number>();
  readonly #ended = new AbortController();
  readonly #work: Promise<void>;

  constructor(url: string) {
    this.#work = this.#watch(new URL("health", url).href);
  }

  begin(): void {
    this.slowestMs = 0;
  }

  /** `healthy 120, degraded 3: reason`, by how often. */
  said(): string {
    return [...this.#counts].map(([what, count]) => `${what} (${count} times)`).join(", ");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#work;
  }

  async #watch(url: string): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const startMs = performance.now();
      const what = await this.#ask(url);
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startMs);
      this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
      await Bun.sleep(pauseMs);
    }
  }

  async #ask(url: string): Promise<string> {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(answerMsMax) });
      const { status, reasons = [] } = (await response.json()) as { status: string; reasons?: string[] };
      return [status, ...reasons].join(": ");
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
