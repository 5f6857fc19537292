/** The peering gateway: who has which ASN and which leases, and word when that changes. */
import * as v from "valibot";
import { type AsnPool, type Mappings, readMappings } from "../../../lib/policy/mapping.ts";
import { changeWaitSec } from "../limits.ts";
import { askJson } from "./ask-json.ts";
import { SourceError } from "./source-error.ts";

export interface Gateway {
  /** Throws SourceError. */
  mappings(): Promise<Mappings>;
  /**
   * Waits until something has changed after `since`, or some time has passed; gives where to go on from. Null = the
   * beginning. Throws SourceError.
   */
  nextChange(since: string | null, signal: AbortSignal): Promise<{ since: string; hasChanged: boolean }>;
}

const feed = v.object({ next: v.union([v.number(), v.string()]), changes: v.array(v.unknown()) });

export interface GatewayAddress {
  readonly url: string;
  readonly key: string;
  /** Joins users by their e-mail address, so that one which is not known yet must not look like none. */
  readonly needsEmails: boolean;
}

export function openGateway({ url, key, needsEmails }: GatewayAddress, pool: AsnPool): Gateway {
  // Another gateway looks at no parameter.
  const mappingsUrl = `${url}/service/mappings${needsEmails ? "" : "?partial=true"}`;
  return {
    async mappings() {
      const read = readMappings(await askJson({ url: mappingsUrl, key }), pool);
      if (read === null) {
        throw new SourceError(`Cannot use ${url}/service/mappings: it gives no list of mappings`);
      }
      return read;
    },
    async nextChange(since, signal) {
      const query = new URLSearchParams({
        wait: String(changeWaitSec),
        ...(since === null ? {} : { since }),
      });
      const waitMs = 1000 * changeWaitSec;
      const answer = await askJson({ url: `${url}/service/changes?${query}`, key, signal, waitMs });
      const read = v.safeParse(feed, answer);
      if (!read.success) {
        throw new SourceError(`Cannot use ${url}/service/changes: it gives no list of changes`);
      }
      return { since: String(read.output.next), hasChanged: read.output.changes.length > 0 };
    },
  };
}
