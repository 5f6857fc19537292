/** The ASes and exchanges that a trace goes through. */
import type { Exchange } from "./facts.ts";

/** One step of the path: an AS, an exchange, or at least one hop whose AS is not known. */
export type AsPathStep =
  | { readonly kind: "as"; readonly asn: number }
  | { readonly kind: "exchange"; readonly exchange: Exchange }
  | { readonly kind: "unknown" };

interface PathHop {
  /** Owner of the router. */
  readonly asn: number | null;
  /** The exchange on whose LAN its address is. */
  readonly exchange: Exchange | null;
}

const unknown = { kind: "unknown" } as const;

/**
 * The path of hops in order of TTL; null = a hop without an answer.
 *
 * Equal neighbours are one step. Unknown hops between two hops of one AS belong to that AS; elsewhere they are one
 * step, and left out at both ends. An exchange stands before its member. An AS that comes again later (a loop) is kept.
 */
export function tracedAsPath(hops: readonly (PathHop | null)[]): AsPathStep[] {
  const path: AsPathStep[] = [];
  for (const step of hops.flatMap(stepsOf)) {
    const last = path.at(-1);
    const beforeLast = path.at(-2);
    if (step.kind === "unknown" ? last === undefined || last.kind === "unknown" : isSame(last, step)) {
      continue;
    }
    if (last?.kind === "unknown" && step.kind === "as" && isSame(beforeLast, step)) {
      path.pop();
      continue;
    }
    path.push(step);
  }
  return path.at(-1)?.kind === "unknown" ? path.slice(0, -1) : path;
}

/** As `64500 [EX-IX] 64501 ? 64502`. The name of an exchange is foreign text. */
export function formatTracedAsPath(path: readonly AsPathStep[]): string {
  return path
    .map((step) => {
      return step.kind === "as" ? step.asn : step.kind === "exchange" ? `[${step.exchange.name}]` : "?";
    })
    .join(" ");
}

function stepsOf(hop: PathHop | null): AsPathStep[] {
  const exchange = hop?.exchange ?? null;
  const asn = hop?.asn ?? null;
  return [
    ...(exchange === null ? [] : [{ kind: "exchange", exchange } as const]),
    ...(asn === null ? [] : [{ kind: "as", asn } as const]),
    ...(exchange === null && asn === null ? [unknown] : []),
  ];
}

function isSame(one: AsPathStep | undefined, other: AsPathStep): boolean {
  return (
    (one?.kind === "as" && other.kind === "as" && one.asn === other.asn) ||
    (one?.kind === "exchange" && other.kind === "exchange" && one.exchange.id === other.exchange.id)
  );
}
