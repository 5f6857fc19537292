import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jsonLog } from "../../../../lib/engines/observe/log.ts";
import { address } from "../../../../lib/net/ip/address.ts";
import { formatPrefix, prefixOf } from "../../../../lib/net/ip/prefix.ts";
import { VrpFile } from "./vrp-file.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-vrps-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("lists of both validators are read, again when they change; what was read last stands", async () => {
  const path = join(folder, "vrps.json");
  const said: string[] = [];
  const file = new VrpFile(
    path,
    jsonLog("test", (line) => said.push(line)),
  );
  const covering = () =>
    (file.table?.covering(prefixOf(address("2001:db8:51::"), 48)) ?? []).map(
      ({ prefix, maxLength, asn }) => `${formatPrefix(prefix)}-${maxLength} AS${asn}`,
    );
  let seconds = 1_700_000_000;
  const write = async (text: string) => {
    writeFileSync(path, text);
    utimesSync(path, ++seconds, seconds);
    await file.look();
  };
  await file.look();
  expect([file.table, file.counts.failures]).toEqual([null, 1]);
  // Of routinator, with an object around and another list behind.
  const first = { asn: "AS64500", prefix: "2001:db8::/32", maxLength: 48, ta: "ripe" };
  await write(JSON.stringify({ metadata: { generated: 1 }, roas: [first], aspas: [{ customer: 1 }] }));
  expect(covering()).toEqual(["2001:db8::/32-48 AS64500"]);
  const { table, readAtMs } = file;
  await file.look();
  expect(file.table).toBe(table);
  expect(readAtMs).not.toBeNull();
  // Of rpki-client.
  const second = { asn: 64_501, prefix: "2001:db8:51::/48", maxLength: 48, expires: 1 };
  await write(JSON.stringify({ roas: [second, second] }));
  expect([covering(), file.table?.count]).toEqual([["2001:db8:51::/48-48 AS64501"], 1]);
  // One that fits no prefix costs itself; a list of nothing else is another kind of file.
  const third = { ...second, maxLength: 47 };
  await write(JSON.stringify({ roas: [third, second, { asn: "AS1" }] }));
  expect([covering(), file.table?.count, file.passedOver]).toEqual([["2001:db8:51::/48-48 AS64501"], 1, 2]);
  expect(said.at(-1)).toContain("roas[0]: a maxLength of 47 does not fit 2001:db8:51::/48");
  await write(JSON.stringify({ roas: [second] }));
  expect(file.passedOver).toBe(0);
  for (const [broken, words] of [
    [JSON.stringify({ roas: [third] }), "roas[0]"],
    [JSON.stringify({ vrps: [] }), "no list"],
    ['{"roas": [', "ends too early"],
  ] as const) {
    await write(broken);
    expect(covering()).toEqual(["2001:db8:51::/48-48 AS64501"]);
    expect(said.at(-1)).toContain(words);
  }
  expect(file.counts.failures).toBe(4);
  // One failure is logged once.
  const lines = said.length;
  rmSync(path);
  await file.look();
  await file.look();
  expect([said.length, file.counts.failures]).toEqual([lines + 1, 6]);
});
