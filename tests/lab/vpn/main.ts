/**
 * `npm run lab:vpn`: the client's side of the exchange on a real Headscale and real Tailscale clients, in network
 * namespaces. Prints what each machine was told and what it said.
 *
 *   bun tests/lab/vpn/main.ts [--record]
 *
 * Exits 0 when everything was as it should be, 1 when not, 2 on an unknown option. Needs root; leaves nothing behind
 * but the programs that it built.
 */
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { versions } from "./binaries.ts";
import { playExchange } from "./exchange-story.ts";
import { Headscale } from "./headscale.ts";
import { Place } from "./place.ts";
import { record } from "./record.ts";

const usage = `Usage: npm run lab:vpn -- [--record]

Headscale ${versions.headscale} and Tailscale ${versions.tailscale} are built from their sources
when that has not been done yet: some minutes, and it needs Go 1.26. Everything else takes about a minute. Needs root.

  --record   keep the documents of this run, without keys, for the default tests
  --help     this text`;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function issuerAt(place: Place): Promise<string> {
  const script = join(import.meta.dirname, "issuer-process.ts");
  const daemon = place.daemon("issuer", "core", [process.execPath, script]);
  return until("the issuer", () => {
    daemon.mustRun();
    return /^http:\S+/m.exec(daemon.said())?.[0];
  });
}

async function play(isRecorded: boolean): Promise<void> {
  await using place = await Place.make(print);
  place.transcript.title("The core: an issuer of accounts, and the coordination server");
  const issuerUrl = await issuerAt(place);
  const headscale = new Headscale(place, issuerUrl);
  await headscale.start();
  const recording = await playExchange({ place, headscale, issuerUrl });
  if (isRecorded) {
    record(recording).forEach(print);
  }
}

async function main(words: readonly string[]): Promise<number> {
  if (words.includes("--help")) {
    print(usage);
    return 0;
  }
  const unknown = words.find((word) => word !== "--record");
  if (unknown !== undefined) {
    process.stderr.write(`Cannot take ${unknown}\n${usage}\n`);
    return 2;
  }
  const startedAtMs = performance.now();
  await play(words.includes("--record"));
  print(`\nAll was as it should be, after ${Math.round((performance.now() - startedAtMs) / 1000)} s.`);
  return 0;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => process.exit(signal === "SIGINT" ? 130 : 143));
}
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
