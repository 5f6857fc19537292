/** What the gateways tell users of all measurements, when the agents have reported the last of it. */
import { until } from "./patience.ts";
import type { Scene } from "./scene.ts";

export interface Told {
  readonly sentProbes: number;
  readonly receivedReplies: number;
}

interface Status {
  readonly total_sent_probes: number;
  readonly total_received_replies: number;
}

/** For all together: agents report each second; what is not right by then will not be. */
const lastReportMsMax = 3000;

export async function toldOf(scene: Scene): Promise<Told> {
  let [sentProbes, receivedReplies] = [0, 0];
  const untilMs = performance.now() + lastReportMsMax;
  for (const { measuring, submitted } of scene.campaigns) {
    for (const { id, from, to, agents } of submitted) {
      const expected = (to - from) * agents.length;
      const look = async () => (await measuring.ask<Status>("GET", `/api/measurement/${id}/status`)).body;
      await until(
        `replies of ${id}`,
        async () => (await look()).total_received_replies >= expected,
        untilMs - performance.now(),
      )
        // Those that a killed agent had counted and not reported do not come.
        .catch(() => undefined);
      const status = await look();
      sentProbes += status.total_sent_probes;
      receivedReplies += status.total_received_replies;
    }
  }
  return { sentProbes, receivedReplies };
}
