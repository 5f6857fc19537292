/** The rights of an API token. */
import type { ObjectKind, Scope } from "../../base/api/scopes.ts";

/** What an API token may do for its user: never more than the user may. */
export interface TokenGrant {
  readonly tokenId: string;
  readonly scopes: readonly Scope[];
  /** Null = all of the user's. */
  readonly object: { readonly kind: ObjectKind; readonly id: string } | null;
  /** Probes x agents per UTC day; null = the user's own limit. */
  readonly probesPerDayMax: number | null;
  readonly expiresAt: Date;
  /** Whether a measurement is one of the campaign that the token is narrowed to. */
  holds(measurementId: string): Promise<boolean>;
  /** Counts one request under the name of the calling program. */
  used(by: { readonly tool: string; readonly address: string | null }): void;
}
