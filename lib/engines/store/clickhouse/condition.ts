/** A piece of SQL with the values that it binds. */
import type { QueryParams } from "./rows.ts";

export interface Condition {
  /** `1` without any condition. */
  readonly sql: string;
  readonly params: QueryParams;
}
