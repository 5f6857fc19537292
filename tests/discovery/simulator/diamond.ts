/**
 * Diamonds, the parts that simulated paths are made of: one router, or a balancer's branches and the router where they
 * meet again. All are drawn by hash, so nothing of them is stored.
 *
 *     plain     1                         parallel  w – w – 1   each branch two routers long
 *     even      w – 1                     tree      2 – 2c – 1  each branch splits again
 *     uneven    2 – (1 | w) – 1           mesh      a – w – 1   each router linked to each of the next layer
 */

export const forms = ["plain", "even", "parallel", "tree", "uneven", "mesh"] as const;
export type Form = (typeof forms)[number];

/** Index in `forms`. */
const [plain, even, parallel, tree, uneven] = [0, 1, 2, 3, 4];

/** Branches of a balancer, at most: an uneven one has one router more in a layer. */
export const widthMax = 15;
/** Routers of one layer have numbers below this. */
export const layerSlots = widthMax + 1;
export const layersMax = 3;

/** What is drawn for a diamond, packed into bits: form 0–2, width 3–6, weighted 7, per destination 8. */
export type Diamond = number;

export function diamondOf(
  form: number,
  width: number,
  isWeighted: boolean,
  isPerDestination: boolean,
): Diamond {
  return form | (width << 3) | (isWeighted ? 128 : 0) | (isPerDestination ? 256 : 0);
}

const formOf = (diamond: Diamond) => diamond & 7;
const widthOf = (diamond: Diamond) => (diamond >> 3) & 15;

/** The first of several branches takes half of the flows and its share of the rest. */
export const isWeighted = (diamond: Diamond) => (diamond & 128) !== 0;
/** Looks at addresses only, not at ports. */
export const isPerDestination = (diamond: Diamond) => (diamond & 256) !== 0;

export function layersOf(diamond: Diamond): number {
  const form = formOf(diamond);
  return form === plain ? 1 : form === even ? 2 : 3;
}

/** Where a router of the layer before leads to: `first << 8 | count` of the routers of this layer, counted from 0. */
export function branchesOf(diamond: Diamond, layer: number, near: number): number {
  const [form, width] = [formOf(diamond), widthOf(diamond)];
  if (layer === layersOf(diamond) - 1) {
    return 1;
  }
  if (layer === 0) {
    return form === tree || form === uneven
      ? 2
      : form === even || form === parallel
        ? width
        : meshEntries(width);
  }
  switch (form) {
    case parallel:
      return (near << 8) | 1;
    case tree:
      return ((near * twigs(width)) << 8) | twigs(width);
    case uneven:
      return near === 0 ? 1 : (1 << 8) | (width - 1);
    default:
      return width;
  }
}

const meshEntries = (width: number) => Math.min(width, 3);
const twigs = (width: number) => Math.max(2, width >> 1);
