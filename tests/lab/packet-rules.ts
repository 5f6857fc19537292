/** Rules of nftables that play what routers do to packets: each a table, which its test deletes by its name. */

interface Addresses {
  readonly v4: string;
  readonly v6: string;
}

interface NatPlace {
  /** The interface towards the Internet. */
  readonly out: string;
  readonly own: Addresses;
  readonly outside: Addresses;
}

/** Table `inet nat`: translates packets both ways, but not what errors quote. */
export function statelessNat({ out, own, outside }: NatPlace): string {
  return `
table inet nat {
  chain in {
    type filter hook prerouting priority -300;
    iifname "${out}" ip daddr ${outside.v4} ip daddr set ${own.v4}
    iifname "${out}" ip6 daddr ${outside.v6} ip6 daddr set ${own.v6}
  }
  chain out {
    type filter hook postrouting priority 0;
    oifname "${out}" ip saddr ${own.v4} ip saddr set ${outside.v4}
    oifname "${out}" ip6 saddr ${own.v6} ip6 saddr set ${outside.v6}
  }
}
`;
}

/** Table `inet silence`: drops larger packets on the way out, and says nothing; TCP of others passes. */
export function silentAbove(bytes: number, out: string): string {
  return `
table inet silence {
  chain forward {
    type filter hook forward priority 0;
    oifname "${out}" meta l4proto { udp, icmp, ipv6-icmp } meta length > ${bytes} drop
  }
}
`;
}
