/**
 * `vantage stack exchange`: an exchange server on one machine: BIRD, its policy generator, and a tunnel to one user,
 * until it is stopped. Needs root: for the tunnel, and for BIRD's port 179.
 */
import { lockDirectory } from "../../../lib/base/disk/directory-lock.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { complain } from "../../../lib/command/command/complain.ts";
import { serve } from "../../../lib/engines/http/serve.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { makeService } from "../../peering/generator/service.ts";
import { StopRequest, tellParent } from "../parent.ts";
import { startBird } from "./bird-process.ts";
import { DeviceSocket } from "./device-socket.ts";
import type { ExchangeFacts } from "./exchange-facts.ts";
import {
  exchangePaths,
  generatorConfig,
  hasOwner,
  prepareExchange,
  writeEnvironment,
} from "./exchange-files.ts";
import { LoopbackRelay } from "./loopback-relay.ts";
import { needRoot } from "./need-root.ts";
import { hasUpstreams, Outside } from "./outside/outside.ts";
import { neighborNames } from "./outside/plan.ts";
import { carry, exchangeAddresses, makeTunnel, namespaceFile, removeTunnel } from "./tunnel.ts";

const name = "stack exchange";

interface ExchangeOrder {
  readonly directory: string;
  /** Address of the broker, to which the collector publishes. */
  readonly broker: string;
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
  const { directory, broker, gateway, peeringGateway, issuer } = order;
  using stop = new StopRequest(order.hasParent);
  await using owned = new AsyncDisposableStack();
  owned.use(lockMachine());
  const paths = exchangePaths(directory);
  tellParent({ kind: "step", text: "makes its tunnel" });
  const settings = await prepareExchange(directory);
  owned.defer(removeTunnel);
  await makeTunnel();
  const { platform, exchange } = settings;
  const isJoined = () => hasOwner(directory);
  const socket = paths.deviceSocket;
  owned.use(new DeviceSocket({ socket, isJoined, platformPrefixes: platform.prefixes, carry }));
  tellParent({ kind: "step", text: "starts BIRD" });
  const outside = hasUpstreams(settings) ? await Outside.start({ directory, broker, settings }) : null;
  if (outside === null) {
    const reason = `${paths.settings} does not name the stack's upstreams, so they and the collector are not started`;
    complain(name, `${reason}; to get them, move that file and restart`);
  }
  owned.use(outside);
  const collector = outside?.collector ?? null;
  const passedOn = [gateway, peeringGateway, issuer, collector].filter((url) => url !== null);
  owned.use(await LoopbackRelay.open(passedOn, namespaceFile));
  writeEnvironment(directory, { gateway, collector }, settings);
  const { birdConfig, birdSocket, birdPid } = paths;
  const bird = await startBird({
    config: birdConfig,
    socket: birdSocket,
    pid: birdPid,
    namespace: null,
    name: "BIRD",
  });
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
    outside: collector === null ? null : { upstreams: neighborNames, collector },
    environment: paths.environment,
  };
  tellParent({ kind: "ready", text: JSON.stringify(facts) });
  await Promise.race([stop.came, bird.failed]);
}
