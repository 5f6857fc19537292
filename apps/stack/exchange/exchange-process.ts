/**
 * `vantage stack exchange`: an exchange server on one machine: BIRD, its policy generator, and a tunnel to one user,
 * until it is stopped. Needs root: for the tunnel, and for BIRD's port 179.
 */
import { lockDirectory } from "../../../lib/base/disk/directory-lock.ts";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { serve } from "../../../lib/engines/http/serve.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { askBird } from "../../../lib/peering/bird/control.ts";
import { makeService } from "../../peering/generator/service.ts";
import { birdAnswerMsMax } from "../limits.ts";
import { StopRequest, tellParent } from "../parent.ts";
import { DeviceSocket } from "./device-socket.ts";
import type { ExchangeFacts } from "./exchange-facts.ts";
import {
  type ExchangePaths,
  exchangePaths,
  generatorConfig,
  hasOwner,
  prepareExchange,
  writeEnvironment,
} from "./exchange-files.ts";
import { LoopbackRelay } from "./loopback-relay.ts";
import { needRoot } from "./need-root.ts";
import { carry, exchangeAddresses, makeTunnel, namespaceFile, removeTunnel } from "./tunnel.ts";

interface ExchangeOrder {
  readonly directory: string;
  /** URL of the probing gateway: where users log in. */
  readonly gateway: string;
  /** URL of the peering gateway. */
  readonly peeringGateway: string;
  /** URL of the issuer of their users' tokens; null = it is reached from everywhere. */
  readonly issuer: string | null;
  readonly hasParent: boolean;
}

/** Names of the tunnel's devices are the machine's: there can be one exchange. */
function lockMachine(): Disposable {
  try {
    return lockDirectory("/run/vantage-exchange", "an exchange");
  } catch (cause) {
    throw cannot("Cannot run an exchange: this machine has one, of another stack; stop that stack first", {
      cause,
    });
  }
}

/** Resolves when the process was stopped, and BIRD and the tunnel are gone. Rejects when BIRD ends by itself. */
export async function runExchange(order: ExchangeOrder): Promise<void> {
  needRoot();
  const { directory, gateway, peeringGateway, issuer } = order;
  using stop = new StopRequest(order.hasParent);
  await using owned = new AsyncDisposableStack();
  owned.use(lockMachine());
  const paths = exchangePaths(directory);
  tellParent({ kind: "step", text: "makes its tunnel" });
  const settings = await prepareExchange(directory);
  owned.defer(removeTunnel);
  await makeTunnel();
  const passedOn = [gateway, peeringGateway, ...(issuer === null ? [] : [issuer])];
  owned.use(await LoopbackRelay.open(passedOn, namespaceFile));
  writeEnvironment(directory, gateway, settings);
  const { platform, exchange } = settings;
  const isJoined = () => hasOwner(directory);
  const socket = paths.deviceSocket;
  owned.use(new DeviceSocket({ socket, isJoined, platformPrefixes: platform.prefixes, carry }));
  tellParent({ kind: "step", text: "starts BIRD" });
  const bird = await startBird(paths);
  owned.defer(bird.end);
  const config = generatorConfig(directory, settings, peeringGateway);
  const { app, loop } = makeService(config, { log: jsonLog("policy-generator"), nowMs: () => Date.now() });
  const listen = { ...config.listen, setting: "VANTAGE_POLICY_GENERATOR__ADDRESS" };
  owned.use(serve((request, connection) => app.fetch(request, connection), listen));
  owned.use(loop);
  await loop.start();
  const facts: ExchangeFacts = {
    asn: exchange.asn,
    address: exchangeAddresses.v4,
    environment: paths.environment,
  };
  tellParent({ kind: "ready", text: JSON.stringify(facts) });
  await Promise.race([stop.came, bird.failed]);
}

interface RunningBird {
  readonly end: () => Promise<void>;
  /** Rejects when BIRD ends by itself; never resolves. */
  readonly failed: Promise<never>;
}

/** It ends with this process, however that ends. Resolves when it answers. */
async function startBird({ birdConfig, birdSocket, birdPid }: ExchangePaths): Promise<RunningBird> {
  const command = ["bird", "-f", "-c", birdConfig, "-s", birdSocket, "-P", birdPid];
  const child = Bun.spawn(["setpriv", "--pdeathsig", "KILL", ...command], {
    env: { ...process.env, PATH: `${process.env.PATH ?? ""}:/usr/sbin:/sbin` },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "pipe",
  });
  const said = new Response(child.stderr).text();
  let isEnding = false;
  const failed = child.exited.then(async (code) => {
    const words = (await said).trim();
    return isEnding
      ? new Promise<never>(() => {})
      : Promise.reject(cannot(`BIRD has ended with exit code ${code}: ${words}`));
  });
  failed.catch(() => undefined);
  const end = async () => {
    isEnding = true;
    child.kill("SIGTERM");
    await child.exited;
  };
  try {
    await Promise.race([answers(birdSocket), failed]);
  } catch (error) {
    await end();
    throw error;
  }
  return { end, failed };
}

async function answers(socket: string): Promise<void> {
  const untilMs = performance.now() + birdAnswerMsMax;
  while (!(await isAnswering(socket))) {
    if (performance.now() > untilMs) {
      throw cannot(`BIRD does not answer in ${birdAnswerMsMax} ms; look into its log (journalctl -t bird)`);
    }
    await Bun.sleep(50);
  }
}

async function isAnswering(socket: string): Promise<boolean> {
  try {
    await askBird(socket, "show status");
    return true;
  } catch (error) {
    if (isFailure(error, "daemon")) {
      return false;
    }
    throw error;
  }
}
