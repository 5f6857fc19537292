/**
 * What stands where in an Internet of any size: each router's number, and the diamonds of core, transit networks,
 * routed prefixes and tails, drawn by a hash of seed, level, place and diamond. Nothing of it is stored.
 */
import { type Diamond, diamondOf, type Form, forms, layerSlots, layersMax, widthMax } from "./diamond.ts";
import { hash32 } from "./hash32.ts";

export interface LevelPlan {
  readonly diamonds: readonly [min: number, max: number];
  /** Shares of the forms, of all together 1; the rest are plain. */
  readonly forms: Readonly<Partial<Record<Form, number>>>;
  /** Branches of a balancer: from 2 to this. */
  readonly width: number;
}

export interface InternetPlan {
  readonly units: number;
  readonly subnetsEach: number;
  readonly seed: number;
  readonly core: LevelPlan;
  /** One of these carries a routed prefix; no diamonds leave the level out. */
  readonly transit: LevelPlan & { readonly count: number };
  readonly routed: LevelPlan;
  readonly tail: LevelPlan;
  /** Shares of balancers; those not named are even, and look at addresses and ports. */
  readonly weighted?: number;
  readonly perDestination?: number;
  /** Share of routed prefixes whose subnets have routes of their own, in up to four groups. */
  readonly grouped?: number;
  /** Share of routed prefixes at whose first balancer each subnet has but half of the branches; they overlap. */
  readonly narrowed?: number;
  /** Share of subnets whose tail is a loop of two routers. */
  readonly looping?: number;
  /** Share of routed prefixes whose way through their own network is another one from epoch 1 on. */
  readonly changing?: number;
}

export const levelsCount = 4;
const [coreLevel, transitLevel, routedLevel] = [0, 1, 2];
export const tailLevel = 3;
const groupsMax = 4;
/** Routers of a tail that is a loop. */
export const loopLength = 2;
/** What hashes are for, so that none decides two things. */
const purposes = {
  diamond: 0x11,
  count: 0x22,
  transit: 0x33,
  group: 0x44,
  subnet: 0x55,
  unit: 0x66,
} as const;
const share32 = 2 ** 32;

export class InternetDrawing {
  readonly length: number;
  readonly #plan: InternetPlan;
  readonly #levels: readonly LevelPlan[];
  /** By level: the number of its first router, room for a diamond's routers, diamonds of a place. */
  readonly #bases: readonly number[];
  readonly #slots: readonly number[];
  readonly #least: readonly number[];
  readonly #most: readonly number[];
  /** For each level, the hash value below which a diamond has the form. */
  readonly #limits: readonly (readonly number[])[];

  /** @throws RangeError when its routers have no room below `roomMax` */
  constructor(plan: InternetPlan, roomMax: number) {
    this.#plan = plan;
    this.#levels = [plan.core, plan.transit, plan.routed, plan.tail];
    this.length = this.#levels.reduce((sum, { diamonds }) => sum + diamonds[1] * layersMax, 0);
    this.#limits = this.#levels.map(formLimits);
    const epochs = plan.changing === undefined ? 1 : 2;
    const groups = plan.grouped === undefined ? 1 : groupsMax;
    const places = [1, plan.transit.count, plan.units * groups * epochs, plan.units * plan.subnetsEach];
    // Tails without balancers are most of a large Internet.
    const isPlain = ({ forms: shares }: LevelPlan) => Object.keys(shares).length === 0;
    this.#slots = this.#levels.map((level) => (isPlain(level) ? loopLength : layersMax * layerSlots));
    this.#least = this.#levels.map(({ diamonds }) => diamonds[0]);
    this.#most = this.#levels.map(({ diamonds }) => diamonds[1]);
    const rooms = places.map((count, level) => count * (this.#most[level] ?? 0) * (this.#slots[level] ?? 0));
    this.#bases = rooms.map((_, level) => 1 + rooms.slice(0, level).reduce((sum, room) => sum + room, 0));
    const room = rooms.reduce((sum, one) => sum + one, 1);
    if (room > roomMax || this.#levels.some(({ width }) => width < 2 || width > widthMax)) {
      throw new RangeError(`Cannot number ${room} routers below ${roomMax}, in layers of up to ${widthMax}`);
    }
  }

  /** The first of the half of the branches that a subnet uses there; -1 = it uses all. */
  firstWay(level: number, i: number, layer: number, count: number, subnet: number): number {
    const isNarrow = level === routedLevel && i === 0 && layer === 0 && count > 2 && this.#isNarrowed(subnet);
    return isNarrow ? hash32(this.#plan.seed, purposes.subnet, subnet) % count : -1;
  }

  node(level: number, place: number, diamond: number, layer: number, index: number): number {
    const slots = this.#slots[level] ?? 0;
    return (
      (this.#bases[level] ?? 0) +
      (place * (this.#most[level] ?? 0) + diamond) * slots +
      layer * layerSlots +
      index
    );
  }

  placeOf(level: number, unit: number, subnet: number, epoch: number): number {
    const { seed, transit, grouped } = this.#plan;
    switch (level) {
      case coreLevel:
        return 0;
      case transitLevel:
        return transit.count === 0 ? 0 : hash32(seed, purposes.transit, unit) % transit.count;
      case routedLevel: {
        const changed = epoch > 0 && this.isChanging(unit) ? this.#plan.units : 0;
        const group = this.#isGrouped(unit) ? hash32(seed, purposes.group, subnet) % groupsMax : 0;
        return grouped === undefined ? unit + changed : (unit + changed) * groupsMax + group;
      }
      default:
        return subnet;
    }
  }

  countOf(level: number, place: number): number {
    const [min, max] = [this.#least[level] ?? 0, this.#most[level] ?? 0];
    return min === max
      ? min
      : min + (hash32(this.#plan.seed ^ purposes.count, level, place) % (max - min + 1));
  }

  diamondOf(level: number, place: number, i: number): Diamond {
    const limits = this.#limits[level] ?? [];
    if (limits.length === 0) {
      return 0;
    }
    const { seed, weighted = 0, perDestination = 0 } = this.#plan;
    const drawn = hash32(seed ^ purposes.diamond, place * levelsCount + level, i);
    let form = 1;
    while (form < forms.length && drawn >= (limits[form - 1] ?? 0)) {
      form++;
    }
    if (form === forms.length) {
      return 0;
    }
    const more = hash32(seed, drawn, i);
    const width = 2 + ((more & 0xff) % ((this.#levels[level]?.width ?? 2) - 1));
    const isHeavy = ((more >>> 8) & 0xff) < weighted * 256;
    return diamondOf(form, width, isHeavy, more >>> 24 < perDestination * 256);
  }

  isLooping(subnet: number): boolean {
    return isDrawn(this.#plan.looping, this.#plan.seed ^ 1, subnet);
  }

  #isGrouped(unit: number): boolean {
    return isDrawn(this.#plan.grouped, this.#plan.seed ^ 2, unit);
  }

  #isNarrowed(subnet: number): boolean {
    return isDrawn(this.#plan.narrowed, this.#plan.seed ^ 3, Math.floor(subnet / this.#plan.subnetsEach));
  }

  isChanging(unit: number): boolean {
    return isDrawn(this.#plan.changing, this.#plan.seed ^ 4, unit);
  }

  /** Whether a router is one of a routed prefix or a tail: then its links are of that prefix alone. */
  isOwn(node: number): boolean {
    return node >= (this.#bases[routedLevel] ?? 0);
  }
}

function isDrawn(share: number | undefined, seed: number, which: number): boolean {
  return share !== undefined && hash32(seed, purposes.unit, which) < share * share32;
}

function formLimits({ forms: shares }: LevelPlan): number[] {
  if (Object.keys(shares).length === 0) {
    return [];
  }
  let sum = 0;
  return forms.slice(1).map((form) => (sum += (shares[form] ?? 0) * share32));
}
