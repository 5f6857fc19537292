/** The peering gateway: users with their ASNs and leases, and its feed of changes. */
import * as v from "valibot";
import { changesAnswer } from "../../../../lib/base/api/leases.ts";
import { type AsnPool, type Mappings, readMappings } from "../../../../lib/peering/policy/mapping.ts";
import { changeWaitSec } from "../limits.ts";
import { askJson } from "./ask-json.ts";
import { SourceError } from "./source-error.ts";

export interface Gateway {
  /** Throws SourceError. */
  mappings(): Promise<Mappings>;
  /**
   * Waits for a change after `since`, or a timeout; returns the next `since`. Null = the beginning. Throws
   * SourceError.
   */
  nextChange(since: string | null, signal: AbortSignal): Promise<{ since: string; hasChanged: boolean }>;
}

/** The answer of any gateway: each may count in its own way, and only whether there are changes matters. */
const feed = v.object({
  next: v.union([changesAnswer.entries.next, v.string()]),
  changes: v.array(v.unknown()),
});

interface GatewayAddress {
  readonly url: string;
  readonly key: string;
  /** Users are joined by e-mail address, so an address that is not known yet must not appear as none. */
  readonly needsEmails: boolean;
  /** Name of this exchange server in the VPN. */
  readonly server: string;
}

export function openGateway({ url, key, needsEmails, server }: GatewayAddress, pool: AsnPool): Gateway {
  // Other gateways ignore the parameter.
  const mappingsUrl = `${url}/service/mappings${needsEmails ? "" : "?partial=true"}`;
  return {
    async mappings() {
      const read = readMappings(await askJson({ url: mappingsUrl, key }), pool, server);
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
