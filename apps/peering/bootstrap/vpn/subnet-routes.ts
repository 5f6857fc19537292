/**
 * Prefixes that this device offers the VPN to carry to it. Routes that another program has set stay; of the prefixes
 * that are ours to set, those that are leased are there, and no others. Pure.
 */

/** The wanted list, sorted; null when the device offers just that already. `managed` = every prefix ever set by us. */
export function subnetRoutes(
  offered: readonly string[],
  { leased, managed }: { readonly leased: readonly string[]; readonly managed: readonly string[] },
): string[] | null {
  const others = offered.filter((route) => !managed.includes(route));
  const wanted = [...new Set([...others, ...leased])].sort();
  const isSame = wanted.length === offered.length && wanted.every((route) => offered.includes(route));
  return isSame ? null : wanted;
}
