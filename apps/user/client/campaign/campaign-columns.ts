/** Campaigns, estimates and runs as rows. */
import type { InferOutput } from "valibot";
import type {
  campaignAnswer,
  campaignRunAnswer,
  estimateAnswer,
} from "../../../../lib/base/api/campaigns.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";

type Campaign = InferOutput<typeof campaignAnswer>;

export const campaignColumns: readonly Column<Campaign>[] = [
  { name: "id", head: "campaign", value: ({ id }) => id },
  { name: "name", head: "name", value: ({ name }) => name },
  { name: "phase", head: "state", value: ({ phase }) => phase },
  { name: "next_run", head: null, value: (one) => one.next_run },
  { name: "next_at", head: "next run", value: (one) => one.next_at },
  { name: "current_run", head: "in progress", align: "right", value: (one) => one.current_run },
  { name: "done", head: "done", align: "right", value: ({ done }) => done },
  { name: "not_done", head: "not done", align: "right", value: (one) => one.not_done },
  { name: "probes_per_day", head: "probes/day", align: "right", value: (one) => one.probes_per_day },
  { name: "revision", head: null, value: ({ revision }) => revision },
  { name: "ended_reason", head: null, value: (one) => one.ended_reason },
  { name: "stopped_because", head: null, value: (one) => one.stopped_because },
  { name: "created_at", head: null, value: (one) => one.created_at },
  { name: "ended_at", head: null, value: (one) => one.ended_at },
];

export const estimateColumns: readonly Column<InferOutput<typeof estimateAnswer>>[] = [
  { name: "agents", head: "agents now", value: ({ agents }) => agents },
  { name: "probes_per_run", head: "probes a run", value: (cost) => cost.probes_per_run },
  { name: "runs_per_day", head: "runs a day", value: (cost) => cost.runs_per_day },
  { name: "probes_per_day", head: "probes a day", value: (cost) => cost.probes_per_day },
  { name: "quota_per_day", head: "your quota", value: (cost) => cost.quota_per_day },
  {
    name: "quota_share",
    head: "share of it",
    value: (cost) => cost.quota_share,
    text: (cost) => `${(100 * cost.quota_share).toFixed(1)} %`,
  },
  { name: "runs", head: "runs in all", value: ({ runs }) => runs },
  { name: "probes", head: "probes in all", value: ({ probes }) => probes },
  { name: "first_at", head: "first run", value: (cost) => cost.first_at },
  { name: "last_at", head: "last run", value: (cost) => cost.last_at },
  { name: "quota_ends_at", head: "quota ends", value: (cost) => cost.quota_ends_at },
];

type Run = InferOutput<typeof campaignRunAnswer>;

export const runColumns: readonly Column<Run>[] = [
  { name: "run", head: "run", align: "right", value: ({ run }) => run },
  { name: "last_run", head: "to", align: "right", value: (one) => one.last_run },
  { name: "planned_at", head: "planned", value: (one) => one.planned_at },
  { name: "state", head: "state", value: ({ state }) => state },
  { name: "reason", head: "reason", value: ({ reason }) => reason },
  { name: "revision", head: null, value: ({ revision }) => revision },
  {
    name: "measurements",
    head: "measurements",
    value: ({ measurements }) => measurements.flatMap((one) => one.measurement_id ?? []),
    text: ({ measurements }) => measurements.flatMap((one) => one.measurement_id ?? []).join(" "),
  },
];
