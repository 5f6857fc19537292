/**
 * What users and operators wait for, on the real gateway, generator and BIRD: from a lease to its route upstream, from
 * an order to no route, and how late a lease ends whose generator was killed, with a standby.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { GeneratorHome } from "../../contract/policy-generator/generator-home.ts";
import { Daemon } from "../../exchange/daemon.ts";
import { grantsOf } from "../../exchange/granted.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { ExchangeLab } from "../../lab/exchange/exchange-lab.ts";
import { GatewayProcess } from "../../lab/exchange/gateway-process.ts";
import { rogueAddress } from "../../lab/exchange/plan.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

const leased = "2001:db8:20ab::/48";
const asn = 65_000;
const pauseMs = 5;
/** From word of a lease's end to that end, in which the generator is killed. */
const leaseMs = 2000;
const standbySec = 3;
const endsSec = 9;

export const promises = [
  "lease to the route upstream",
  "everybody stopped to no route",
  "lease given back to no route",
  "a lease's end to its grant's, generator killed",
] as const;

/** Milliseconds of each round, in the order of `promises`. */
export async function measurePromises(rounds: number): Promise<number[][]> {
  const orders = await ordersOf(rounds);
  const standbys: number[] = [];
  for (let round = 0; round < rounds; round++) {
    standbys.push(await lateByStandby());
  }
  return [...orders, standbys];
}

/** A speaker announces all the time; the gateway decides when that is a route upstream. */
async function ordersOf(rounds: number): Promise<number[][]> {
  await using gateway = await GatewayProcess.start(leased);
  const user = sampleUser(66, { subject: GatewayProcess.subject, asn, leases: [] });
  const announcementsPerHour = 100_000;
  await using lab = await ExchangeLab.start({ users: [user], gatewayUrl: gateway.url, announcementsPerHour });
  await gateway.ask("POST", "/api/user/prefix", { duration_hours: 1 });
  await gateway.ask("DELETE", `/api/user/prefix/${encodeURIComponent(leased)}`);
  const session = await lab.rogue.dialUp(asn);
  lab.rogue.announce(session, { prefix: leased, path: [asn], nextHop: rogueAddress });
  const isReceived = () => lab.birds.upstream.hears(leased);
  const timed = async (method: string, path: string, body: object | undefined, heard: boolean) => {
    const startMs = performance.now();
    await gateway.ask(method, path, body);
    while ((await isReceived()) !== heard) {
      await Bun.sleep(pauseMs);
    }
    return performance.now() - startMs;
  };
  const elapsed: [number[], number[], number[]] = [[], [], []];
  const stop = "/admin/announcement-stop";
  for (let round = 0; round < rounds; round++) {
    elapsed[0].push(await timed("POST", "/api/user/prefix", { duration_hours: 1 }, true));
    elapsed[1].push(await timed("PUT", stop, { reason: "a bench" }, false));
    await timed("DELETE", stop, undefined, true);
    const own = `/api/user/prefix/${encodeURIComponent(leased)}`;
    elapsed[2].push(await timed("DELETE", own, undefined, false));
  }
  return elapsed;
}

/** The generator is killed when it has kept word of the lease's end; the standby sees to that. */
async function lateByStandby(): Promise<number> {
  const endsAt = (instantMs: number) =>
    sampleUser(1, { leases: [{ prefix: leased, end_time: new Date(instantMs).toISOString() }] });
  await using home = await GeneratorHome.open([endsAt(Date.now() + 3_600_000)]);
  writeFileSync(join(home.folder, "generator.yaml"), home.config(true, { standbySec, endsSec }));
  const start = (name: string, ...options: string[]) => {
    const command = [...vantageCommand, "policy-generator", "-c", "generator.yaml", ...options];
    return new Daemon(name, home.folder, command);
  };
  const isGranted = () => grantsOf(home.text()).length > 0;
  await using generator = start("generator");
  await until("the lease", isGranted);
  await using standby = start("standby", "--standby");
  await until("the standby", () => standby.said().includes("Stands by"));
  const endMs = Date.now() + leaseMs;
  home.sources.change([endsAt(endMs)]);
  const kept = Bun.file(join(home.folder, "state/inputs.json"));
  await until("word of its end", async () => (await kept.text()).includes(String(endMs)));
  await generator[Symbol.asyncDispose]();
  while (isGranted()) {
    await Bun.sleep(pauseMs);
  }
  return Date.now() - endMs;
}
