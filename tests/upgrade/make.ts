/**
 * Keeps what a release writes: `bun tests/upgrade/make.ts`, on the commit that is to be released, once. A release that
 * is there is not made again: later ones must work on what was really written.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { startPostgres } from "../postgres/postgres.ts";
import { onPeering, onProbing } from "./gateway-homes.ts";
import { fillPeering } from "./peering-contents.ts";
import { fillPlatform, peeringDatabase, probingDatabase, startPlatform } from "./platform-contents.ts";
import { fillProbing } from "./probing-contents.ts";
import { type Contents, dumped, pack, releasesFolder } from "./release-files.ts";

const target = join(releasesFolder, packageJson.version);
if (existsSync(target)) {
  console.error(`Cannot make ${target}: it is there; give package.json the version that is to be released`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "vantage-release-"));
mkdirSync(target, { recursive: true });
try {
  const contents = await fillAll(folder);
  pack(folder, join(target, "platform.tar.xz"));
  writeFileSync(join(target, "contents.json"), `${JSON.stringify(contents, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function fillAll(folder: string): Promise<Contents> {
  await using server = await startPostgres();
  const [probing, peering] = [await server.createDatabase(), await server.createDatabase()];
  const onServer = {
    probing: await onProbing(probing, fillProbing),
    peering: await onPeering(peering, fillPeering),
  };
  writeFileSync(join(target, "probing.sql"), dumped(probing));
  writeFileSync(join(target, "peering.sql"), dumped(peering));
  const log = `embedded:${join(folder, "broker")}`;
  const embedded = {
    probing: await onProbing(`pglite:${join(folder, probingDatabase)}`, fillProbing, log),
    peering: await onPeering(`pglite:${join(folder, peeringDatabase)}`, fillPeering),
  };
  await using _stack = await startPlatform(folder);
  return {
    probing: { postgres: onServer.probing, pglite: embedded.probing },
    peering: { postgres: onServer.peering, pglite: embedded.peering },
    platform: await fillPlatform(folder),
  };
}
