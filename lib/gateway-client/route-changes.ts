/** What a collector tells of routes as they change; it asks for no login. */
import { type RouteChange, readRouteChange } from "../api/route-changes.ts";
import { readEvents, type StreamOrder } from "./event-stream.ts";
import type { Transport } from "./transport.ts";

/** Null for one that has another form. Ends and rejects as `readEvents`. */
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
