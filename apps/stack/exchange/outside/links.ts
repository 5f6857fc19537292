/** Namespaces of the upstreams, and their links: made anew at each start. */
import { hasDevice, ip, ipIn } from "../ip-command.ts";
import { type Upstream, upstreams } from "./plan.ts";

/** Names of the ends within the namespaces. */
const toExchange = "exchange";
const toPeer = "peer";

/** Rejects with an Error that says what `ip` has said. */
export async function makeLinks(): Promise<void> {
  // Of a process that was killed; its BIRDs have ended with it.
  await removeLinks();
  const [first, second] = upstreams;
  for (const one of upstreams) {
    await ip(`netns add ${one.namespace}`);
    await ip(`link add ${one.device} type veth peer name ${toExchange} netns ${one.namespace}`);
  }
  await ip(
    `-n ${first.namespace} link add ${toPeer} type veth peer name ${toPeer} netns ${second.namespace}`,
  );
  for (const one of upstreams) {
    await setUp(one);
  }
}

async function setUp({ namespace, device, link, peerAddress }: Upstream): Promise<void> {
  await ip(
    `link set ${device} up`,
    `-6 address add ${link.exchange}/64 dev ${device} nodad`,
    `-6 address add ${link.collector}/64 dev ${device} nodad`,
  );
  await ipIn(
    namespace,
    "link set lo up",
    `link set ${toExchange} up`,
    `-6 address add ${link.upstream}/64 dev ${toExchange} nodad`,
    `link set ${toPeer} up`,
    `-6 address add ${peerAddress}/64 dev ${toPeer} nodad`,
  );
}

/** Never rejects: it is the end. A link is gone with either of its ends. */
export async function removeLinks(): Promise<void> {
  for (const { device, namespace } of upstreams) {
    if (await hasDevice(device)) {
      await ip(`link del ${device}`).catch(() => undefined);
    }
    await ip(`netns del ${namespace}`).catch(() => undefined);
  }
}
