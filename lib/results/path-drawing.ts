/** A path with all that a drawing of it says. Pure. */
import type { Address } from "../ip/address.ts";
import type { Protocol } from "../packet/probe.ts";
import { type Hop, hopsOf } from "../paths/hops.ts";
import type { Path } from "../paths/path.ts";
import type { Flow, StoredPath } from "./stored-path.ts";

export interface PathDrawing {
  readonly agent: string;
  readonly target: Address;
  readonly protocol: Protocol;
  readonly flows: readonly Flow[];
  readonly hops: readonly Hop[];
  /** For where its flows end, and who said so. */
  readonly path: Path;
  readonly probes: { readonly submitted: number; readonly answered: number; readonly lost: number };
}

export function drawingOf({ agent, target, protocol, flows, firstTtl, path }: StoredPath): PathDrawing {
  const { sent: submitted, answered, lost } = path.totals();
  const probes = { submitted, answered, lost };
  return { agent, target, protocol, flows, hops: hopsOf(path, firstTtl), path, probes };
}
