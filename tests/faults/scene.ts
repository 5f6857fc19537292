/** All that runs: engines, the measuring side on Kafka, the peering side, and the load on both. */
import { Campaign } from "./campaign.ts";
import { Engines } from "./engines.ts";
import { LeaseLoad } from "./lease-load.ts";
import { Measuring } from "./measuring.ts";
import type { FaultOptions } from "./options.ts";
import { Peering } from "./peering.ts";
import type { Supervised } from "./supervised.ts";
import { east, west } from "./topology.ts";

const gatewayPort = 8091;
const leaseUsers = ["ada", "ben", "cleo", "dan", "eve", "fay"];
export const canaryUser = "zoe";
/** The share of the campaign outside the first measurement: submitted in pieces, all the time. */
const drizzleShare = 0.2;
const drizzlePieces = 2000;
/** With a rate: a large measurement is this long, and a piece is this part of what goes out meanwhile. */
const flowSec = 20;
const flowPieceSec = 0.03;

export class Scene implements AsyncDisposable {
  readonly folder: string;
  readonly engines: Engines;
  readonly main: Measuring;
  readonly peering: Peering;
  /** The large one, on Kafka. */
  readonly campaign: Campaign;
  readonly campaigns: Campaign[];
  readonly leaseLoad: LeaseLoad;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    parts: { folder: string; engines: Engines; main: Measuring; peering: Peering },
    probes: number,
    stack: AsyncDisposableStack,
  ) {
    this.folder = parts.folder;
    this.engines = parts.engines;
    this.main = parts.main;
    this.peering = parts.peering;
    this.campaign = new Campaign(parts.main, probes / 2);
    this.campaigns = [this.campaign];
    this.leaseLoad = new LeaseLoad(parts.peering, leaseUsers);
    this.#stack = stack;
  }

  /** `rateProbesPerSec` of each agent. */
  static async start(folder: string, options: FaultOptions, rateProbesPerSec: number): Promise<Scene> {
    await using undo = new AsyncDisposableStack();
    const { restartMs } = options;
    const engines = undo.use(await Engines.start(folder, restartMs));
    const plan = {
      ...{ name: "main", folder, brokers: engines.kafka.server, agents: [east, west] },
      ...{ port: gatewayPort, rateProbesPerSec, restartMs },
    };
    const [main, peering] = await Promise.all([
      Measuring.start(plan, engines),
      Peering.start({ folder, restartMs, users: [...leaseUsers, canaryUser] }, engines),
    ]);
    undo.use(main);
    undo.use(peering);
    return new Scene({ folder, engines, main, peering }, options.probes, undo.move());
  }

  get processes(): readonly Supervised[] {
    const { engines, peering } = this;
    const sides = this.campaigns.map(({ measuring }) => measuring);
    const measuring = sides.flatMap(({ gateway, ingester, agents }) => [gateway, ingester, ...agents]);
    return [engines.store, ...measuring, peering.gateway, peering.generator];
  }

  /** A large measurement first, or one after the other, and pieces for as long as it takes. */
  async startLoad({ rateProbesPerSec }: FaultOptions): Promise<void> {
    const { campaign } = this;
    if (rateProbesPerSec !== null) {
      campaign.startFlow(Math.ceil(rateProbesPerSec * flowSec), this.engines);
      campaign.startDrizzle(Math.ceil(rateProbesPerSec * flowPieceSec));
      return;
    }
    await campaign.submitLarge(Math.floor(campaign.size * (1 - drizzleShare)));
    campaign.startDrizzle(Math.ceil((campaign.size * drizzleShare) / drizzlePieces));
  }

  /** Ends with the scene, before what was there already. */
  own<Part extends AsyncDisposable>(part: Part): Part {
    return this.#stack.use(part);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}
