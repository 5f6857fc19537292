/**
 * Adds AS paths to the rows of paths, and the owner of each router's address: for the views `paths` and `traces` in
 * JSON lines, before their context keys are replaced (context-pages.ts).
 */
import type { Steps } from "../../base/list/steps.ts";
import { type Address, formatAddress, parseAddress } from "../../net/ip/address.ts";
import type { AddressContext } from "../enrich/address-context.ts";
import type { PathContext, Ways } from "../enrich/path-context.ts";
import { inParts, Parts } from "./in-parts.ts";
import { measuredPath, type PathRow } from "./read-path.ts";
import type { Page } from "./view.ts";

interface Router {
  readonly address: string | null;
  readonly flows: readonly number[];
  readonly context_key: string;
}

interface PathLine {
  readonly address: string;
  readonly flows: readonly unknown[];
  readonly hops: readonly { readonly ttl: number; readonly routers: readonly Router[] }[];
}

interface TraceLine {
  readonly address: string;
  readonly replies: readonly {
    readonly probe_ttl: number;
    readonly reply_src_addr: string;
    readonly context_key: string;
  }[];
}

/** Rows are parsed here, as this needs the whole path; others are served between two flows. */
export async function* pathPages(
  pages: AsyncIterable<Page>,
  addressContext: AddressContext,
): AsyncGenerator<Page, void, undefined> {
  for await (const { bytes, rows } of pages) {
    const parts = new Parts();
    const lines = new TextDecoder().decode(bytes).split("\n").slice(0, -1);
    const texts: Buffer[] = [];
    for (const line of lines) {
      await parts.next();
      const given = JSON.parse(line);
      await parts.next();
      const row = await inParts(withPath(given, addressContext));
      texts.push(Buffer.from(`${JSON.stringify(row)}\n`));
    }
    await parts.next();
    yield { bytes: Buffer.concat(texts), rows };
  }
}

function withPath(row: PathLine | PathRow | TraceLine, addressContext: AddressContext): Steps<object> {
  if ("nodes" in row) {
    return withOwners(row, addressContext);
  }
  return "hops" in row ? withHops(row, addressContext) : withReplies(row, addressContext);
}

/** A path to be drawn: `owners` by address, which the drawing shows beside the routers' context. */
function* withOwners(row: PathRow, addressContext: AddressContext): Steps<object> {
  const { target: destination, hops, flows } = measuredPath(row);
  const keys = row.context_keys ?? [];
  const path = yield* addressContext.pathOn(dayOf(keys), () => ({ destination, flows: flows.length, hops }));
  const addresses = hops.flatMap(({ nodes }) => nodes.flatMap(({ address }) => address ?? []));
  const owners = addresses.map(formatAddress).map((address) => [address, path?.ownerOf(address) ?? null]);
  return { ...row, owners: Object.fromEntries(owners), as_paths: path?.asPaths ?? [] };
}

function* withHops(row: PathLine, addressContext: AddressContext): Steps<object> {
  const routers = row.hops.flatMap((hop) => hop.routers);
  const path = yield* addressContext.pathOn(dayOf(routers.map((router) => router.context_key)), () => ({
    destination: bytesOf(row.address),
    flows: row.flows.length,
    hops: row.hops.map((hop) => ({
      nodes: hop.routers.map(({ address, flows }) => ({
        address: address === null ? null : bytesOf(address),
        flows,
      })),
    })),
  }));
  const hops = row.hops.map((hop) => ({
    ...hop,
    routers: hop.routers.map((one) => owned(one, one.address, path)),
  }));
  return { ...row, hops, as_paths: path?.asPaths ?? [] };
}

function* withReplies(row: TraceLine, addressContext: AddressContext): Steps<object> {
  const path = yield* addressContext.pathOn(dayOf(row.replies.map((reply) => reply.context_key)), () =>
    waysOf(row),
  );
  const replies = row.replies.map((reply) => owned(reply, reply.reply_src_addr, path));
  return { ...row, replies, as_paths: path?.asPaths ?? [] };
}

/** The first router that replied at each TTL. */
function waysOf({ address, replies }: TraceLine): Ways {
  const ttls = replies.map((reply) => reply.probe_ttl);
  const [first, last] = [Math.min(...ttls), Math.max(...ttls)];
  const hops = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const reply = replies.find((one) => one.probe_ttl === first + i);
    return { nodes: [{ address: reply === undefined ? null : bytesOf(reply.reply_src_addr), flows: [0] }] };
  });
  return { destination: bytesOf(address), flows: 1, hops };
}

function owned<Row extends object>(row: Row, address: string | null, path: PathContext | null): object {
  return { ...row, owner_asn: address === null ? null : (path?.ownerOf(address) ?? null) };
}

/** The last day of the keys; without one, the last set applies. */
function dayOf(keys: readonly string[]): string {
  return (
    keys
      .map((key) => key.slice(0, 10))
      .sort()
      .at(-1) || "9999-12-31"
  );
}

/** The store's texts are valid addresses. */
function bytesOf(text: string): Address {
  return parseAddress(text) ?? new Uint8Array(16);
}
