/**
 * A measurement's replies in insertion order from a position on, a page at a time.
 *
 * Replies that carry the measurement and replies attributed to it are read side by side, each from its own position:
 * an attributed one must wait until the probes that identify it are in the store.
 */
import {
  insertedAfter,
  type PositionedReply,
  type ReplyPosition,
  readReplyPage,
  storeTimeNs,
} from "../../../../lib/answers/results/reply-page.ts";
import { countProbes } from "../../../../lib/engines/store/clickhouse/count-rows.ts";
import type { ReplySource } from "../../../../lib/engines/store/clickhouse/reply-source.ts";
import type { EventPosition } from "./event-position.ts";
import { attributedRows, busyShare, pageRows } from "./limits.ts";
import type { ProgressWatch } from "./progress-watch.ts";
import { type ReadServices, withAttribution } from "./selection.ts";

export interface TailReply {
  readonly reply: PositionedReply;
  /** The position after this reply. */
  readonly place: EventPosition;
}

export class ReplyTail {
  readonly #services: Pick<ReadServices, "store" | "database">;
  readonly #watch: ProgressWatch;
  #place: EventPosition;
  /** Rows of `measure.probes` at the last read. */
  #storedRows = 0;
  /** Rows of `measure.probes` that replies until this time wait for. */
  #awaited: { readonly untilNs: bigint; readonly rows: number } | null = null;
  #markedLookMs = 0;
  #attributeAtMs = 0;

  constructor(
    services: Pick<ReadServices, "store" | "database">,
    watch: ProgressWatch,
    place: EventPosition,
  ) {
    this.#services = services;
    this.#watch = watch;
    this.#place = place;
  }

  /** Duration of the last query for replies that carry the measurement. */
  get queryMs(): number {
    return this.#markedLookMs;
  }

  /**
   * The stored replies, up to a page of each kind; empty when there are no more. `isLast`: do not wait for more probes.
   * Rejects with Failure `store`.
   */
  async next(isLast: boolean): Promise<readonly TailReply[]> {
    const { id } = this.#watch.measured;
    const startedAtMs = performance.now();
    const marked = await this.#page("marked", { measurementId: id });
    this.#markedLookMs = performance.now() - startedAtMs;
    const passed = marked.map((reply) => this.#passed(reply, "marked"));
    const isDue = isLast ? marked.length === 0 : performance.now() >= this.#attributeAtMs;
    return isDue && marked.length < pageRows ? [...passed, ...(await this.#attributed(id, isLast))] : passed;
  }

  /** Costs more than the query for replies that carry the measurement, so a full page of those goes first. */
  async #attributed(measurementId: string, isLast: boolean): Promise<readonly TailReply[]> {
    const startedAtMs = performance.now();
    const replies = await this.#attributedPage({ measurementId }, isLast);
    const nowMs = performance.now();
    this.#attributeAtMs = replies.length > 0 ? nowMs : nowMs + busyShare * (nowMs - startedAtMs);
    return replies.map((reply) => this.#passed(reply, "attributed"));
  }

  async #attributedPage(all: { readonly measurementId: string }, isLast: boolean) {
    const { measured } = this.#watch;
    const filter = await withAttribution(
      this.#services,
      measured,
      all,
      insertedAfter(this.#place.attributed),
    );
    if (filter.attribution === undefined) {
      return [];
    }
    const untilNs = isLast ? undefined : await this.#knownUntilNs();
    return untilNs === null ? [] : this.#page("attributed", filter, untilNs);
  }

  #page(
    source: Extract<ReplySource, keyof EventPosition>,
    filter: Parameters<typeof withAttribution>[2],
    untilNs?: bigint,
  ) {
    const after: ReplyPosition = this.#place[source];
    const rows = source === "marked" ? pageRows : attributedRows;
    const query = { filter, source, after, rows, ...(untilNs === undefined ? {} : { untilNs }) };
    return this.#services.store.ask((open) => readReplyPage(open, query));
  }

  #passed(reply: PositionedReply, source: keyof EventPosition): TailReply {
    this.#place = { ...this.#place, [source]: reply.place };
    return { reply, place: this.#place };
  }

  /**
   * The store's time up to which every stored reply's probe is in the store, too; null = wait for more probes. An open
   * measurement gets more probes all the time: those accepted by a time are waited for, before a later time is tried.
   * They are counted after that time, as a reply that is passed before its probe is stored would never be shown.
   */
  async #knownUntilNs(): Promise<bigint | null> {
    const untilNs = this.#awaited?.untilNs ?? (await this.#services.store.ask(storeTimeNs));
    await this.#watch.refresh();
    const { submittedRows, measured } = this.#watch;
    // Fewer than before once it has ended: what was not published by then never will be.
    const rows = Math.min(this.#awaited?.rows ?? submittedRows, submittedRows);
    if (this.#storedRows < rows) {
      const query = { measurementId: measured.id };
      this.#storedRows = await this.#services.store.ask((open) => countProbes(open, query));
    }
    const isKnown = this.#storedRows >= rows;
    this.#awaited = isKnown ? null : { untilNs, rows };
    return isKnown ? untilNs : null;
  }
}
