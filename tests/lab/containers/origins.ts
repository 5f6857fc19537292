/** A validator's list of route origins, as `rpki-client` writes one: bun origins.ts ADDRESS PORT. */
import { upstream } from "./plan.ts";

const [, , hostname = "", port = ""] = process.argv;
const daySec = 86_400;
const madeSec = Math.floor(Date.now() / 1000);
const about = { prefix: upstream.network, maxLength: 48, asn: upstream.asn };
const roas = [{ ...about, ta: "lab", expires: madeSec + daySec }];
const metadata = { buildtime: new Date(1000 * madeSec).toISOString() };

Bun.serve({ hostname, port: Number(port), fetch });

/** Any other path has an empty list. */
function fetch(request: Request): Response {
  return Response.json({ metadata, roas: request.url.endsWith("/vrps.json") ? roas : [] });
}
