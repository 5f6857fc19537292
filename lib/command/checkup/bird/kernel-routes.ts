/** Compares users' routes in BIRD with those in the kernel, which forwards the packets. */
import { listed } from "../../../base/failure/listed.ts";
import { formatPrefix, parsePrefix } from "../../../net/ip/prefix.ts";
import { askBird } from "../../../peering/bird/control.ts";
import { readRoutes } from "../../../peering/bird/routes.ts";
import { type Finding, fail, ok, warn } from "../finding.ts";
import { outputOf } from "../host/command.ts";
import { listedMax, settleMs } from "../limits.ts";

interface KernelTable {
  /** The VPN's device, to which users' routes point. */
  readonly device: string;
  /** Number of the table; null = main. */
  readonly table: number | null;
}

const what = "kernel routes of users";

export async function kernelRoutes(socket: string, place: KernelTable): Promise<Finding> {
  const first = await look(socket, place);
  if (first.level === "ok") {
    return first;
  }
  // A route may have changed between the two queries.
  await Bun.sleep(settleMs);
  return look(socket, place);
}

async function look(socket: string, { device, table }: KernelTable): Promise<Finding> {
  const said = await outputOf(["ip", "-6", "route", "show", "table", String(table ?? "main"), "dev", device]);
  if (said === null) {
    return warn(what, "ip failed", "install iproute2");
  }
  const lines = await askBird(socket, "show route where source = RTS_BGP && from ~ 100.64.0.0/10 all");
  const wanted = new Set(readRoutes(lines).map(({ prefix }) => prefix));
  const there = new Set(
    said
      .split("\n")
      .filter((line) => line.includes("proto bird"))
      .map(prefixOf),
  );
  const missing = [...wanted].filter((prefix) => !there.has(prefix));
  const left = [...there].filter((prefix) => !wanted.has(prefix));
  if (missing.length > 0) {
    const next = "birdc restart forwarding; who else changes routes of this table?";
    return fail(
      what,
      `the kernel has no route to ${listed(missing, listedMax)}, which BIRD has taken from users`,
      next,
    );
  }
  return left.length > 0
    ? fail(
        what,
        `the kernel still has a route to ${listed(left, listedMax)}, which no user announces`,
        "birdc restart forwarding",
      )
    : ok(what, `${there.size}, as BIRD has them`);
}

/** Normalised to BIRD's notation. */
function prefixOf(line: string): string {
  const [text = ""] = line.split(" ");
  const prefix = parsePrefix(text);
  return prefix === null ? text : formatPrefix(prefix);
}
