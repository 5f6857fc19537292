/** The faults, in the order in which they are played. */
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Counters, receiverCounterNames } from "../../apps/probing/agent/engine/counters.ts";
import { keptNames } from "../../apps/probing/agent/engine/shared-memory.ts";
import { interfaceTo } from "../lab/routing.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import type { AcceptedAnswer } from "./campaign.ts";
import type { Fault } from "./fault.ts";
import type { FaultName } from "./fault-names.ts";
import { freeze } from "./frozen.ts";
import { fullDisk } from "./full-disk.ts";
import type { Kill } from "./kill-trace.ts";
import type { Measuring } from "./measuring.ts";
import type { FaultOptions } from "./options.ts";
import { until } from "./patience.ts";
import { linesOf } from "./probe-space.ts";
import type { Scene } from "./scene.ts";
import type { Supervised } from "./supervised.ts";
import { routerNode, type Vantage } from "./topology.ts";

/** A client is killed later and later after its start, until it has done its work before. */
const clientKillStepMs = 60;
const clientMsMax = 20_000;
/** Exit code of `vantage send`: the others have the measurement. */
const someTookNoPart = 3;

/** Those that were asked for. */
export function faultsOf(scene: Scene, options: FaultOptions): Fault[] {
  const all = [...outages(scene, options.outageMs), ...kills(scene), fullDisk(scene, options)];
  return all.filter(({ name }) => options.faults.includes(name));
}

function outages({ engines, main }: Scene, outageMs: number): Fault[] {
  const outage = (name: FaultName, what: string, play: () => Promise<void>): Fault => ({
    ...{ name, what, play, killsAgent: false },
  });
  const frozen = (name: FaultName, what: string, pid: () => number) =>
    outage(name, what, async () => {
      const thaw = freeze(pid());
      await Bun.sleep(outageMs);
      thaw();
    });
  const away = (name: FaultName, what: string, engine: Engine) =>
    outage(name, what, async () => {
      await engine.kill();
      await Bun.sleep(outageMs);
      await engine.startAgain();
    });
  return [
    away("kafka-killed", "Kafka killed, started again", engines.kafka),
    frozen("kafka-stopped", "Kafka stopped by SIGSTOP", () => engines.kafka.pid),
    away("postgres-killed", "PostgreSQL killed, started again", engines.postgres),
    frozen("postgres-stopped", "PostgreSQL stopped by SIGSTOP", () => engines.postgres.pid),
    frozen("store-stopped", "column store stopped by SIGSTOP", () => engines.store.pid),
    frozen("ingester-stopped", "ingester stopped by SIGSTOP", () => main.ingester.pid),
  ];
}

interface Engine {
  kill(): Promise<void>;
  startAgain(): Promise<void>;
}

function kills(scene: Scene): Fault[] {
  const { main, peering } = scene;
  const killed = (name: FaultName, process: Supervised): Fault => ({
    ...{ name, what: name.replaceAll("-", " "), killsAgent: false },
    play: () => process.kill(),
  });
  return [
    killed("store-killed", scene.engines.store),
    killed("ingester-killed", main.ingester),
    killed("probing-gateway-killed", main.gateway),
    killed("peering-gateway-killed", peering.gateway),
    killed("policy-generator-killed", peering.generator),
    killedAgent(main),
    {
      name: "client-killed",
      what: "vantage send killed, again and again",
      killsAgent: false,
      prepare: () => until("healthy agents", () => main.areAgentsWell()).then(() => undefined),
      play: () => killedClients(scene),
    },
  ];
}

/** The first one. */
function killedAgent(side: Measuring): Fault {
  const [agent, process] = [side.plan.agents[0], side.agents[0]];
  let kill: Kill | null = null;
  return {
    ...{ name: "agent-killed", what: "agent killed", killsAgent: true },
    kill: () => kill,
    async play() {
      await process?.kill();
      const endedAtMs = Date.now();
      // Before the next one begins to count in its place.
      const handedOver = agent === undefined ? 0 : captured(side, agent);
      kill = { agentId: agent?.id ?? "", endedAtMs, handedOver };
    },
  };
}

/** Answers that the captures of an agent had handed over, as the memory says that it has left. */
function captured({ plan }: Measuring, { id }: Vantage): number {
  const name = keptNames.captureCounters(interfaceTo(routerNode));
  const bytes = readFileSync(join(plan.folder, plan.name, id, "memory", name));
  const counters = new SharedArrayBuffer(bytes.length);
  new Uint8Array(counters).set(bytes);
  return new Counters(receiverCounterNames, counters).get("reply_matched");
}

/** The same command line each time, as a person or a script repeats it. */
async function killedClients({ campaign, folder }: Scene): Promise<void> {
  const { from, to } = campaign.take(Math.ceil(campaign.size / 20));
  const file = join(folder, "probes.csv");
  writeFileSync(file, linesOf(from, to));
  const place = ["--gateway", campaign.measuring.url, "--agent", campaign.targets, "--output", "json"];
  const command = ["send", ...place, "--idempotency-key", randomUUID(), file];
  for (let killAfterMs = clientKillStepMs; killAfterMs < clientMsMax; killAfterMs *= 1.5) {
    const child = Bun.spawn([...vantageCommand, ...command], {
      env: { ...process.env, VANTAGE_TOKEN: "none" },
      ...{ stdin: "ignore", stdout: "pipe", stderr: "inherit" },
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    const said = await new Response(child.stdout).text();
    const exitCode = await child.exited;
    clearTimeout(timer);
    if (exitCode === 0 || exitCode === someTookNoPart) {
      const { measurement_id: id, agents } = JSON.parse(said) as SendAnswer;
      campaign.accepted({ id, agents }, from, to);
      return;
    }
  }
  throw new Error("vantage send does not come to an end");
}

interface SendAnswer extends Pick<AcceptedAnswer, "agents"> {
  readonly measurement_id: string;
}
