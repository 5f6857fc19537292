/**
 * What local users ask of the client stack, through the control socket: write permission on it is the authorisation.
 * Announcements are a gateway's API (docs/announce/announcements.md): the gateway's where the stack follows one, else
 * the stack's own.
 */
import { Hono } from "hono";
import { bodyBytes } from "../../../../lib/engines/http/body.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import type { Client } from "../client.ts";
import { orderBytesMax } from "../limits.ts";
import type { Order } from "../orders.ts";
import { statusView } from "../status/status-view.ts";
import { relay } from "./gateway-relay.ts";
import { localAnnouncements, ordersIn, withdrawals } from "./local-announcements.ts";

const announcements = "/api/announcements";

export function controlApp(client: Client): Hono {
  const app = new Hono();
  app.get("/status", (c) => c.json(statusView(client.snapshot)));
  app.on(["GET", "PUT", "DELETE"], [announcements, `${announcements}/:prefix`], async (c, next) => {
    const gateway = client.gateway();
    if (gateway === null) {
      return await next();
    }
    const { pathname, search } = new URL(c.req.url);
    const method = methodOf(c.req.method);
    const body = method === "PUT" ? await bodyOf(c.req.raw) : null;
    return await relay(gateway, { method, path: `${pathname}${search}`, body });
  });
  app.get(announcements, async (c) => c.json(await localAnnouncements(client)));
  app.put(announcements, async (c) => {
    const orders = ordersIn(await bodyOf(c.req.raw), client);
    if (c.req.query("check") !== "true") {
      await putIntoForce(orders, client);
    }
    return c.json({ outcome: "changed", version: null });
  });
  app.delete(announcements, async (c) => {
    const orders = withdrawals(null, "*", client);
    await putIntoForce(orders, client);
    return c.json({ prefixes: orders.length });
  });
  app.delete(`${announcements}/:prefix`, async (c) => {
    await putIntoForce(withdrawals(c.req.param("prefix"), c.req.query("server") ?? "*", client), client);
    return c.json({ outcome: "changed", version: null });
  });
  app.onError((error, c) => {
    const failure = error instanceof Problem ? error : problem(500, "internal_error", error.message);
    return failure.toResponse(c.req.url);
  });
  return app;
}

async function putIntoForce(orders: readonly Order[], client: Client): Promise<void> {
  await client.order(...orders);
  const failure = client.snapshot.failures.daemon;
  if (failure !== undefined) {
    throw problem(503, "not_in_force", `The order is stored, but not active yet: ${failure}`);
  }
}

async function bodyOf(request: Request): Promise<string> {
  return new TextDecoder().decode(await bodyBytes(request, { bytesMax: orderBytesMax }));
}

function methodOf(text: string): "GET" | "PUT" | "DELETE" {
  return text === "PUT" || text === "DELETE" ? text : "GET";
}
