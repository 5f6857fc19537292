/** @jsxImportSource hono/jsx */
/** Times and durations: in UTC, which is shown; `datetime` is for machines. */
import { agoInWords, durationInWords, timeInWords } from "../../../lib/base/terminal/time-words.ts";

/** `2026-01-31 12:00:00 UTC`; a dash for no time. */
export function Time({ at }: { readonly at: string | number | null }) {
  if (at === null) {
    return <span class="soft">–</span>;
  }
  const iso = new Date(at).toISOString();
  return <time datetime={iso}>{timeInWords(iso)} UTC</time>;
}

/** `3 min ago`; the time itself is the title. */
export function Age({ at, nowMs }: { readonly at: string | null; readonly nowMs: number }) {
  if (at === null) {
    return <span class="soft">never</span>;
  }
  const iso = new Date(at).toISOString();
  return (
    <time datetime={iso} title={`${timeInWords(iso)} UTC`}>
      {agoInWords(iso, nowMs)}
    </time>
  );
}

/** `2 h 5 min left`, or `ended`; the time itself is the title. */
export function TimeLeft({ until, nowMs }: { readonly until: string; readonly nowMs: number }) {
  const iso = new Date(until).toISOString();
  const leftMs = Date.parse(iso) - nowMs;
  return (
    <time datetime={iso} title={`${timeInWords(iso)} UTC`}>
      {leftMs <= 0 ? "ended" : `${durationInWords(leftMs)} left`}
    </time>
  );
}
