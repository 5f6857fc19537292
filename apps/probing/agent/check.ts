/**
 * `vantage agent check`: checks this host for everything the agent needs, with a remedy for each problem.
 */
import { mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { Hotpath } from "../../../ffi/hotpath/hotpath.ts";
import { SystemError } from "../../../ffi/libc.ts";
import { findLink, type Link } from "../../../ffi/netlink/link.ts";
import { askNeighbour, readNeighbour } from "../../../ffi/netlink/neighbour.ts";
import { lookupRoute, routesOf } from "../../../ffi/netlink/route.ts";
import { embeddedFolder } from "../../../lib/base/api/embedded-folder.ts";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { type Address, formatAddress } from "../../../lib/net/ip/address.ts";
import { formatPrefix, type Prefix, prefixMask } from "../../../lib/net/ip/prefix.ts";
import { topicPartitions, topicRetentionMs } from "../../../lib/net/wire/target-header.ts";
import { checkGateway } from "./check-gateway.ts";
import { type CheckResult, messageOf, ok, problem } from "./check-result.ts";
import type { AgentConfig } from "./config/config.ts";
import { Destinations } from "./consume/destinations.ts";
import { openBackEnd } from "./engine/back-end.ts";
import { findInstance, type Instance } from "./instances.ts";
import { asFolderOwner, openStateFolder } from "./state-folder.ts";
import { destinationFiles } from "./workers.ts";

/** Bit of CAP_NET_RAW in a capability mask (capabilities(7)). */
const netRawBit = 13n;
const brokerWaitMs = 6000;
const neighbourWaitMs = 3000;
const pollMs = 50;
/** A clock that was never set starts in 1970, or at the date of its firmware. */
const earliestYear = 2025;

export async function runChecks(config: AgentConfig): Promise<CheckResult[]> {
  const { agentId, probers } = config;
  return [
    ok("configuration", `agent ${agentId}, ${probers.length} prober(s)`),
    checkStateFolder(config),
    checkCapability(config),
    ...(
      await Promise.all(probers.map((prober) => checkProber(() => findInstance(prober), prober.name)))
    ).flat(),
    checkDestinations(config),
    await checkBroker(config),
    ...(await checkGateway(config)),
    checkClock(new Date()),
  ];
}

/** Leaves the folder to the agent: one that root creates here would not be the agent user's. */
function checkStateFolder({ stateDir }: AgentConfig): CheckResult {
  try {
    if (canBeCreated(stateDir)) {
      return ok("state folder", `${stateDir}: ${createdLater}`);
    }
    asFolderOwner(stateDir, () => openStateFolder(stateDir));
    return ok("state folder", stateDir);
  } catch (error) {
    return problem("state folder", messageOf(error));
  }
}

const createdLater = "created when the agent starts";

/** Creates the folder and removes it again; false where it exists. Throws Error where it cannot be created. */
function canBeCreated(folder: string): boolean {
  try {
    const first = mkdirSync(folder, { recursive: true });
    for (let path = folder; first !== undefined && path.length >= first.length; path = dirname(path)) {
      // Fails where someone else has put a file meanwhile, which stays.
      rmdirSync(path);
    }
    return first !== undefined;
  } catch (error) {
    throw new Error(`Cannot use the folder ${folder}: ${systemReason(error)}`);
  }
}

function checkDestinations(config: AgentConfig): CheckResult {
  try {
    Destinations.read(destinationFiles(config));
    return ok("destinations", "every list can be read");
  } catch (error) {
    return problem("destinations", messageOf(error));
  }
}

function checkCapability({ probers }: AgentConfig): CheckResult {
  if (probers.every(({ dryRun }) => dryRun)) {
    return ok("capability", "not needed: all probers are dry");
  }
  const mask = /^CapEff:\s*([\da-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
  return (BigInt(`0x${mask}`) >> netRawBit) & 1n
    ? ok("capability", "CAP_NET_RAW")
    : problem("capability", "no CAP_NET_RAW: run as root, or grant it (setcap cap_net_raw+ep FILE)");
}

async function checkProber(find: () => Instance, name: string): Promise<CheckResult[]> {
  let instance: Instance;
  try {
    instance = find();
  } catch (error) {
    return [problem(`prober ${name}`, messageOf(error))];
  }
  const { interfaceName, dryRun, prefixes } = instance;
  if (dryRun) {
    return [ok(`prober ${name}`, "dry: sends nothing")];
  }
  const link = findLink(interfaceName);
  if (link === null) {
    return [problem(`interface of ${name}`, `there is no ${interfaceName} (see: ip link)`)];
  }
  if (!link.up) {
    return [problem(`interface of ${name}`, `${interfaceName} is down: ip link set ${interfaceName} up`)];
  }
  const families = [...new Set(prefixes.map(({ family }) => family))];
  return [
    ok(`interface of ${name}`, `${interfaceName} is up`),
    ...checkBackEnd(name, link, instance.backEnd),
    ...(
      await Promise.all(families.map((family) => checkRoutes(name, link.index, interfaceName, family)))
    ).flat(),
    ...prefixes.map((prefix) => checkSource(name, prefix)),
  ];
}

/** Opens the interface like a sender, and closes it. A missing privilege is reported once, by checkCapability. */
function checkBackEnd(name: string, link: Link, wanted: Instance["backEnd"]): CheckResult[] {
  const what = `back end of ${name}`;
  try {
    const { sender, instead } = openBackEnd(new Hotpath(), link, wanted);
    using _opened = sender;
    return [ok(what, instead === null ? sender.backEnd : `${sender.backEnd}, not ${wanted}: ${instead}`)];
  } catch (error) {
    const isPrivilege = error instanceof SystemError && error.errnoName === "EPERM";
    return isPrivilege ? [] : [problem(what, messageOf(error))];
  }
}

async function checkRoutes(
  name: string,
  index: number,
  interfaceName: string,
  family: 4 | 6,
): Promise<CheckResult[]> {
  const what = `IPv${family} routes of ${name}`;
  const routes = routesOf(index, family);
  if (routes.length === 0 && interfaceName !== "lo") {
    const advice = `ip -${family} route add default via GATEWAY dev ${interfaceName}`;
    return [problem(what, `none by ${interfaceName}: ${advice}`)];
  }
  const gateways = [...new Map(routes.flatMap(gatewayEntry)).values()];
  const silent = await Promise.all(
    gateways.map(async (gateway) => ((await answers(index, gateway)) ? [] : [formatAddress(gateway)])),
  );
  const dead = silent.flat();
  return [
    ok(what, `${routes.length} by ${interfaceName}`),
    dead.length === 0
      ? ok(`IPv${family} gateways of ${name}`, gateways.map(formatAddress).join(", ") || "none needed")
      : problem(
          `IPv${family} gateways of ${name}`,
          `${dead.join(", ")} does not answer on ${interfaceName}; is it up, and on this link?`,
        ),
  ];
}

function gatewayEntry({ gateway }: { readonly gateway: Address | null }): [string, Address][] {
  return gateway === null ? [] : [[formatAddress(gateway), gateway]];
}

async function answers(index: number, gateway: Address): Promise<boolean> {
  if (findLink(index)?.layer !== "ethernet") {
    return true;
  }
  const untilMs = performance.now() + neighbourWaitMs;
  for (askNeighbour(index, gateway); performance.now() < untilMs; await Bun.sleep(pollMs)) {
    if (readNeighbour(index, gateway).status === "known") {
      return true;
    }
  }
  return false;
}

/**
 * A prefix that is on no interface needs a local route, or this host forwards arriving packets back up the default
 * route.
 */
function checkSource(name: string, prefix: Prefix): CheckResult {
  const what = `source of ${name}`;
  const route = lookupRoute({ destination: sampleAddress(prefix) });
  if (!route.ok || route.gateway === null) {
    return ok(what, `${formatPrefix(prefix)} ends at this host`);
  }
  const command = `ip -${prefix.family} route add blackhole ${formatPrefix(prefix)}`;
  const back = findLink(route.interfaceIndex)?.name ?? "another interface";
  return problem(what, `answers to ${formatPrefix(prefix)} would go back to ${back}: ${command}`);
}

/** The last host of the prefix: if some host is not on an interface, this one is not. */
function sampleAddress(prefix: Prefix): Address {
  const mask = prefixMask(prefix);
  const bits = prefix.family === 4 ? 32 : 128;
  const last = prefix.base.map((byte, i) => byte | (~(mask[i] ?? 0xff) & 0xff));
  if (bits - prefix.length >= 2) {
    last[15] = (last[15] ?? 0) & 0xfe;
  }
  return last;
}

/**
 * Creates missing topics, like the agent, which also checks its permissions; but no embedded log, which would be
 * root's instead of its service's.
 */
async function checkBroker({ broker }: AgentConfig): Promise<CheckResult> {
  const { address, login, group, probesTopics, repliesTopic } = broker;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("it does not answer")), brokerWaitMs);
  const folder = embeddedFolder("broker", address);
  try {
    if (folder !== null && canBeCreated(folder)) {
      return ok("broker", `${address}: ${createdLater}`);
    }
    // The broker call times out first, so that its reason is reported.
    await using opened = await openBroker(address, { login, giveUpMs: brokerWaitMs / 2 });
    const ensure = (name: string) =>
      opened.ensureTopic({ name, partitions: topicPartitions, retentionMs: topicRetentionMs });
    for (const name of probesTopics) {
      await Promise.race([ensure(name).then(() => opened.positions(group, name)), late.promise]);
    }
    if (repliesTopic !== null) {
      await Promise.race([ensure(repliesTopic), late.promise]);
    }
    return ok("broker", address);
  } catch (error) {
    return problem("broker", `${address}: ${messageOf(error)} (see: kafka.brokers)`);
  } finally {
    clearTimeout(timer);
  }
}

function checkClock(now: Date): CheckResult {
  return now.getUTCFullYear() >= earliestYear
    ? ok("clock", now.toISOString())
    : problem("clock", `it is at ${now.toISOString()}: set it, and keep it synchronised by NTP`);
}
