/** An experiment's probes, as measurements of its user at this gateway. */
import { pause } from "../../../../../lib/engines/gateway-client/pause.ts";
import { measuredLookMs, storedEveryMs, storedTriesMax } from "../../limits.ts";
import { clockNow } from "./clock-now.ts";
import type { ExperimentMeasure } from "./experiment-measure.ts";
import type { DataPlane } from "./planes.ts";

/** An agent's clock offset is outdated when it has not reported for so long. */
const reportAgeMsMax = 60_000;

interface PlaneOrder {
  readonly userHash: string;
  readonly campaignId: string;
  /** Replies that arrive up to this long after the last probe count. */
  readonly settleMs: number;
  readonly nowMs: () => number;
}

export function measuredPlane(
  measure: ExperimentMeasure,
  { userHash, campaignId, settleMs, nowMs }: PlaneOrder,
): DataPlane {
  return {
    clockOf: async (agent) => {
      const clock = await measure.clockOf(agent);
      const isFresh = clock !== null && clock.timeMs - clock.receivedMs < reportAgeMsMax;
      return clock === null || !isFresh ? null : clockNow(clock.timeMs, clock);
    },
    probe: async ({ key, agents, lines, pace }, signal) => {
      const step = { campaignId, run: 0, round: null };
      const order = { userHash, key, agents: agents.join(), probes: lines.join("\n"), step };
      const id = await measure.submitPaced({ ...order, pace });
      let progress = await measure.progress(id);
      while (!progress.isOver) {
        await pause(measuredLookMs, signal);
        signal.throwIfAborted();
        progress = await measure.progress(id);
      }
      const sentByMs = nowMs();
      await pause(settleMs, signal);
      const unsent = progress.expected - progress.sent;
      for (let tries = 0; ; tries++) {
        signal.throwIfAborted();
        const { received, ambiguous } = await measure.replies(userHash, id);
        const { replies } = await measure.progress(id);
        // Replies received by another site are not in any agent's count for the measurement.
        const unseen = replies - received.filter(({ agent, sender }) => agent === sender).length;
        if (unseen <= 0 || tries >= storedTriesMax) {
          return { received, sentByMs, unsent, unseen: Math.max(0, unseen), ambiguous };
        }
        await pause(storedEveryMs, signal);
      }
    },
  };
}
