/**
 * The development issuer at the core, as a process: `bun issuer-process.ts`, with a client for the coordination server.
 * Prints its address. It listens on loopback only, so users log in there.
 */
import { startIssuer } from "../../../apps/stack/issuer/issuer.ts";
import { clientId, clientSecret, redirectUri } from "./headscale.ts";

const webClient = { id: clientId, secret: clientSecret, redirectUri };
const issuer = await startIssuer({ port: 8444, webClient });
process.stdout.write(`${issuer.url}\n`);
await new Promise(() => setInterval(() => undefined, 2 ** 30));
