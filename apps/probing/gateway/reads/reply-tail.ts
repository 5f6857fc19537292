/**
 * The replies of a measurement in insertion order from a position on, a page at a time.
 *
 * Replies that carry the measurement and replies attributed to it are read side by side, each from its own position:
 * an attributed one must wait until the probes that identify it are in the store.
 */
import {
  insertedAfter,
  type PositionedReply,
  type ReplyPosition,
  readReplyPage,
} from "../../../../lib/answers/results/reply-page.ts";
import { countProbes } from "../../../../lib/engines/store/clickhouse/count-rows.ts";
import type { ReplySource } from "../../../../lib/engines/store/clickhouse/reply-source.ts";
import type { EventPosition } from "./event-position.ts";
import { busyShare, pageRows } from "./limits.ts";
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
  /** Rows of `measure.probes` that were there at the last look. */
  #storedRows = 0;
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
  get lookMs(): number {
    return this.#markedLookMs;
  }

  /**
   * The stored replies, up to a page; empty when there are no more. `isLast`: do not wait for more probes.
   * Rejects with Failure `store`.
   */
  async next(isLast: boolean): Promise<readonly TailReply[]> {
    const { id } = this.#watch.measured;
    const startedAtMs = performance.now();
    const marked = await this.#page("marked", { measurementId: id });
    this.#markedLookMs = performance.now() - startedAtMs;
    if (marked.length > 0) {
      return marked.map((reply) => this.#passed(reply, "marked"));
    }
    const isDue = performance.now() >= this.#attributeAtMs && (await this.#knowsProbes());
    return isLast || isDue ? this.#attributed(id) : [];
  }

  /** Costs more than the query for replies that carry the measurement, which must not wait for it. */
  async #attributed(measurementId: string): Promise<readonly TailReply[]> {
    const startedAtMs = performance.now();
    const { measured } = this.#watch;
    const later = insertedAfter(this.#place.attributed);
    const filter = await withAttribution(this.#services, measured, { measurementId }, later);
    const replies = filter.attribution === undefined ? [] : await this.#page("attributed", filter);
    const nowMs = performance.now();
    this.#attributeAtMs = replies.length > 0 ? nowMs : nowMs + busyShare * (nowMs - startedAtMs);
    return replies.map((reply) => this.#passed(reply, "attributed"));
  }

  #page(source: Extract<ReplySource, keyof EventPosition>, filter: Parameters<typeof withAttribution>[2]) {
    const after: ReplyPosition = this.#place[source];
    const query = { filter, source, after, rows: pageRows } as const;
    return this.#services.store.ask((open) => readReplyPage(open, query));
  }

  #passed(reply: PositionedReply, source: keyof EventPosition): TailReply {
    this.#place = { ...this.#place, [source]: reply.place };
    return { reply, place: this.#place };
  }

  async #knowsProbes(): Promise<boolean> {
    const { submittedRows, measured } = this.#watch;
    if (submittedRows === null) {
      return false;
    }
    // An open measurement gets more.
    if (this.#storedRows < submittedRows) {
      const query = { measurementId: measured.id };
      this.#storedRows = await this.#services.store.ask((open) => countProbes(open, query));
    }
    return this.#storedRows >= submittedRows;
  }
}
