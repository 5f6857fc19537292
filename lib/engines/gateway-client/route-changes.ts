/** Route changes as a collector streams them; no login is needed. */
import { type RouteChange, readRouteChange } from "../../base/api/route-changes.ts";
import { readEvents, type StreamOrder } from "./event-stream.ts";
import type { Transport } from "./transport.ts";

/** Yields null for an event of another form. Ends and rejects like `readEvents`. */
export async function* routeChanges(
  collector: Transport,
  order: StreamOrder,
): AsyncGenerator<RouteChange | null, void, undefined> {
  const request: Transport["request"] = (path, ask) => collector.request(path, { ...ask, anonymous: true });
  for await (const { data } of readEvents(
    { address: collector.address, request },
    "/api/routes/watch",
    order,
  )) {
    yield readRouteChange(JSON.parse(data));
  }
}
