/** Origins of addresses by our reader of RIB dumps, beside pyasn's reader and look-up of the same dump. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { update } from "../../../apps/user/context/update.ts";
import { ContextFolder } from "../../../lib/measuring/context/disk/context-folder.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";
import { mappedBits } from "../../../lib/net/ip/words.ts";
import { pythonFolder } from "../../run/python-folder.ts";
import { inTier } from "../../run/tier.ts";
import { ribDump } from "./mrt-dump.ts";
import { peers, randomRib, routeKey } from "./random-rib.ts";
import { randomAddress, run, seeded } from "./tools.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-context-"));
const addresses = inTier({ usual: 400_000, long: 2_000_000 });

beforeAll(async () => {
  await pythonFolder("pyasn==1.6.2");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Reads addresses of 16 bytes, writes AS numbers of 4, and a line with the prefix for each place that is asked for. */
const lookup = `
import socket, struct, sys, pyasn
db = pyasn.pyasn("pyasn.dat")
data = open("addresses", "rb").read()
def text(at):
    raw = data[at:at + 16]
    if raw[:12] == b"\\0" * 10 + b"\\xff\\xff":
        return socket.inet_ntop(socket.AF_INET, raw[12:])
    return socket.inet_ntop(socket.AF_INET6, raw)
if len(sys.argv) > 1:
    for place in open(sys.argv[1]).read().split():
        print(db.lookup(text(16 * int(place)))[1])
else:
    found = [db.lookup(text(at))[0] or 0 for at in range(0, len(data), 16)]
    open("asns", "wb").write(struct.pack("<%dI" % len(found), *found))
`;

test("of addresses of each family 99.9 % are as in pyasn, the others of disputed routes", async () => {
  const random = seeded(7);
  const { routes, disputed } = randomRib(20_000, random);
  const dump = join(folder, "rib.bz2");
  await Bun.write(join(folder, "rib"), ribDump(peers, routes));
  await run(["bzip2", "--keep", "rib"], folder);
  const sets = join(folder, "sets");
  await update({ dir: sets, date: "2026-11-22", keepPrivate: false, files: [dump], note: () => {} });
  const set = new ContextFolder(sets).open("2026-11-22");

  const bytes = new Uint8Array(16 * addresses);
  for (let i = 0; i < addresses; i++) {
    bytes.set(randomAddress(random), 16 * i);
  }
  await Bun.write(join(folder, "addresses"), bytes);
  const bin = join(await pythonFolder("pyasn==1.6.2"), "bin");
  const python = join(bin, "python");
  await run([python, join(bin, "pyasn_util_convert.py"), "--single", dump, "pyasn.dat"], folder);
  await run([python, "-c", lookup], folder);
  const theirs = new Uint32Array(await Bun.file(join(folder, "asns")).arrayBuffer());
  const ours = new Uint32Array(addresses);
  set.asnsOf(bytes, ours);

  expect(theirs).toHaveLength(addresses);
  const places = [...ours.keys()].filter((i) => ours[i] !== theirs[i]);
  await Bun.write(join(folder, "places"), places.join("\n"));
  const prefixes = (await run([python, "-c", lookup, "places"], folder)).trim().split("\n");
  const counts: Record<string, number> = {};
  for (const [i, place] of places.entries()) {
    const address = bytes.subarray(16 * place, 16 * place + 16);
    const dispute = disputeOf(prefixes[i]) ?? disputeOf(set.lookup(address).prefix);
    const why = dispute ?? `not explained: ${formatAddress(address)}`;
    counts[why] = (counts[why] ?? 0) + 1;
  }
  // Confederations, prepends, bogons, default routes and private ASes behind a public one make no difference.
  expect(Object.keys(counts).sort()).toEqual(["long", "moas", "rare", "set"]);
  expect(places.length).toBeLessThan(addresses / 1000);
  // Both families, and most of them within a route: else nothing is shown.
  expect(ours.filter((asn) => asn > 0).length).toBeGreaterThan(addresses / 4);

  function disputeOf(text: string | null | undefined): string | undefined {
    const prefix = parsePrefix(text ?? "");
    return prefix === null ? undefined : disputed.get(routeKey(prefix.base, mappedBits(prefix)));
  }
});
