/** What traces have shown of the router with one address. */
export interface Router {
  /** The member at an exchange, else the origin of the address. */
  readonly originAsn: number | null;
  /** The exchange on whose LAN the address is. */
  readonly exchangeId: number | null;
  /** A private or reserved, unannounced address. */
  readonly isWithoutOwner: boolean;
  /** Seen one TTL behind it, but for where traces go. */
  readonly successors: Set<Router>;
  /** Where traces go, seen one TTL behind it. */
  readonly ends: Set<Router>;
  /** Seen one TTL before it. */
  readonly predecessors: Set<Router>;
  /** The other end of its link, as far as it was seen; null on the LAN of an exchange. */
  mate: Router | null;
  /** Other addresses of the same router: `findAliases`. */
  aliases: readonly Router[];
  /** Where the traces through it go; 0 = not known. */
  readonly destinationAsns: Set<number>;
  /** Every trace through it ends here, and the AS of its destination has not answered. */
  isEnd: boolean;
  /** As the last round has it. */
  ownerAsn: number | null;
}
