/**
 * Caching of ended measurements: a weak ETag (RFC 9110, section 8.8.3) over the response's inputs, including the number
 * of stored replies, since an agent that was offline may still deliver some.
 */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { ContextField } from "../../../../lib/answers/enrich/context-fields.ts";
import type { TextForm } from "../../../../lib/answers/results/result-source.ts";
import type { ViewName } from "../../../../lib/answers/results/views.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { countReplies } from "../../../../lib/engines/store/clickhouse/count-rows.ts";
import type { ReplyFilter } from "../../../../lib/engines/store/clickhouse/reply-filter.ts";
import packageJson from "../../../../package.json" with { type: "json" };
import { answersAfterMs, publicCacheSec } from "../reads/limits.ts";
import type { MeasurementWindow } from "../reads/measurement-window.ts";
import type { ReadServices } from "../reads/selection.ts";

interface Asked {
  readonly name: ViewName;
  readonly measured: MeasurementWindow;
  /** Responses behind a link are cached privately and revalidated each time, because a link can be revoked. */
  readonly isPublic: boolean;
  /** The context of addresses changes with the sets on disk. */
  readonly context: readonly ContextField[];
}

/** Headers of the response, or 304. */
export function freshness(c: Context<HttpEnv>, { store }: Pick<ReadServices, "store">, asked: Asked) {
  return async (form: TextForm, filter: ReplyFilter): Promise<Record<string, string> | Response> => {
    const common = { "referrer-policy": "no-referrer" };
    if (!hasSettled(asked.measured) || asked.context.length > 0) {
      return { ...common, "cache-control": "no-store" };
    }
    const replies = await store.ask((open) => countReplies(open, filter));
    const parts = [
      asked.name,
      asked.measured.id,
      form,
      new URL(c.req.url).search,
      replies,
      packageJson.version,
    ];
    const hash = createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 32);
    const etag = `W/"${hash}"`;
    const cache = asked.isPublic ? `public, max-age=${publicCacheSec}` : "private, no-cache";
    const headers = { ...common, "cache-control": cache, etag };
    return isHeld(c.req.header("if-none-match"), etag)
      ? new Response(null, { status: 304, headers: { ...headers, vary: "Accept" } })
      : headers;
  };
}

/** It has ended, and replies to its last probes have arrived. */
function hasSettled({ sentAt, askedAt }: MeasurementWindow): boolean {
  return sentAt !== null && askedAt.getTime() - sentAt.getTime() > answersAfterMs;
}

function isHeld(header: string | undefined, etag: string): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim());
  return tags.includes("*") || tags.includes(etag) || tags.includes(etag.slice(2));
}
