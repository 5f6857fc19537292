/** Answers with birdwatcher's head: at once, or with routes, piece by piece as their reader takes them. */
import type { Context } from "hono";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { callerAddress } from "../../../../lib/engines/http/caller.ts";
import { FairSlots } from "../../../../lib/engines/http/fair-slots.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { pulledBody } from "../../../../lib/engines/http/pulled-body.ts";
import packageJson from "../../../../package.json" with { type: "json" };
import { answerPathsMax, answersMax, answersOfOneMax, lineMax, safeMs, waitMs } from "./limits.ts";
import { routeShape } from "./route-shape.ts";
import type { RouterRoute, RouterRoutes } from "./router-routes.ts";
import type { RouterView } from "./router-view.ts";

type Chosen = (at: RouterRoutes) => readonly RouterRoute[];

export const shownVersion = `Vantage ${packageJson.version}`;

/** What every answer begins with. `madeMs`: when what it says was read from the table. */
export function head(madeMs: number, nowMs: number) {
  const date = new Date(madeMs).toISOString();
  const cachedAt = { date, timezone_type: "UTC", timezone: "UTC" };
  return {
    api: {
      Version: shownVersion,
      result_from_cache: madeMs < nowMs,
      cache_status: { cached_at: cachedAt, orig_ttl: 0 },
    },
    ...{ ttl: new Date(nowMs).toISOString(), cached_at: date },
  };
}

/** A reason is also in `error`, as a text: Alice shows it. */
export function refusal(status: number, code: string, message: string): Problem {
  return new Problem({ status, code, message, error: message });
}

export class RouteAnswers {
  readonly #failed: (error: unknown) => void;
  readonly #slots = new FairSlots({
    ...{ placesMax: answersMax, ofOneMax: answersOfOneMax, lineMax, waitMs, safeMs },
  });

  /** `failed` gets the error that cut an answer off. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Goes through the whole table. Rejects with Problem 413, 503. */
  async walked(c: Context<HttpEnv>, view: RouterView, chosen: Chosen): Promise<Response> {
    if (view.paths > answerPathsMax) {
      const limit = `more than ${answerPathsMax} paths are in this router's tables`;
      throw refusal(
        413,
        "too_many_routes",
        `${limit}; ask for one prefix: routes/prefix?prefix=2001:db8::/32`,
      );
    }
    const slot = await this.#slots.take(callerAddress(c) ?? "");
    if (slot === null) {
      throw refusal(503, "readers_exhausted", `${answersMax} answers are being sent already; try again`);
    }
    const body = pulledBody({
      ...{ texts: routeTexts(view, chosen), cut: slot.signal, reader: c.req.raw.signal },
      onTaken: (bytes) => slot.moved(bytes),
      onEnd: (error) => {
        slot[Symbol.dispose]();
        if (error !== null) {
          this.#failed(error);
        }
      },
    });
    return new Response(body, { headers: { "content-type": "application/json" } });
  }
}

/** Routes to one prefix. */
export function routesBody(routes: readonly RouterRoute[]) {
  const nowMs = Date.now();
  return { ...head(nowMs, nowMs), routes: routes.map(routeShape) };
}

async function* routeTexts(view: RouterView, chosen: Chosen): AsyncGenerator<string, void, undefined> {
  const nowMs = Date.now();
  yield `${JSON.stringify(head(nowMs, nowMs)).slice(0, -1)},"routes":[`;
  let separator = "";
  for await (const all of view.walk()) {
    const texts = all.flatMap(chosen).map((route) => JSON.stringify(routeShape(route)));
    if (texts.length > 0) {
      yield separator + texts.join(",");
      separator = ",";
    }
  }
  yield "]}\n";
}
