/** Answers that are sent piece by piece: so many at a time, each ended when its reader goes. */
import type { Context } from "hono";
import type { HttpEnv } from "../../../lib/http/app.ts";
import { userOf } from "../../../lib/http/require-user.ts";
import type { Services } from "../services.ts";
import { streamsMax, userStreamsMax } from "./limits.ts";
import { pulledBody } from "./pulled-body.ts";
import { mediaTypes } from "./read-query.ts";
import { type RowForm, rowTexts } from "./row-texts.ts";
import { StreamSlots } from "./stream-slots.ts";

export class AnswerStreams {
  readonly #services: Pick<Services, "log" | "metrics">;
  readonly #slots = new StreamSlots({ perUser: userStreamsMax, total: streamsMax });

  constructor(services: Pick<Services, "log" | "metrics">) {
    this.#services = services;
  }

  /** The first page is waited for: what cannot be begun is a Problem. Rejects with Problem 429, 503, StoreError. */
  async rows<Row>(
    c: Context<HttpEnv>,
    pages: AsyncGenerator<readonly Row[], void, undefined>,
    form: RowForm<Row>,
    more: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const slot = this.#slots.take(userOf(c).userHash);
    try {
      const first = await pages.next();
      const headers = { ...more, "content-type": mediaTypes[form.format], vary: "Accept" };
      return this.#answer(c, slot, headers, () => rowTexts(startedWith(first, pages), form));
    } catch (error) {
      slot[Symbol.dispose]();
      throw error;
    }
  }

  /** `make` is given the signal that its reader has gone. Throws Problem 429, 503. */
  events(
    c: Context<HttpEnv>,
    make: (signal: AbortSignal) => AsyncGenerator<string, void, undefined>,
  ): Response {
    const slot = this.#slots.take(userOf(c).userHash);
    // Proxies that gather answers would hold events back.
    const headers = { "content-type": "text/event-stream", "x-accel-buffering": "no" };
    return this.#answer(c, slot, headers, make);
  }

  #answer(
    c: Context<HttpEnv>,
    slot: Disposable,
    headers: Readonly<Record<string, string>>,
    make: (signal: AbortSignal) => AsyncGenerator<string, void, undefined>,
  ): Response {
    const all = { ...headers, "cache-control": "private, no-store" };
    if (c.req.method === "HEAD") {
      slot[Symbol.dispose]();
      return new Response(null, { headers: all });
    }
    const gone = new AbortController();
    const { metrics } = this.#services;
    metrics.streams(1);
    const end = (error: unknown) => {
      if (!gone.signal.aborted) {
        gone.abort();
        slot[Symbol.dispose]();
        metrics.streams(-1);
        this.#tell(c, error);
      }
    };
    const client = c.req.raw.signal;
    client.addEventListener("abort", () => end(null), { once: true });
    if (client.aborted) {
      end(null);
    }
    return new Response(pulledBody({ texts: make(gone.signal), onEnd: end }), { headers: all });
  }

  #tell(c: Context<HttpEnv>, error: unknown): void {
    if (error !== null) {
      this.#services.metrics.streamBroken();
      const request_id = c.get("requestId");
      this.#services.log.error("Cannot finish an answer", { request_id, path: c.req.path, error });
    }
  }
}

async function* startedWith<Item>(
  first: IteratorResult<Item, void>,
  others: AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  if (first.done !== true) {
    yield first.value;
    yield* others;
  }
}
