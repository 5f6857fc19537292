/** What the stack's peering gateway leases: out of the range for documentation. Who has prefixes sets the pool. */
export const poolDefault = "2001:db8:2000::/40";
