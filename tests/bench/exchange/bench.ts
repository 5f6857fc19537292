/**
 * `bench exchange`: an exchange with many users, each with a session and a route. How long a policy takes to make, to
 * come into force at the daemon, and to take one route away; and what its users and operators wait for (promises.ts).
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PolicyFile } from "../../../apps/peering/generator/daemon/policy-file.ts";
import { readHeadscaleNodes } from "../../../lib/peering/policy/headscale-nodes.ts";
import { joinDevices as joinUsers } from "../../../lib/peering/policy/join.ts";
import { readMappings } from "../../../lib/peering/policy/mapping.ts";
import { policyAt, rejectAll } from "../../../lib/peering/policy/policy.ts";
import { type PolicyText, policyText } from "../../../lib/peering/policy/policy-text.ts";
import { Bird } from "../../exchange/daemon.ts";
import { issuer, mappingsAnswer, nodesAnswer, type SampleUser, sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { exchangeConfiguration } from "../../lab/exchange/configurations.ts";
import { ExchangeNet } from "../../lab/exchange/exchange-net.ts";
import { RogueSpeaker } from "../../lab/exchange/rogue-speaker.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { measurePromises, promises } from "./promises.ts";

const usersDefault = 1000;
/** BIRD's queue of those who dial is short. */
const dialsAtOnce = 8;
const range = "100.64.128.0/17";
/** One for each user, as the default pool has only a thousand. */
const pool = { start: 1, end: 65_999 };
const subjects = ["answers of the sources to a policy", "policy to active", "policy to the route gone"];

export async function benchExchange(options: BenchOptions, folder: string): Promise<BenchReport> {
  const users = Array.from({ length: options.count ?? usersDefault }, (_, n) => userOf(n));
  const rounds = new Map([...subjects, ...promises].map((subject): [string, number[]] => [subject, []]));
  for (const [i, elapsedMs] of (await measurePromises(options.rounds)).entries()) {
    rounds.get(promises[i] ?? "")?.push(...elapsedMs);
  }
  await measurePolicies(users, folder, options.rounds, rounds);
  return {
    bench: "exchange",
    what: `An exchange with ${users.length} users, each with a session and a route`,
    subjects: [...rounds.keys()],
    references: [],
    figures: [{ unit: "ms", decimals: 1, rounds }],
    notes: [
      "Active: parsed by a separate BIRD, renamed, configured, queried. BIRD 2.0.12.",
      "From the lease on: one user, on the gateway with PostgreSQL; the standby waits 3 s for its generator.",
    ],
  };
}

async function measurePolicies(
  users: readonly SampleUser[],
  folder: string,
  count: number,
  rounds: ReadonlyMap<string, number[]>,
): Promise<void> {
  using net = await ExchangeNet.start();
  await net.giveRange(range);
  const policyPath = join(folder, "policy.conf");
  writeFileSync(policyPath, policyText(rejectAll).text);
  const config = join(folder, "exchange.conf");
  writeFileSync(config, exchangeConfiguration(policyPath));
  const within = (command: string[]) => net.at("exchange", command);
  await using bird = await Bird.start("exchange", { folder, file: config, within });
  await using speaker = new RogueSpeaker((command) => net.at("rogue", command));
  const file = new PolicyFile({ path: policyPath, controlSocket: bird.socket, checkCommand: "bird" });
  await file.put(makePolicy(users));
  await dialAll(speaker, bird, users);
  for (let round = 0; round < count; round++) {
    for (const [subject, elapsedMs] of Object.entries(await measure(users, round, { file, bird }))) {
      rounds.get(subject)?.push(elapsedMs);
    }
  }
}

function userOf(n: number): SampleUser {
  const v4 = `100.64.${128 + (n >> 8)}.${n & 255}`;
  return sampleUser(n, { asn: 1 + n, devices: [[v4]] });
}

function makePolicy(users: readonly SampleUser[]): PolicyText {
  const mappings = readMappings(mappingsAnswer(users), pool)?.mappings ?? [];
  const nodes = readHeadscaleNodes(nodesAnswer(users))?.nodes ?? [];
  const membership = joinUsers({ mappings, nodes, excluded: [] }, { issuer, allowEmailJoin: false });
  return policyText(
    policyAt(membership, { nowMs: Date.now(), suspended: new Map(), held: new Map(), emails: new Map() }),
  );
}

async function dialAll(speaker: RogueSpeaker, bird: Bird, users: readonly SampleUser[]): Promise<void> {
  for (let start = 0; start < users.length; start += dialsAtOnce) {
    await Promise.all(users.slice(start, start + dialsAtOnce).map((user) => announce(speaker, user)));
  }
  await until("all routes", async () => (await userRoutes(bird)) === users.length);
}

async function announce(speaker: RogueSpeaker, { asn, devices, leases }: SampleUser): Promise<void> {
  const source = devices[0]?.[0] ?? "";
  const session = await speaker.dialUp(asn, { source, routerId: source });
  speaker.announce(session, { prefix: leases[0]?.prefix ?? "", path: [asn], nextHop: source });
}

async function userRoutes(bird: Bird): Promise<number> {
  const lines = await bird.ask('show route where proto ~ "peering_*" count');
  const [, count] = /^(\d+) of .* table master6$/m.exec(lines.join("\n")) ?? [];
  return Number(count ?? 0);
}

/** The user of the round loses the lease, and gets it back. */
async function measure(users: readonly SampleUser[], round: number, at: { file: PolicyFile; bird: Bird }) {
  const user = users[round % users.length];
  const fewer = users.map((one) => (one === user ? { ...one, leases: [] } : one));
  const startMs = performance.now();
  const policy = makePolicy(fewer);
  const madeMs = performance.now();
  await at.file.put(policy);
  const forceMs = performance.now();
  await until("one route less", async () => (await userRoutes(at.bird)) === users.length - 1);
  const goneMs = performance.now();
  await at.file.put(makePolicy(users));
  await until("the route again", async () => (await userRoutes(at.bird)) === users.length);
  const elapsed = [madeMs - startMs, forceMs - madeMs, goneMs - madeMs];
  return Object.fromEntries(subjects.map((subject, i) => [subject, elapsed[i] ?? 0]));
}
