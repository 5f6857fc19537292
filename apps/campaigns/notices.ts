/** Looks at ended runs and delivers alerts, beside what takes runs: a slow store or host delays none of these. */
import { setTimeout as sleep } from "node:timers/promises";
import type { NoticeServices } from "./campaign-services.ts";
import { deliverDue } from "./delivery/deliver.ts";
import { againMs, lookMsMax } from "./limits.ts";
import { evaluateRuns } from "./notice/evaluate.ts";

/** Starts it; disposing waits for what is under way. */
export function startNotices(services: NoticeServices): AsyncDisposable {
  const stop = new AbortController();
  const works = [
    repeat(services, stop.signal, async () => {
      await evaluateRuns(services);
      return lookMsMax;
    }),
    repeat(services, stop.signal, async () => ((await deliverDue(services)) > 0 ? againMs : lookMsMax)),
  ];
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(works);
    },
  };
}

async function repeat(
  { log }: NoticeServices,
  signal: AbortSignal,
  look: () => Promise<number>,
): Promise<void> {
  let isFailing = false;
  while (!signal.aborted) {
    let waitMs = lookMsMax;
    try {
      waitMs = await look();
      isFailing = false;
    } catch (error) {
      if (!isFailing) {
        log.error("Cannot look after alerts of campaigns; trying again", { error });
      }
      isFailing = true;
    }
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}
