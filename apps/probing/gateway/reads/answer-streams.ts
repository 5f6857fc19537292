/** Streamed responses: limited in number, each ended when its reader disconnects. */
import type { Context } from "hono";
import type { TextForm } from "../../../../lib/answers/results/result-source.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { type FairSlot, FairSlots } from "../../../../lib/engines/http/fair-slots.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { pulledBody } from "../../../../lib/engines/http/pulled-body.ts";
import { standingOf } from "../../../../lib/engines/http/standing.ts";
import { retryAfterSeconds } from "../limits.ts";
import type { Services } from "../services.ts";
import { eventStreamsMax, streamLineMax, streamSafeMs, streamWaitMs, userStreamsMax } from "./limits.ts";
import { mediaTypes } from "./read-query.ts";

const fairness = {
  ofOneMax: userStreamsMax,
  lineMax: streamLineMax,
  waitMs: streamWaitMs,
  safeMs: streamSafeMs,
};

const uncached = { "cache-control": "private, no-store" };

export class AnswerStreams {
  readonly #services: Pick<Services, "log" | "metrics">;
  /** Separate limits, so that event streams cannot block reading results. */
  readonly #rows: FairSlots;
  readonly #events = new FairSlots({ ...fairness, placesMax: eventStreamsMax });

  /** `rowsMax`: concurrent responses with rows. */
  constructor(services: Pick<Services, "log" | "metrics">, rowsMax: number) {
    this.#services = services;
    this.#rows = new FairSlots({ ...fairness, placesMax: rowsMax });
  }

  /**
   * Awaits the first piece, so that a failure to start is a Problem. `who` is the reader, for fair shares. Rejects with
   * Problem 429 or 503, or Failure `store`.
   */
  async texts(
    c: Context<HttpEnv>,
    who: string,
    texts: AsyncGenerator<Uint8Array, void, undefined>,
    form: TextForm,
    more: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const place = await this.#take(who, this.#rows);
    try {
      const first = await texts.next();
      const headers = { ...uncached, ...more, "content-type": mediaTypes[form], vary: "Accept" };
      return this.#answer(c, place, headers, () => startedWith(first, texts));
    } catch (error) {
      place[Symbol.dispose]();
      throw error;
    }
  }

  /** `make` gets the signal that its reader has disconnected. Rejects with Problem 429, 503. */
  async events(
    c: Context<HttpEnv>,
    who: string,
    make: (signal: AbortSignal) => AsyncGenerator<string, void, undefined>,
  ): Promise<Response> {
    const place = await this.#take(who, this.#events);
    // Proxies that buffer responses would delay events.
    const headers = { ...uncached, "content-type": "text/event-stream", "x-accel-buffering": "no" };
    return this.#answer(c, place, headers, make);
  }

  #answer(
    c: Context<HttpEnv>,
    place: FairSlot,
    headers: Readonly<Record<string, string>>,
    make: (signal: AbortSignal) => AsyncGenerator<string | Uint8Array, void, undefined>,
  ): Response {
    if (c.req.method === "HEAD") {
      place[Symbol.dispose]();
      return new Response(null, { headers });
    }
    const gone = new AbortController();
    const standing = standingOf(c);
    const { metrics } = this.#services;
    metrics.streams(1);
    const body = pulledBody({
      ...{
        texts: make(gone.signal),
        cut: AbortSignal.any([place.signal, standing.signal]),
        reader: c.req.raw.signal,
      },
      onTaken: (bytes) => place.moved(bytes),
      onEnd: (error) => {
        gone.abort();
        standing[Symbol.dispose]();
        place[Symbol.dispose]();
        metrics.streams(-1);
        this.#tell(c, error);
      },
    });
    return new Response(body, { headers });
  }

  /** A slot withdrawn for others cuts off its response: the client starts again, or resumes. */
  async #take(who: string, places: FairSlots): Promise<FairSlot> {
    const own = places.heldBy(who);
    if (own >= userStreamsMax) {
      throw refusal(429, "too_many_streams", `Cannot send more than ${own} answers to one user at a time`);
    }
    const place = await places.take(who);
    if (place === null) {
      throw refusal(503, "streams_exhausted", "Too many answers are being sent to all users");
    }
    return place;
  }

  #tell(c: Context<HttpEnv>, error: unknown): void {
    if (error !== null) {
      this.#services.metrics.streamBroken();
      const request_id = c.get("requestId");
      // The path may contain a link's secret.
      const path = c.req.path.replace(/(?<=\/shared\/)[^/]+/, "LINK");
      this.#services.log.error("Cannot finish an answer", { request_id, path, error });
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

function refusal(status: number, code: string, what: string): Problem {
  return new Problem({
    status,
    code,
    message: `${what}; try again in ${retryAfterSeconds} s`,
    headers: { "retry-after": String(retryAfterSeconds) },
  });
}
