/** Sends commands to the running service through its control socket. */
import * as v from "valibot";
import { orderMsMax } from "./limits.ts";
import type { Order } from "./orders.ts";
import { controlSocketIn } from "./service.ts";
import { type StatusBody, statusBody } from "./status/bodies.ts";

/** Rejects with an Error for the user: no service, or the service's refusal. */
export function giveOrder(stateFolder: string, order: Order): Promise<StatusBody> {
  return ask(stateFolder, "/orders", { method: "POST", body: JSON.stringify(order) });
}

export function askStatus(stateFolder: string): Promise<StatusBody> {
  return ask(stateFolder, "/status", {});
}

async function ask(stateFolder: string, path: string, request: RequestInit): Promise<StatusBody> {
  const socket = controlSocketIn(stateFolder);
  const signal = AbortSignal.timeout(orderMsMax);
  const response = await fetch(`http://localhost${path}`, { ...request, unix: socket, signal }).catch(
    (cause: unknown) => {
      const advice = "does vantage bootstrap run there, and may you write there?";
      throw new Error(`Cannot ask ${socket}: ${advice}`, { cause });
    },
  );
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) {
    return v.parse(statusBody, body);
  }
  const said = v.safeParse(v.object({ message: v.string() }), body);
  throw new Error(said.success ? said.output.message : `${socket} answers with status ${response.status}`);
}
