/** ASPA objects as sets: what assigned ASNs ask for against what a certificate authority has. Pure. */
import { slices } from "../../../../lib/base/list/slices.ts";
import { type AsnRange, holdsAsn } from "../../../../lib/peering/lease/asn-ranges.ts";

/** Autonomous System Provider Authorization (draft-ietf-sidrops-aspa-profile): all the providers that an AS has. */
export interface Aspa {
  readonly customer: number;
  readonly providers: readonly number[];
}

export interface AspaDelta {
  /** In place of what their customers have. */
  readonly set: readonly Aspa[];
  /** Customers. */
  readonly removed: readonly number[];
}

/**
 * What makes the second into the first, as far as the CA holds the customers. An object carries no mark: of customers
 * in the pool all are ours to remove, of others none.
 */
export function aspaDelta(
  wanted: readonly Aspa[],
  there: readonly Aspa[],
  { held, pool }: { held: readonly AsnRange[]; pool: readonly AsnRange[] },
): { readonly delta: AspaDelta; readonly notHeld: readonly number[] } {
  const thereTexts = new Map(there.map((aspa) => [aspa.customer, providersText(aspa)]));
  const wantedCustomers = new Set(wanted.map(({ customer }) => customer));
  const isThere = (aspa: Aspa) => thereTexts.get(aspa.customer) === providersText(aspa);
  return {
    delta: {
      set: wanted.filter((aspa) => !isThere(aspa) && holdsAsn(held, aspa.customer)),
      removed: there
        .map(({ customer }) => customer)
        .filter((asn) => !wantedCustomers.has(asn) && holdsAsn(pool, asn)),
    },
    notHeld: wanted.map(({ customer }) => customer).filter((asn) => !holdsAsn(held, asn)),
  };
}

/** In parts of at most so many, removals first, as with ROAs. */
export function aspaParts({ set, removed }: AspaDelta, max: { set: number; removed: number }): AspaDelta[] {
  return [
    ...slices(removed, max.removed).map((some) => ({ set: [], removed: some })),
    ...slices(set, max.set).map((some) => ({ set: some, removed: [] })),
  ];
}

/** The list after the change. */
export function aspasAfter(there: readonly Aspa[], { set, removed }: AspaDelta): Aspa[] {
  const gone = new Set([...removed, ...set.map(({ customer }) => customer)]);
  return [...there.filter(({ customer }) => !gone.has(customer)), ...set];
}

/** Krill sorts them. */
function providersText({ providers }: Aspa): string {
  return providers.toSorted((a, b) => a - b).join(" ");
}
