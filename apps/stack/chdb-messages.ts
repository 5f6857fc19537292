/** Messages between the store's process and its ClickHouse threads. Each thread has one request at a time. */
import type { ChdbStatement } from "../../ffi/chdb.ts";

export type Settings = Readonly<Record<string, string>>;

/** The next block of a query that comes block by block; or no more of them. */
export type PullRequest = { readonly kind: "pull" } | { readonly kind: "cancel" };

export type ThreadRequest =
  | { readonly kind: "open"; readonly directory: string }
  | { readonly kind: "run"; readonly statement: ChdbStatement; readonly settings: Settings }
  /** Answered by `block`s, one for each `pull`, then `end`. */
  | { readonly kind: "stream"; readonly statement: ChdbStatement; readonly settings: Settings }
  | PullRequest
  | {
      readonly kind: "insert";
      readonly sql: string;
      readonly format: string;
      readonly data: ArrayBuffer;
      readonly settings: Settings;
    }
  | { readonly kind: "close" };

/** To a thread that runs statements of readers. `database` is a plain name. */
export type GuestRequest =
  | { readonly kind: "open"; readonly directory: string }
  /** Answered by `done` with the whole result, or by `block`s, one for each `pull`, then `end`. */
  | {
      readonly kind: "guest";
      readonly statement: ChdbStatement;
      readonly database: string;
      readonly settings: Settings;
    }
  | PullRequest
  | { readonly kind: "close" };

export type ThreadAnswer =
  | { readonly kind: "done"; readonly bytes: Uint8Array; readonly rows: number }
  | { readonly kind: "block"; readonly bytes: Uint8Array }
  | { readonly kind: "end" }
  | { readonly kind: "failed"; readonly message: string; readonly number: number };
