/** Orders of the user, through the control socket: write permission on it is the authorisation. */
import { Hono } from "hono";
import * as v from "valibot";
import { bodyBytes } from "../../../../lib/engines/http/body.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import type { Client } from "../client.ts";
import { orderBytesMax } from "../limits.ts";
import { type Order, orderSchema } from "../orders.ts";
import { statusView } from "../status/status-view.ts";
import { hasWish } from "../wishes.ts";

export function controlApp(client: Client): Hono {
  const app = new Hono();
  app.get("/status", (c) => c.json(statusView(client.snapshot)));
  app.post("/orders", async (c) => {
    const bytes = await bodyBytes(c.req.raw, { bytesMax: orderBytesMax });
    const order = orderOf(new TextDecoder().decode(bytes), client);
    await client.order(order);
    const failure = client.snapshot.failures.daemon;
    if (failure !== undefined) {
      throw refused(503, "not_in_force", `The order is kept, but not in force yet: ${failure}`);
    }
    return c.json(statusView(client.snapshot));
  });
  app.onError((error, c) => {
    const problem = error instanceof Problem ? error : refused(500, "internal_error", error.message);
    return problem.toResponse(c.req.url);
  });
  return app;
}

function orderOf(text: string, client: Client): Order {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), orderSchema), text);
  if (!read.success) {
    throw refused(422, "bad_order", `Cannot read the order: ${read.issues[0].message}`);
  }
  const { prefix, exchange } = read.output;
  const { prefixes } = client.snapshot.user;
  if (!prefixes.includes(prefix)) {
    const isStated = client.parts.config.user.prefixes === null;
    const place = isStated ? "your leases" : "USER_PREFIXES";
    const known = prefixes.length === 0 ? "it has none" : `it has ${prefixes.join(", ")}`;
    throw refused(404, "unknown_prefix", `${prefix} is not in ${place}: ${known}`);
  }
  if (hasWish(client.snapshot.wishes, prefix)) {
    const advice = "change it there: vantage announce, vantage withdraw";
    throw refused(409, "wished_at_gateway", `${prefix} follows your wish at the gateway: ${advice}`);
  }
  const names = client.snapshot.exchanges.map(({ name }) => name);
  if (exchange !== null && !names.includes(exchange)) {
    const known = names.length === 0 ? "none is known yet" : `known are ${names.join(", ")}`;
    throw refused(404, "unknown_exchange", `There is no exchange "${exchange}": ${known}`);
  }
  return read.output;
}

function refused(status: number, code: string, message: string): Problem {
  return problem(status, code, message);
}
