/** Goes through a bounded part of the live table, in slices between which other requests get their turn. */
import { LoopYield } from "../../../lib/engines/http/loop-yield.ts";
import type { LivePath } from "../../../lib/net/rib/live-path.ts";
import { rejectedNodesMax, rejectedSliceNodes } from "./limits.ts";

interface Walk {
  /** 1, or the `next` of the walk before. */
  readonly from: number;
  /** The walk ends at the slice that reaches it; slices are not cut. */
  readonly limit: number;
  readonly isWanted: (path: LivePath) => boolean;
}

type Slice = (from: number, nodesMax: number) => { readonly paths: LivePath[]; readonly next: number | null };

/** `next`: null = the table ends here. */
export async function walkTable(slice: Slice, { from, limit, isWanted }: Walk) {
  const pace = new LoopYield();
  const paths: LivePath[] = [];
  let next: number | null = from;
  for (let left = rejectedNodesMax; next !== null && left > 0 && paths.length < limit; ) {
    // One prefix may have as many paths as there are peers; small slices keep close to the limit.
    const nodes = Math.min(left, rejectedSliceNodes, Math.max(1, limit - paths.length));
    const found = slice(next, nodes);
    paths.push(...found.paths.filter(isWanted));
    [next, left] = [found.next, left - nodes];
    await pace.next();
  }
  return { paths, next };
}
