/** Evaluates ended runs and delivers alerts, separately from running them, so that a slow store or host delays none. */
import { repeatWork } from "../../../lib/engines/service/repeat-work.ts";
import type { FollowUpServices } from "./campaign-services.ts";
import { Deliveries } from "./delivery/deliver.ts";
import { startFollowUps } from "./follow-ups.ts";
import { againMs, lookMsMax } from "./limits.ts";
import { evaluateRuns } from "./notice/evaluate.ts";
import { watchRoutes } from "./notice/watch-routes.ts";

/** Starts it; disposing waits for work in progress. */
export function startNotices(services: FollowUpServices): AsyncDisposable {
  const complain = (error: unknown) =>
    services.log.error("Cannot process alerts of campaigns; trying again", { error });
  const deliveries = new Deliveries(services);
  const works = [
    async () => {
      await evaluateRuns(services);
      return lookMsMax;
    },
    async () => {
      await startFollowUps(services);
      return lookMsMax;
    },
    async () => {
      await watchRoutes(services);
      return lookMsMax;
    },
    async () => ((await deliveries.begin()) > 0 ? againMs : lookMsMax),
  ].map((look) => repeatWork({ look, complain, waitMs: lookMsMax }));
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(works.map((work) => work[Symbol.asyncDispose]()));
      await deliveries.ended();
    },
  };
}
