/**
 * The routes at earlier times: files of kept routes (`kept-routes.ts`) that were replaced by newer ones, and the
 * current one. Each begins with all routes that stood when it was begun, then has each change. `START-BYTES.log`: when
 * it was begun, microseconds since 1970, and how many bytes are the standing routes.
 */
import { linkSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Pace } from "../../../lib/engines/http/pace.ts";
import type { Address } from "../../../lib/net/ip/address.ts";
import { type Prefix, prefixContains } from "../../../lib/net/ip/prefix.ts";
import { LiveTable } from "../../../lib/net/rib/live-table.ts";
import type { RouteUpdate } from "../../../lib/net/wire/route-update.ts";
import { decodeUpdates } from "../../../lib/net/wire/update-codec.ts";
import { entriesOf } from "./kept-file.ts";
import { aliveMs, historyBytesMax, historyDays } from "./limits.ts";
import { eventOf, prefixIn } from "./route-update.ts";

interface Segment {
  readonly path: string;
  readonly startUs: number;
  readonly standingBytes: number;
}

/** What is looked up: routes that hold this address, or this prefix and those within it. */
export type Sought = { readonly address: Address } | { readonly within: Prefix };

interface PastTable {
  readonly table: LiveTable;
  /** The collector was not running then: routes are those before, and what an MRT file has added since. */
  readonly wasAway: boolean;
}

interface PastOrder {
  readonly atUs: number;
  readonly sought: readonly Sought[];
  readonly rejectReasons: ReadonlyMap<string, string>;
  readonly pace: Pace;
}

/** A file of MRT has whole seconds: an update is not earlier than that, and at most a second later. */
const mrtSecondUs = 1_000_000;

export class RouteHistory {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = join(folder, "history");
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** The earliest time that can be looked up, microseconds since 1970; null = none yet. */
  get sinceUs(): number | null {
    return this.#segments()[0]?.startUs ?? null;
  }

  /** Keeps a file, under a name of its own, when another takes its place. Removes what is too old or too much. */
  keep(path: string, startUs: number, standingBytes: number): void {
    const name = `${String(startUs).padStart(17, "0")}-${standingBytes}.log`;
    const own = join(this.#folder, name);
    rmSync(own, { force: true });
    linkSync(path, own);
    const segments = this.#segments();
    let bytes = 0;
    for (const [i, { path: file }] of [...segments.entries()].reverse()) {
      bytes += statSync(file).size;
      // Its last routes count until the next one was begun.
      const endUs = segments[i + 1]?.startUs ?? startUs;
      if (endUs < startUs - historyDays * 86_400e6 || (bytes > historyBytesMax && i < segments.length - 1)) {
        rmSync(file);
      }
    }
  }

  /** Null = before the first file. Only what is sought is in the table. Rejects as the pace does. */
  async tableAt({ atUs, sought, rejectReasons, pace }: PastOrder): Promise<PastTable | null> {
    const segments = this.#segments();
    const at = segments.findLastIndex(({ startUs }) => startUs <= atUs);
    const [segment, next] = [segments[at], segments[at + 1]];
    if (segment === undefined) {
      return null;
    }
    const table = new LiveTable({ rejectReasons });
    const isNew = sourcesSeen();
    const take = (update: RouteUpdate, pathId: number | null) => {
      // The first of a source is taken in any case: the verdicts ask which tables a router sends.
      if (isNew(update) || isSought(update, sought)) {
        table.apply(update.routerAddr, eventOf(update, pathId), update.timeReceivedNs / 1000n);
      }
    };
    await eachUpdate({ path: segment.path, fromByte: 0, pace }, (update, pathId, offset) => {
      if (offset < segment.standingBytes || trueUs(update) <= atUs) {
        take(update, pathId);
      }
      return true;
    });
    // Changes while the collector was not running were read from a file at the next start.
    if (next !== undefined) {
      await eachUpdate({ path: next.path, fromByte: next.standingBytes, pace }, (update, pathId) => {
        if (trueUs(update) <= atUs) {
          take(update, pathId);
        }
        return Number(update.timeReceivedNs / 1000n) < next.startUs + catchUpUs;
      });
    }
    const aliveUs = 1000 * statSync(segment.path).mtimeMs;
    return { table, wasAway: next !== undefined && atUs > aliveUs + 2000 * aliveMs };
  }

  #segments(): Segment[] {
    return readdirSync(this.#folder)
      .toSorted()
      .flatMap((name) => {
        const [, start, bytes] = /^(\d{17})-(\d+)\.log$/.exec(name) ?? [];
        const path = join(this.#folder, name);
        return start === undefined ? [] : [{ path, startUs: Number(start), standingBytes: Number(bytes) }];
      });
  }
}

/** A file that was not read for a while is caught up with in this time; later updates are not from before. */
const catchUpUs = 600e6;

/** When it was received; of a file that was read late, when the router had it. */
function trueUs({ timeReceivedNs, timeBmpHeaderNs, routerPort }: RouteUpdate): number {
  const [receivedUs, headerUs] = [Number(timeReceivedNs / 1000n), Number(timeBmpHeaderNs / 1000n)];
  return routerPort === 0 && headerUs > 0 ? Math.min(receivedUs, headerUs + mrtSecondUs) : receivedUs;
}

/** Calls back with each update from a byte of the file on, until it returns false; others get turns in between. */
async function eachUpdate(
  { path, fromByte, pace }: { readonly path: string; readonly fromByte: number; readonly pace: Pace },
  act: (update: RouteUpdate, pathId: number | null, offset: number) => boolean,
): Promise<void> {
  let updates = 0;
  for (const { entry, offset } of entriesOf(path, fromByte)) {
    for (const result of entry.kind === "updates" ? decodeUpdates(entry.messages) : []) {
      if (result.ok && !act(result.update, entry.kind === "updates" ? entry.pathId : null, offset)) {
        return;
      }
      if (updates++ % updatesAtOnce === 0) {
        await pace.next();
      }
    }
  }
}

/** Some milliseconds of work. */
const updatesAtOnce = 512;

/** Whether this is the first update of a router's peer and table. */
function sourcesSeen(): (update: RouteUpdate) => boolean {
  const seen = new Set<string>();
  return ({ routerAddr, peerAddr, isPostPolicy, isAdjRibOut }) => {
    const key = `${routerAddr.toHex()} ${peerAddr.toHex()} ${isPostPolicy} ${isAdjRibOut}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  };
}

function isSought(update: RouteUpdate, sought: readonly Sought[]): boolean {
  const prefix = prefixIn(update);
  return sought.some((one) =>
    "address" in one
      ? prefixContains(prefix, one.address)
      : prefix.length >= one.within.length && prefixContains(one.within, prefix.base),
  );
}
