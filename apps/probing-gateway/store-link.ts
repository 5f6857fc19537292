/** The column store, connected when first asked for: the gateway works without it, and it may come back. */
import { type ColumnStore, openStore } from "../../lib/store/clickhouse/open.ts";
import { StoreError } from "../../lib/store/clickhouse/store-error.ts";

export class StoreLink implements AsyncDisposable {
  readonly #address: string | null;
  #store: Promise<ColumnStore> | null = null;

  /** Null = there is none. */
  constructor(address: string | null) {
    this.#address = address;
  }

  /** Rejects with StoreError; the next call tries again. */
  async open(): Promise<ColumnStore> {
    if (this.#address === null) {
      throw new StoreError(
        "unavailable",
        "This gateway has no column store: its operator has configured none",
      );
    }
    this.#store ??= openStore(this.#address);
    const opening = this.#store;
    try {
      return await opening;
    } catch (error) {
      if (this.#store === opening) {
        this.#store = null;
      }
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const store = await this.#store?.catch(() => null);
    await store?.[Symbol.asyncDispose]();
  }
}
