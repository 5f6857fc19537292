/** What the collector does with malformed UPDATEs and attributes (RFC 7606): withdraws what they name, and logs it. */
import type { Logger } from "../../../lib/engines/observe/log.ts";
import { SampledWarnings } from "../../../lib/engines/observe/sampled-warnings.ts";
import type { Damage } from "../../../lib/net/bgp/read-attributes.ts";
import type { MalformedRoutes, RoutePeer } from "../../../lib/net/bgp/route-event.ts";
import { type Address, formatAddress } from "../../../lib/net/ip/address.ts";
import type { LiveTable } from "../../../lib/net/rib/live-table.ts";

interface DamagedRoutesParts {
  readonly table: Pick<LiveTable, "apply" | "counts">;
  readonly log: Logger;
  readonly nowUs: () => bigint;
}

export class DamagedRoutes {
  readonly #parts: DamagedRoutesParts;
  readonly #warnings: SampledWarnings;

  constructor(parts: DamagedRoutesParts) {
    this.#parts = parts;
    this.#warnings = new SampledWarnings(parts.log);
  }

  malformed(router: Address, { damage, peer, withdrawals }: MalformedRoutes): void {
    const { table, nowUs } = this.#parts;
    const before = table.counts.paths;
    for (const event of withdrawals) {
      table.apply(router, event, nowUs(), null, true);
    }
    const withdrawn = before - table.counts.paths;
    const message = "Malformed UPDATE: the routes that it names are withdrawn";
    this.#warn("malformed-update", message, { router, damage, peer }, { withdrawn });
  }

  discarded(router: Address, damage: Damage, peer: RoutePeer): void {
    this.#warn("attribute-left-out", "Malformed attribute left out of routes", { router, damage, peer });
  }

  #warn(
    kind: string,
    message: string,
    { router, damage, peer }: { readonly router: Address; readonly damage: Damage; readonly peer: RoutePeer },
    more: { readonly withdrawn?: number } = {},
  ): void {
    const { attribute, reason } = damage;
    const fields = {
      ...{ router: formatAddress(router), peer: formatAddress(peer.address), peer_asn: peer.asn },
      ...{ table: peer.table, attribute: attribute ?? "", reason, ...more },
    };
    this.#warnings.warn(kind, message, fields, `${fields.router} ${fields.peer} ${fields.attribute}`);
  }
}
