/** GET /vrps.json: the platform's validated ROA payloads, in the form that StayRTR and other RTR servers read. */
import { Hono } from "hono";
import * as v from "valibot";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { sharedAnswer } from "../../../../lib/engines/http/shared-answer.ts";
import { publishedAgeMsMax } from "../limits.ts";
import type { Rpki, RpkiPublisher } from "./rpki.ts";
import { notConfigured } from "./switch.ts";

const vrpsSchema = v.object({
  metadata: v.object({ buildtime: v.string(), generated: v.number(), vrps: v.number() }),
  roas: v.array(v.object({ asn: v.string(), prefix: v.string(), maxLength: v.number(), ta: v.string() })),
});

const description = describe({
  summary: "The prefixes that the platform's AS may announce",
  description: "For an RTR server; at most half a second old.",
  tags: ["rpki"],
  auth: "public",
  ok: vrpsSchema,
  problems: { 503: "`rpki_not_configured`: another system publishes it" },
});

/** Name of the trust anchor in the list. */
const trustAnchor = "vantage";

export function rpkiRoutes({ rpki }: { readonly rpki: Rpki }): Hono<HttpEnv> {
  const { publisher } = rpki;
  const read = publisher === null ? null : sharedAnswer(publishedAgeMsMax, () => vrps(publisher));
  const app = new Hono<HttpEnv>();
  app.get("/vrps.json", description, async (c) => {
    if (read === null) {
      throw notConfigured();
    }
    return c.body(await read(), 200, { "content-type": "application/json" });
  });
  return app;
}

async function vrps(publisher: RpkiPublisher): Promise<string> {
  const authorised = await publisher.authorised();
  const now = new Date();
  return JSON.stringify({
    metadata: {
      buildtime: now.toISOString(),
      generated: Math.floor(now.getTime() / 1000),
      vrps: authorised.length,
    },
    roas: authorised.map(({ asn, prefix, maxLength }) => ({
      asn: `AS${asn}`,
      prefix,
      maxLength,
      ta: trustAnchor,
    })),
  });
}
