/** What breaks: each container's main process, each machine's plug, the platform for minutes. What works afterwards? */
import { until } from "../../exchange/until.ts";
import { LabError } from "../namespaces.ts";
import { type Client, status } from "./client-story.ts";
import { clientWorks, exchangeWorks, platformWorks } from "./function.ts";
import type { Place } from "./place.ts";
import type { Table } from "./table.ts";

type Name = "platform" | "exchange" | "user" | "agent";

interface Faults {
  readonly place: Place;
  readonly table: Table;
  readonly client: Client;
}

/** Without these no lease becomes a route; without the others of an exchange server, those that there are stay. */
const carryLeases = ["policy-generator", "exchange-bird"];

/** Each main process once, and then a wait for what the machine is for. */
export async function killMainProcesses({ place, table, client }: Faults): Promise<void> {
  for (const name of ["platform", "exchange", "user", "agent"] as const) {
    for (const { service } of await running(place, name)) {
      await table.tryStep(`${name}: main process of ${service} killed; it works again`, async () => {
        const pid = await processOf(place, name, service);
        await place.at(name, ["kill", "-9", pid]);
        await restarted(place, name, service, pid);
        const isOfLeases = name !== "exchange" || carryLeases.includes(service);
        await (isOfLeases ? works({ place, table, client }, name) : clientWorks(place, client));
      });
    }
  }
}

/** As Tailscale 1.94 comes up sometimes, when a peer has started at the same moment. */
export async function loseAddress({ place, table, client }: Faults): Promise<void> {
  await table.tryStep("exchange: its device without an address; it works again", async () => {
    await place.at("exchange", "ip -4 address flush dev tailscale0");
    await until("the address", () =>
      place
        .at("exchange", "ip -4 address show dev tailscale0 | grep -c inet || true")
        .then((count) => count.trim() === "1"),
    );
    await works({ place, table, client }, "exchange");
  });
}

export async function pullPlugs({ place, table, client }: Faults): Promise<void> {
  for (const name of ["user", "agent", "exchange", "platform"] as const) {
    await table.tryStep(`${name}: unplugged and on again; it works again`, async () => {
      await place.machines[name].pullThePlug();
      await place.restart(name);
      await works({ place, table, client }, name);
    });
  }
}

/** While it is unavailable, what users have must go on. */
export async function withoutPlatform({ place, table, client }: Faults, minutes: number): Promise<void> {
  await place.machines.platform.pullThePlug();
  await table.tryStep(`platform: off for ${minutes} min; session and packets of the user go on`, async () => {
    const endMs = performance.now() + minutes * 60_000;
    for (let misses = 0; performance.now() < endMs; await Bun.sleep(10_000)) {
      const { exchanges } = await status(place, client.name);
      const isUp = exchanges.some(({ is_up }) => is_up) && (await place.isReached(client.address));
      misses = isUp ? 0 : misses + 1;
      if (misses === 3) {
        throw new LabError("Three times in 20 s there was no session or no answer from the /48");
      }
    }
  });
  await table.tryStep("platform: on again; all works again", async () => {
    await place.restart("platform");
    await works({ place, table, client }, "platform");
    await works({ place, table, client }, "exchange");
  });
}

async function works({ place, client }: Faults, name: Name): Promise<void> {
  switch (name) {
    case "user":
      await clientWorks(place, client);
      break;
    case "exchange":
      await exchangeWorks(place, client);
      break;
    default:
      await platformWorks(place);
  }
}

interface Running {
  readonly service: string;
  readonly pid: string;
}

const inspect = '{{index .Config.Labels "com.docker.compose.service"}} {{.State.Pid}} {{.State.Running}}';

/** Containers that run, by the processes that the engine started. */
async function running(place: Place, name: Name): Promise<Running[]> {
  const said = await place.at(name, `docker ps --quiet | xargs -r docker inspect --format '${inspect}'`);
  return said
    .trim()
    .split("\n")
    .map((line) => line.split(" "))
    .map(([service = "", pid = ""]) => ({ service, pid }));
}

/** As of now: one whose health failed after another's end may have been started again since. */
async function processOf(place: Place, name: Name, service: string): Promise<string> {
  const found = (await running(place, name)).find((one) => one.service === service);
  if (found === undefined) {
    throw new LabError(`${service} does not run`);
  }
  return found.pid;
}

/** Until the engine has started it again. */
async function restarted(place: Place, name: Name, service: string, pid: string): Promise<void> {
  for (const endMs = performance.now() + 60_000; performance.now() < endMs; await Bun.sleep(500)) {
    if ((await running(place, name)).some((one) => one.service === service && one.pid !== pid)) {
      return;
    }
  }
  throw new LabError(`${service} was not started again within 60 s`);
}
