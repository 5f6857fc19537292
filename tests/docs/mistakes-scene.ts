/**
 * Where the mistakes of docs/start/mistakes.md are made: a gateway of each kind, an agent that is heard and one that is
 * not, a user who is logged in, tokens that are not good, and machines that lack something. The variables are the
 * page's.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CliPlace } from "../contract/cli/cli-place.ts";
import { configText } from "../contract/peering-gateway/peering-home.ts";
import { GatewayProcess } from "../contract/probing-gateway/gateway-process.ts";
import type { PageOptions } from "./page-run.ts";

const user = "anna";
/** Where libpcap is. */
const libraries = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"];

export class MistakesScene implements AsyncDisposable {
  readonly scenes: NonNullable<PageOptions["scenes"]>;
  readonly #owned: AsyncDisposableStack;

  private constructor(scenes: NonNullable<PageOptions["scenes"]>, owned: AsyncDisposableStack) {
    this.scenes = scenes;
    this.#owned = owned;
  }

  static async start(): Promise<MistakesScene> {
    await using undo = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "vantage-mistakes-"));
    undo.defer(() => rmSync(folder, { recursive: true, force: true }));
    const place = undo.use(
      await CliPlace.start({ limits: { probes_per_day: 100 }, safety: { block_reserved_ranges: true } }),
    );
    await place.addAgent("west");
    const north = await place.addAgent("north");
    await north.post("north/health", { healthy: true, details: { report_interval_ms: 1000 } });
    const peering = await peeringGateway(folder, place);
    undo.defer(async () => void (await peering.stop()));
    await place.logIn(user, {}, peering.url.replace(/\/$/, ""));
    const scenes = scenesOf(place, await tokensOf(place));
    return new MistakesScene(scenes, undo.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}

function peeringGateway(folder: string, { issuer }: CliPlace): Promise<GatewayProcess> {
  const config = join(folder, "peering.yaml");
  mkdirSync(join(folder, "peering"));
  const yaml = `oidc: { issuer: "${issuer.url}", audiences: ["${issuer.audience}"] }`;
  const leases = '{ pool: ["2001:db8:1::/48", "2001:db8:2::/48"], per_user_max: 1 }';
  const database = `pglite:${join(folder, "peering/database")}`;
  writeFileSync(config, configText({ leases, yaml }, join(folder, "peering"), database));
  return GatewayProcess.start(config, [], "peering-gateway");
}

/** Variables of the page: tokens with something wrong. */
async function tokensOf({ issuer }: CliPlace): Promise<Record<string, string>> {
  const nowSec = Math.floor(Date.now() / 1000);
  return {
    EXPIRED: await issuer.tokenFor(user, { claims: { exp: nowSec - 3600 } }),
    FOREIGN: await issuer.tokenFor(user, { claims: { iss: "https://login.example.org" } }),
    EARLY: await issuer.tokenFor(user, { claims: { nbf: nowSec + 3600 } }),
  };
}

function scenesOf(place: CliPlace, tokens: Readonly<Record<string, string>>): MistakesScene["scenes"] {
  const environment = {
    ...{ XDG_CONFIG_HOME: place.settings(user), GATEWAY: place.address },
    ...tokens,
  };
  // A root without rights, a machine without libpcap, and one whose disk is small and full.
  const without = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"];
  const apart = (lines: readonly string[]) => (command: readonly string[]) => [
    ...["unshare", "--mount", "--propagation=private", "sh", "-c", `${lines.join("\n")}\nexec "$@"`, "sh"],
    ...command,
  ];
  const hidden = libraries.flatMap((path, i) => [
    `if [ -d ${path} ]; then mkdir up${i} && mount -t tmpfs tmpfs up${i} && mkdir up${i}/up up${i}/work`,
    `for f in ${path}/libpcap*; do mknod up${i}/up/$(basename $f) c 0 0; done`,
    `mount -t overlay overlay -o lowerdir=${path},upperdir=up${i}/up,workdir=up${i}/work ${path}; fi`,
  ]);
  const full =
    "mkdir -p full && mount -t tmpfs -o size=64k tmpfs full && head -c 60000 /dev/zero >full/other || true";
  return {
    here: { environment },
    newcomer: { environment: {} },
    unprivileged: { within: (command) => [...without, ...command] },
    bare: { within: apart(hidden) },
    full: { within: apart([full]) },
  };
}
