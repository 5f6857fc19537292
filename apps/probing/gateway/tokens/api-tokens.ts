/**
 * An API token's user and rights. Reads the database each time, so that a revocation takes effect at all of its
 * gateways at once. Texts that cannot be tokens are refused before.
 */
import type { Scope } from "../../../../lib/base/api/scopes.ts";
import { Failure } from "../../../../lib/base/failure/failure.ts";
import { checkApiToken, isApiToken } from "../../../../lib/engines/auth/api-token.ts";
import { hashKey } from "../../../../lib/engines/auth/secret-key.ts";
import type { TokenGrant } from "../../../../lib/engines/auth/token-grant.ts";
import {
  type Identity,
  type TokenVerifier,
  userHashOf,
} from "../../../../lib/engines/auth/token-verifier.ts";
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { TokenUses } from "./token-uses.ts";

interface ApiTokenParts {
  readonly database: Database;
  readonly log: Logger;
  /** Subjects configured as operators; operators by role are only recognised by a login. */
  readonly operators: readonly string[];
}

interface TokenRow {
  readonly token_id: string;
  readonly user_hash: string;
  readonly scopes: readonly Scope[];
  readonly measurement_id: string | null;
  readonly campaign_id: string | null;
  readonly probes_per_day_max: number | null;
  readonly expires_at: Date;
  readonly is_expired: boolean;
  readonly is_revoked: boolean;
}

export class ApiTokens implements AsyncDisposable {
  readonly #database: Database;
  readonly #operators: ReadonlySet<string>;
  readonly #uses: TokenUses;

  constructor({ database, log, operators }: ApiTokenParts) {
    this.#database = database;
    this.#operators = new Set(operators.map(userHashOf));
    this.#uses = new TokenUses(database, log);
  }

  /** Accepts logins and API tokens. */
  beside(logins: TokenVerifier): TokenVerifier {
    return {
      ...logins,
      verify: (token) => (isApiToken(token) ? this.#identityOf(token) : logins.verify(token)),
    };
  }

  /** Whether an API token of this user may have scopes of the admin API. */
  mayBeOperators(userHash: string): boolean {
    return this.#operators.has(userHash);
  }

  /** Stores the counts since the last call. */
  flush(): Promise<void> {
    return this.#uses.flush();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#uses[Symbol.asyncDispose]();
  }

  async #identityOf(token: string): Promise<Identity> {
    checkApiToken(token);
    const row = await this.#find(hashKey(token));
    if (row === undefined) {
      throw new Failure("auth", "unknown_token", "Invalid token: there is no such token; make another one");
    }
    if (row.is_revoked) {
      throw new Failure("auth", "revoked_token", "Invalid token: it was revoked; make another one");
    }
    if (row.is_expired) {
      throw new Failure("auth", "expired_token", "Invalid token: it has expired; make another one");
    }
    const { user_hash: userHash, scopes } = row;
    const isOperator = this.#operators.has(userHash) && scopes.some((scope) => scope.startsWith("admin:"));
    return { subject: "", userHash, isOperator, grant: this.#grantOf(row) };
  }

  async #find(hash: Uint8Array): Promise<TokenRow | undefined> {
    const { sql, timed } = this.#database;
    const [row] = await timed(
      "token_find",
      () => sql<TokenRow[]>`
        SELECT token_id, user_hash, scopes, measurement_id, campaign_id, probes_per_day_max, expires_at,
          expires_at <= now() AS is_expired, revoked_at IS NOT NULL AS is_revoked
        FROM api_tokens WHERE token_hash = ${hash}`,
    );
    return row;
  }

  #grantOf(row: TokenRow): TokenGrant {
    const { token_id: tokenId, measurement_id: measurement, campaign_id: campaign } = row;
    return {
      tokenId,
      scopes: row.scopes,
      object: objectOf(measurement, campaign),
      probesPerDayMax: row.probes_per_day_max,
      expiresAt: row.expires_at,
      holds: async (id) => campaign !== null && (await this.#isRunOf(campaign, id)),
      used: (by) => this.#uses.note(tokenId, by),
    };
  }

  async #isRunOf(campaignId: string, measurementId: string): Promise<boolean> {
    const { sql, timed } = this.#database;
    const [found] = await timed(
      "token_campaign",
      () => sql`
        SELECT FROM campaign_steps WHERE campaign_id = ${campaignId} AND measurement_id::text = ${measurementId}`,
    );
    return found !== undefined;
  }
}

function objectOf(measurement: string | null, campaign: string | null): TokenGrant["object"] {
  if (measurement !== null) {
    return { kind: "measurement", id: measurement };
  }
  return campaign === null ? null : { kind: "campaign", id: campaign };
}
