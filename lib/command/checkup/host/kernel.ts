/** Settings of the kernel's network (sysctl) that routes and tunnels depend on. */
import { existsSync, readFileSync } from "node:fs";
import { type Finding, fail, ok, warn } from "../finding.ts";
import { kernelRoutesMin } from "../limits.ts";

const folder = "/proc/sys/net";

/** Null where this kernel has no such setting. */
function setting(name: string): number | null {
  const path = `${folder}/${name}`;
  return existsSync(path) ? Number(readFileSync(path, "utf8").trim()) : null;
}

export function forwardsIpv6(): boolean {
  return setting("ipv6/conf/all/forwarding") === 1;
}

/** Checked on hosts that forward packets for others. */
export function forwarding(): Finding {
  const what = "IPv6 forwarding";
  return forwardsIpv6()
    ? ok(what, "on")
    : fail(what, "off: no packet of a user goes anywhere", "sysctl -w net.ipv6.conf.all.forwarding=1");
}

/** Strict filtering drops packets if replies would leave by another interface (RFC 3704 s.2.2). */
export function reversePath(device: string): Finding {
  const what = "reverse path filter";
  // The kernel uses the maximum of both: 2, loose, takes precedence over 1, strict.
  const values = ["all", device].map((name) => setting(`ipv4/conf/${name}/rp_filter`) ?? 0);
  const isStrict = Math.max(...values) === 1;
  return isStrict
    ? warn(
        what,
        `strict: packets on ${device} are dropped where answers would leave by another interface`,
        `sysctl -w net.ipv4.conf.all.rp_filter=2 net.ipv4.conf.${device}.rp_filter=2`,
      )
    : ok(what, "not strict");
}

/** Old kernels limit IPv6 routes so much that the full table does not fit. */
export function routeRoom(): Finding {
  const what = "room for routes";
  const max = setting("ipv6/route/max_size");
  return max === null || max >= kernelRoutesMin
    ? ok(what, max === null ? "no limit of the kernel" : `${max} IPv6 routes`)
    : fail(
        what,
        `the kernel keeps ${max} IPv6 routes at most; the full table has more than 230000`,
        "sysctl -w net.ipv6.route.max_size=2147483647",
      );
}
