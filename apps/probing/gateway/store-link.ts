/** The column store, connected on first use: the gateway works without it, and reconnects after an outage. */
import { Failure, isFailure } from "../../../lib/base/failure/failure.ts";
import { type ColumnStore, openStore } from "../../../lib/engines/store/clickhouse/open.ts";

type Question<Answer> = (store: ColumnStore) => Promise<Answer>;

export class StoreLink implements AsyncDisposable {
  readonly #address: string | null;
  #store: Promise<ColumnStore> | null = null;

  /** Null = no store is configured. */
  constructor(address: string | null) {
    this.#address = address;
  }

  /**
   * Runs a read-only query: reconnects once to a lost store, because its port changes with each start.
   * Rejects with Failure `store`; the next call tries again.
   */
  async ask<Answer>(question: Question<Answer>): Promise<Answer> {
    const known = this.#store;
    try {
      return await this.#askOnce(question);
    } catch (error) {
      if (known === null || !isLoss(error)) {
        throw error;
      }
      return this.#askOnce(question);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const store = await this.#store?.catch(() => null);
    await store?.[Symbol.asyncDispose]();
  }

  async #askOnce<Answer>(question: Question<Answer>): Promise<Answer> {
    this.#store ??= openStore(this.#given());
    const opening = this.#store;
    try {
      return await question(await opening);
    } catch (error) {
      if (isLoss(error)) {
        this.#forget(opening);
      }
      throw error;
    }
  }

  #given(): string {
    if (this.#address === null) {
      throw new Failure(
        "store",
        "unavailable",
        "This gateway has no column store: its operator has configured none",
      );
    }
    return this.#address;
  }

  #forget(lost: Promise<ColumnStore>): void {
    if (this.#store === lost) {
      this.#store = null;
      lost.then((store) => store[Symbol.asyncDispose]()).catch(() => undefined);
    }
  }
}

/** ClickHouse's code for a wrong secret: another process has replaced the one that we connected to. */
const wrongSecret = "516";

function isLoss(error: unknown): boolean {
  if (!isFailure(error, "store")) {
    return false;
  }
  const { code, cause } = error;
  return (
    code !== "refused" || (cause instanceof Error && "code" in cause && String(cause.code) === wrongSecret)
  );
}
