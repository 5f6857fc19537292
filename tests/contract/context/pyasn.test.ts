/** Origins of addresses by our reader of RIB dumps, beside pyasn on the same dump. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { update } from "../../../apps/context/update.ts";
import { ContextFolder } from "../../../lib/context/disk/context-folder.ts";
import { formatAddress } from "../../../lib/ip/address.ts";
import { parsePrefix } from "../../../lib/ip/prefix.ts";
import { mappedBits } from "../../../lib/ip/words.ts";
import { pythonFolder } from "../../run/python-folder.ts";
import { ribDump } from "./mrt-dump.ts";
import { peers, randomRib } from "./random-rib.ts";
import { randomAddress, run, seeded } from "./tools.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-context-"));
const addresses = 100_000;

beforeAll(async () => {
  await pythonFolder("pyasn==1.6.2");
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lookup = `
import sys, pyasn
db = pyasn.pyasn(sys.argv[1])
for line in open(sys.argv[2]):
    asn, prefix = db.lookup(line.strip())
    print(asn or 0)
`;

test("99.9 % of 100,000 random addresses have pyasn's origin, and the others are of disputed prefixes", async () => {
  const random = seeded(7);
  const { routes, disputed } = randomRib(20_000, random);
  const dump = join(folder, "rib.bz2");
  const plain = join(folder, "rib");
  await Bun.write(plain, ribDump(peers, routes));
  await run(["bzip2", "--keep", plain], folder);
  await update({
    dir: join(folder, "sets"),
    date: "2026-11-22",
    keepPrivate: false,
    files: [dump],
    note: () => {},
  });
  const set = new ContextFolder(join(folder, "sets")).open("2026-11-22");

  const asked = Array.from({ length: addresses }, () => randomAddress(random));
  const texts = asked.map(formatAddress);
  await Bun.write(join(folder, "addresses"), texts.join("\n"));
  const bin = join(await pythonFolder("pyasn==1.6.2"), "bin");
  const python = join(bin, "python");
  await run([python, join(bin, "pyasn_util_convert.py"), "--single", dump, "pyasn.dat"], folder);
  const said = await run([python, "-c", lookup, "pyasn.dat", "addresses"], folder);
  const theirs = said.trim().split("\n").map(Number);

  expect(theirs).toHaveLength(addresses);
  const different = asked.flatMap((address, i) => {
    const { asn, prefix } = set.lookup(address);
    return (asn ?? 0) === theirs[i] ? [] : [{ address: texts[i], prefix, asn, pyasn: theirs[i] }];
  });
  const unexplained = different.filter(({ prefix }) => {
    const parsed = parsePrefix(prefix ?? "");
    return (
      parsed === null || !disputed.has(`${Buffer.from(parsed.base).toString("hex")}/${mappedBits(parsed)}`)
    );
  });
  expect(unexplained).toEqual([]);
  expect(different.length).toBeLessThan(addresses / 1000);
  // Both families, and most of them within a route: else nothing is shown.
  expect(theirs.filter((asn) => asn > 0).length).toBeGreaterThan(addresses / 4);
}, 120_000);
