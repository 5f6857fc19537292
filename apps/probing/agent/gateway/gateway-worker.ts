/** Thread of the gateway client: neither TLS nor a long blocklist delays a signal, `/health` or `/metrics`. */
import { runAsyncWorker } from "../async-worker.ts";
import { GatewayClient } from "./gateway-client.ts";
import type { GatewayStart } from "./gateway-messages.ts";

runAsyncWorker((start: GatewayStart, onFailure, say) => new GatewayClient(start, onFailure, say));
