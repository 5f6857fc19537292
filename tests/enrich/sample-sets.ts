/** Small sets of context on disk, of files as operators have them, about the addresses that tests use. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { update } from "../../apps/user/context/update.ts";
import type { ContextField } from "../../lib/answers/enrich/context-fields.ts";
import { openAddressContext } from "../../lib/command/command/context-options.ts";
import { parsePrefix } from "../../lib/net/ip/prefix.ts";
import { ribDump } from "../contract/context/mrt-dump.ts";

/** Prefix and AS of the example, whose name is foreign text, as in a real file. */
const origins = (asn: number) => `198.51.100.0/24\t${asn}\n2001:db8::/32\t64511\n`;
/** In BGP 203.0.113.0/24 is behind AS 64501. */
const dump = () => {
  const prefix = parsePrefix("203.0.113.0/24");
  const paths = [0, 1, 2].map((peer) => ({ peer, segments: [[2, [64501, 64510]] as const] }));
  return ribDump(3, prefix === null ? [] : [{ prefix, paths }]);
};
const names = `{"net":{"data":[{"asn":64500,"name":"EXAMPLE-NET"},{"asn":64510,"name":"\\u001b[31mRED, A/S"}]}}`;
const exchange = JSON.stringify({
  ix: { data: [{ id: 26, name: "AMS-IX", city: "Amsterdam", country: "NL" }] },
  ixlan: { data: [{ id: 7, ix_id: 26 }] },
  ixpfx: { data: [{ ixlan_id: 7, protocol: "IPv4", prefix: "198.51.100.4/30" }] },
  netixlan: {
    data: [
      { ixlan_id: 7, asn: 64500, ipaddr4: "198.51.100.4", ipaddr6: null },
      { ixlan_id: 7, asn: 64501, ipaddr4: "198.51.100.6", ipaddr6: null },
    ],
  },
});
const places =
  "network,country,country_code,continent,continent_code,asn,as_name,as_domain\n" +
  "203.0.113.0/24,Germany,DE,Europe,EU,AS64510,,\n";
const roas = '{"roas":[{"asn":"AS64510","prefix":"203.0.113.0/24","maxLength":24,"ta":"t"}]}';

/** Opens what the sets in a folder know. */
export function addressContextsIn(folder: string) {
  return (fields: readonly ContextField[]) =>
    openAddressContext({ fields, folder, servers: [], isNamed: false }, false);
}

export class SampleSets implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "vantage-sets-"));

  /** Puts the set of a day there, in which 198.51.100.0/24 is announced by `asn`. */
  async put(date: string, asn: number): Promise<void> {
    const files = Object.entries({
      "origins.dat": origins(asn),
      "rib.mrt": dump(),
      "names.json": names,
      "exchange.json": exchange,
      "places.csv": places,
      "vrps.json": roas,
    }).map(([name, text]) => {
      const file = join(this.path, `.${name}`);
      writeFileSync(file, text);
      return file;
    });
    await update({ dir: this.path, date, keepPrivate: true, files, note: () => {} });
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
