/** What quotes show of NATs and other boxes that rewrite packets: by router, and where on the path it begins. Pure. */
import { formatAddress } from "../../net/ip/address.ts";
import { type Rewriting, rewrittenBits } from "../../net/packet/reply.ts";

/** What one router's quotes have otherwise than it was sent. */
export interface SeenRewriting {
  /** Members of `rewrittenBits`. */
  readonly bits: number;
  /** Sources that are quoted in place of ours, as text, ascending. */
  readonly sources: readonly string[];
}

interface QuotingNode {
  readonly quoted?: { readonly rewriting: SeenRewriting };
}

interface Hop {
  readonly ttl: number;
  readonly nodes: readonly QuotingNode[];
}

const names: Readonly<Record<keyof typeof rewrittenBits, string>> = {
  source: "source",
  sourcePort: "source port",
  destination: "destination",
  checksum: "checksum",
  identification: "identification",
};

export function rewritingOf(replies: readonly Rewriting[]): SeenRewriting {
  return {
    bits: replies.reduce((bits, { replyRewritten }) => bits | replyRewritten, 0),
    sources: [...new Set(replies.flatMap(sourceOf))].sort(),
  };
}

function sourceOf({ replyRewritten, replyQuotedSrcAddr }: Rewriting): string[] {
  return (replyRewritten & rewrittenBits.source) === 0 ? [] : [formatAddress(replyQuotedSrcAddr)];
}

/** The first hop that quotes what a NAT has changed; null = none does. An identification alone may be another box's. */
export function natTtl(hops: readonly Hop[]): number | null {
  const isChanged = ({ quoted }: QuotingNode) =>
    ((quoted?.rewriting.bits ?? 0) & ~rewrittenBits.identification) !== 0;
  return hops.find(({ nodes }) => nodes.some(isChanged))?.ttl ?? null;
}

/** `source`, `checksum`. */
export function rewrittenNames(bits: number): string[] {
  return (Object.keys(names) as (keyof typeof names)[])
    .filter((name) => (bits & rewrittenBits[name]) !== 0)
    .map((name) => names[name]);
}

/** `behind a NAT: source 203.0.113.1, checksum`; an identification alone is changed by other boxes too. */
function rewritingInWords(all: readonly string[], sources: readonly string[]): string {
  const parts = all.map((name) => (name === names.source ? ["source", ...sources].join(" ") : name));
  if (all.length === 0) {
    return "";
  }
  const isNat = all.some((name) => name !== names.identification);
  return `${isNat ? "behind a NAT" : "rewritten"}: ${parts.join(", ")}`;
}

export function rewritingMarks<Node extends QuotingNode>(
  hops: readonly { readonly nodes: readonly Node[] }[],
): ReadonlyMap<Node, string> {
  return marksOf(
    hops.map(({ nodes }) => nodes),
    ({ quoted }) =>
      quoted && rewritingInWords(rewrittenNames(quoted.rewriting.bits), quoted.rewriting.sources),
  );
}

/** A router as paths have it in JSON. */
interface JsonRouter {
  readonly rewritten?: readonly string[] | undefined;
  readonly quoted_sources?: readonly string[] | undefined;
}

export function jsonRewritingMarks<Router extends JsonRouter>(
  hops: readonly { readonly routers: readonly Router[] }[],
): ReadonlyMap<Router, string> {
  return marksOf(
    hops.map(({ routers }) => routers),
    ({ rewritten, quoted_sources: sources = [] }) => rewritten && rewritingInWords(rewritten, sources),
  );
}

/** The words at each router whose quotes show what the last hop that quotes does not. */
function marksOf<Node>(
  hops: readonly (readonly Node[])[],
  /** Undefined where nothing is quoted. */
  wordsOf: (node: Node) => string | undefined,
): ReadonlyMap<Node, string> {
  const marks = new Map<Node, string>();
  let before: readonly string[] = [""];
  for (const nodes of hops) {
    const quoting = nodes.flatMap((node) => {
      const words = wordsOf(node);
      return words === undefined ? [] : [{ node, words }];
    });
    for (const { node, words } of quoting.filter((one) => !before.includes(one.words))) {
      marks.set(node, words);
    }
    before = quoting.length === 0 ? before : quoting.map(({ words }) => words);
  }
  return marks;
}
