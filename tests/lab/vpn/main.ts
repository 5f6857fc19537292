/**
 * `npm run lab:vpn`: the client's side of the exchange on a real Headscale and real Tailscale clients, in network
 * namespaces. Prints the commands and the output of each machine.
 *
 *   bun tests/lab/vpn/main.ts [exchange] [agents] [--record]
 *
 * Exits 0 when everything was as it should be, 1 when not, 2 on an unknown option. Needs root; leaves nothing behind
 * but the programs that it built.
 */
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { playAgents } from "./agent-story.ts";
import { versions } from "./binaries.ts";
import { playExchange } from "./exchange-story.ts";
import { Headscale } from "./headscale.ts";
import { VpnLab } from "./place.ts";
import { record } from "./record.ts";

const usage = `Usage: npm run lab:vpn -- [exchange] [agents] [--record]

  exchange   a login, a lease, a route, and packets from far away to the leased /48
  agents     an agent's broker behind an encrypted link: Tailscale, and plain WireGuard
  --record   keep the documents of the exchange, without keys, for the default tests
  --help     this text

Without a name, both. Headscale ${versions.headscale} and Tailscale ${versions.tailscale} are built from their sources
when that has not been done yet: some minutes, and it needs Go 1.26. Each story takes about a minute. Needs root.`;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function issuerAt(place: VpnLab): Promise<string> {
  const script = join(import.meta.dirname, "issuer-process.ts");
  const daemon = place.daemon("issuer", "core", [process.execPath, script]);
  return until("the issuer", () => {
    daemon.mustRun();
    return /^http:\S+/m.exec(daemon.said())?.[0];
  });
}

type Story = (place: VpnLab, headscale: Headscale, issuerUrl: string) => Promise<void>;

/** Each on a network, and with a coordination server, of its own. */
async function play(policy: string, story: Story): Promise<void> {
  await using place = await VpnLab.make(print);
  place.transcript.title("The core: an issuer of accounts, and the coordination server");
  const issuerUrl = await issuerAt(place);
  const headscale = new Headscale(place, { issuerUrl, policy });
  await headscale.start();
  await story(place, headscale, issuerUrl);
}

async function playExchangeAnd(isRecorded: boolean): Promise<void> {
  await play("policy.hujson", async (place, headscale, issuerUrl) => {
    const recording = await playExchange({ place, headscale, issuerUrl });
    if (isRecorded) {
      record(recording).forEach(print);
    }
  });
}

async function main(words: readonly string[]): Promise<number> {
  if (words.includes("--help")) {
    print(usage);
    return 0;
  }
  const unknown = words.find((word) => !["exchange", "agents", "--record"].includes(word));
  if (unknown !== undefined) {
    process.stderr.write(`Cannot take ${unknown}\n${usage}\n`);
    return 2;
  }
  const isWanted = (name: string) => words.includes(name) || words.every((word) => word.startsWith("--"));
  const startedAtMs = performance.now();
  print(`Headscale ${versions.headscale}, Tailscale ${versions.tailscale}`);
  if (isWanted("exchange")) {
    await playExchangeAnd(words.includes("--record"));
  }
  if (isWanted("agents")) {
    await play("policy-agents.hujson", playAgents);
  }
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
