/** Asks the running client stack through its control socket. */
import * as v from "valibot";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { Gateway } from "../../../lib/engines/gateway-client/gateway.ts";
import { fixedToken } from "../../../lib/engines/gateway-client/token-source.ts";
import { controlSocketIn } from "./control-socket.ts";
import { orderMsMax } from "./limits.ts";
import { type StatusBody, statusBody } from "./status/bodies.ts";

/** Rejects with CommandError where no service answers, or the user may not write to its socket. */
export async function askStatus(stateFolder: string): Promise<StatusBody> {
  const socket = controlSocketIn(stateFolder);
  const response = await fetch("http://localhost/status", {
    unix: socket,
    signal: AbortSignal.timeout(orderMsMax),
  }).catch((cause: unknown) => {
    throw cannot(
      `No client stack answers at ${socket} (is vantage bootstrap running, and may you write there?)`,
      {
        cause,
      },
    );
  });
  return v.parse(statusBody, await response.json());
}

/** The announcement API of the client stack (http/control-app.ts), with the requests and answers of a gateway. */
export function announcementsAt(stateFolder: string, userAgent: string): Gateway {
  const unix = controlSocketIn(stateFolder);
  return new Gateway({
    address: "http://localhost",
    // Permission to write to the socket is the authorisation.
    tokens: fixedToken("local"),
    userAgent,
    retryDelaysMs: [],
    fetch: (url, request) => fetch(url, { ...request, unix }),
  });
}
