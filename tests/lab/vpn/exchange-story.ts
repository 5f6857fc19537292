/**
 * The first story of the lab: a person joins the VPN with the platform's account, leases a /48, announces it, and is
 * reached there from far away through the tunnel, until the lease ends.
 */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { LabError } from "../namespaces.ts";
import { ExchangeServer } from "./exchange-server.ts";
import type { Headscale } from "./headscale.ts";
import { isReached, showPackets } from "./packets.ts";
import { startPeeringGateway } from "./peering-gateway.ts";
import { type VpnLab, vantage } from "./place.ts";
import * as plan from "./plan.ts";
import { TailscaleNode } from "./tailscale-node.ts";
import { UserSide } from "./user-side.ts";

/** The devices have to come back within one second. */
const lossesMax = 10;

/** As identity providers name people: with a character that the coordination server percent-encodes. */
const person = "auth0|alice";

/** What tailscaled and the coordination server said while the route was carried, as text. */
export interface Recording {
  readonly nodes: string;
  readonly status: string;
  readonly prefs: string;
  /** While tailscaled waited for the person. */
  readonly loggedOut: string;
}

interface Scene {
  readonly place: VpnLab;
  readonly headscale: Headscale;
  readonly issuerUrl: string;
}

export async function playExchange(scene: Scene): Promise<Recording> {
  const { place } = scene;
  const exchange = await startExchange(scene);
  const { user, loggedOut } = await joinUser(scene);
  const { side, environment } = await leaseAndAnnounce(scene, { user, exchange });
  await showPackets(place);
  await loseTheServer(scene);
  place.transcript.title("Is all as it should be?");
  await side.doctor();
  const recording = {
    nodes: await scene.headscale.nodeList(),
    status: await user.document("status"),
    prefs: await user.document("prefs"),
    loggedOut,
  };
  await endLease(scene, { exchange, side, environment });
  return recording;
}

async function startExchange(scene: Scene): Promise<ExchangeServer> {
  const { place, headscale, issuerUrl } = scene;
  const { transcript } = place;
  transcript.title("The exchange server joins by a key that carries its tag");
  await startPeeringGateway(place, issuerUrl);
  const ixp = new TailscaleNode(place, "ixp");
  await ixp.start();
  const key = await headscale.machineKey("tag:exchange");
  await ixp.joinByKey(
    key,
    "--hostname=ixp-lab",
    "--accept-routes",
    `--advertise-routes=${plan.internetRange}`,
  );
  const address = await ixp.address("-4");
  const exchange = await ExchangeServer.start(place, address);
  await exchange.startGenerator(address, { headscale, issuerUrl });
  await transcript.check("the upstream's route is in the exchange's table", () =>
    exchange.bird.hears(plan.farPrefix),
  );
  return exchange;
}

async function joinUser({ place }: Scene): Promise<{ user: TailscaleNode; loggedOut: string }> {
  place.transcript.title("A person joins with the platform's account, in a browser");
  const user = new TailscaleNode(place, "user");
  await user.start();
  let loggedOut = "";
  const logIn = async (url: string) => {
    loggedOut = await user.document("status");
    await logInToVpn(place, url, person);
  };
  await user.joinByLogin(logIn, "--hostname=alice", "--accept-routes");
  await user.show("status");
  return { user, loggedOut };
}

async function leaseAndAnnounce(
  { place, headscale, issuerUrl }: Scene,
  { user, exchange }: { user: TailscaleNode; exchange: ExchangeServer },
) {
  const { transcript } = place;
  transcript.title("A lease at the peering gateway, by the token of the same account");
  const token = await tokenOf(place, issuerUrl, person);
  const environment = { VANTAGE_TOKEN: token, VANTAGE_PEERING_GATEWAY: plan.gatewayUrl };
  await transcript.run("user", [...vantage, "peering", "prefix", "request", "4"], { env: environment });
  const env = await transcript.run("user", [...vantage, "peering", "env"], { env: environment });
  const variables = Object.fromEntries(
    env
      .trim()
      .split("\n")
      .map((line) => line.split("=")),
  );
  transcript.title("The user's side: bootstrap finds the exchange in the VPN, and configures BIRD");
  const side = new UserSide(place, user, { token, variables });
  await side.show("check");
  await side.start();
  const isApproved = async () =>
    (await headscale.nodes()).some(({ approvedRoutes: routes }) => routes.includes(plan.leasePool));
  await transcript.check("the lease is a route at the upstream", () =>
    exchange.upstream.hears(plan.leasePool),
  );
  await transcript.check("the route approver has approved it at the coordination server", isApproved);
  await headscale.show("nodes", "list-routes");
  await transcript.check(
    "bootstrap says that the exchange has taken it",
    async () => (await verdictOf(side)) === "announced",
  );
  await side.show("status");
  await transcript.run("upstream", ["birdc", "-s", exchange.upstream.socket, "show", "route"]);
  return { side, environment };
}

/** As after a crash of the proxy before the coordination server. */
async function loseTheServer({ place, headscale }: Scene): Promise<void> {
  const { transcript } = place;
  transcript.title(
    "All devices lose the coordination server, and come back just when it takes them for offline",
  );
  const served = async (route: string) =>
    (await headscale.nodes()).some(({ subnetRoutes }) => subnetRoutes.includes(route));
  for (let turn = 1; !(await isWithdrawn(headscale)); turn++) {
    if (turn > lossesMax) {
      throw new LabError(`In ${lossesMax} losses the coordination server has withdrawn nothing`);
    }
    headscale.loseEverybody();
    await pause(9000);
  }
  transcript.say("✓ it has withdrawn the exchange's routes, though the exchange is there");
  await transcript.check("the generator has set them again", () => served(plan.internetRange));
  await transcript.check("bootstrap has offered the lease again", () => served(plan.leasePool));
  await transcript.check("packets come through", () => isReached(place));
}

/** Within the seconds in which it does that, if it does. */
async function isWithdrawn(headscale: Headscale): Promise<boolean> {
  for (let looks = 0; looks < 30; looks++) {
    if (!(await headscale.nodes()).some(({ subnetRoutes }) => subnetRoutes.includes(plan.internetRange))) {
      return true;
    }
    await pause(100);
  }
  return false;
}

async function verdictOf(side: UserSide): Promise<string | undefined> {
  return (await side.rows()).find(({ prefix }) => prefix === plan.leasePool)?.verdict;
}

/** What ends a lease ends all of it: the route, its approval, and the packets. */
async function endLease(
  { place, headscale }: Scene,
  parts: { exchange: ExchangeServer; side: UserSide; environment: Readonly<Record<string, string>> },
): Promise<void> {
  const { transcript } = place;
  transcript.title("The lease is given back");
  await transcript.run("user", [...vantage, "peering", "prefix", "release"], { env: parts.environment });
  await transcript.check(
    "the route has left the upstream",
    async () => !(await parts.exchange.upstream.hears(plan.leasePool)),
  );
  await transcript.check("the coordination server carries it no longer", async () =>
    (await headscale.nodes()).every(({ approvedRoutes: routes }) => !routes.includes(plan.leasePool)),
  );
  await transcript.check("no packet comes there any more", async () => !(await isReached(place)));
  await transcript.check(
    "bootstrap says that the exchange refuses it",
    async () => (await verdictOf(parts.side)) === "refused",
  );
  await parts.side.show("status");
}

/** What a person does in a browser and at a keyboard, at the core: the development issuer is on its loopback only. */
const script = [process.execPath, join(import.meta.dirname, "person.ts")];

/** Opens the address that `tailscale up` shows, and logs in. */
async function logInToVpn({ transcript, certificate }: VpnLab, url: string, name: string): Promise<void> {
  const env = { NODE_EXTRA_CA_CERTS: certificate };
  await transcript.run("core", [...script, "join", url, name], { env, isQuiet: true });
  transcript.say(`   (${name} opens it in a browser, and logs in)`);
}

/** A token of the gateways, by device code. */
async function tokenOf({ transcript }: VpnLab, issuerUrl: string, name: string): Promise<string> {
  return (await transcript.run("core", [...script, "token", issuerUrl, name], { isQuiet: true })).trim();
}
