/** The collector that a command queries, without a login. */
import { Gateway } from "../../../engines/gateway-client/gateway.ts";
import { userAgent } from "./session.ts";

/** Chosen by `--collector`, else VANTAGE_COLLECTOR, else `otherwise`. Its address is empty when none of them is set. */
export function collectorAt(
  given: string | null,
  otherwise: string,
  options: { readonly retryDelaysMs?: readonly number[] } = {},
): Gateway {
  const address = (given ?? process.env.VANTAGE_COLLECTOR ?? otherwise).replace(/\/+$/, "");
  return new Gateway({ address, tokens: null, userAgent, ...options });
}
