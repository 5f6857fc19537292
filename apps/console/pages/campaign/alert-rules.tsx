/** @jsxImportSource hono/jsx */
/** Which changes between runs raise an alert: a tick for each detector, and the figures that people change. */
import { everyRule } from "../../../../lib/measuring/campaign/notice/rules.ts";
import { Field } from "../../parts/field.tsx";
import type { Detectors } from "./given-campaign.ts";

const names = {
  loss: "Loss",
  rtt: "Round-trip time",
  next_hops: "Flows take other next hops",
  new_link: "New link",
  new_as: "New AS",
  truncation: "Target no longer reached",
  loop: "Loop",
  silence: "Agent silent",
} as const satisfies Readonly<Record<keyof typeof everyRule, string>>;

const shown: ReadonlyMap<string, string> = new Map(Object.entries(names));

/** A detector of the API in words. */
export function nameOf(detector: string): string {
  return shown.get(detector) ?? detector;
}

const { loss, rtt } = everyRule;
const figures = [
  {
    name: "loss",
    key: "threshold_percent",
    field: "percent",
    label: "Loss above (%)",
    usual: 100 * loss.threshold,
  },
  { name: "loss", key: "runs", field: "runs", label: "Runs in a row", usual: loss.runs },
  { name: "rtt", key: "gap_ms", field: "ms", label: "Median RTT moves by more than (ms)", usual: rtt.gapMs },
  {
    name: "rtt",
    key: "gap_percent",
    field: "percent",
    label: "and by more than (%)",
    usual: 100 * rtt.gapShare,
  },
] as const;

export function AlertRules({ given }: { readonly given: Detectors | undefined }) {
  return (
    <details class="rules">
      <summary>Alert rules</summary>
      <fieldset class="row">
        <legend class="unseen">Raise an alert on</legend>
        {Object.entries(names).map(([name, word]) => (
          <label>
            <input
              type="checkbox"
              name="detector"
              value={name}
              checked={given === undefined || Object.hasOwn(given, name)}
            />{" "}
            {word}
          </label>
        ))}
      </fieldset>
      <div class="row">
        {figures.map(({ name, key, field, label, usual }) => (
          <Field
            label={label}
            name={`${name}_${field}`}
            type="number"
            value={String(given?.[name]?.[key] ?? usual)}
          />
        ))}
      </div>
    </details>
  );
}
