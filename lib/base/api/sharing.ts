/** A probing gateway's API responses about shared results. */
import * as v from "valibot";
import { time } from "./fields.ts";
import { measurementAnswer, measurementPartAnswer } from "./measurements.ts";

const id = v.pipe(v.string(), v.uuid());

/** How others may use and cite it. */
const terms = {
  licence: v.pipe(v.nullable(v.string()), v.description("As an SPDX identifier, or in words")),
  contact: v.nullable(v.string()),
  citation: v.nullable(v.string()),
};

export const sharingAnswer = v.object({
  visibility: v.pipe(
    v.picklist(["private", "link", "embargoed", "public"]),
    v.description("embargoed: public from public_at on"),
  ),
  has_link: v.boolean(),
  public_at: v.nullable(time),
  ...terms,
  hidden_at: v.pipe(v.nullable(time), v.description("When an operator hid it from everyone but its user")),
  hidden_because: v.nullable(v.string()),
  link: v.pipe(
    v.optional(v.string()),
    v.description("Path of the link, shown once; the previous link no longer works"),
  ),
  page: v.pipe(v.optional(v.string()), v.description("Path of its console page, also shown once")),
});

/** A shared measurement or campaign, without anything about its user. */
export const sharedItemAnswer = v.object({
  kind: v.picklist(["measurement", "campaign"]),
  id,
  name: v.pipe(v.nullable(v.string()), v.description("The user's name for it")),
  title: v.pipe(v.string(), v.description("The name; for a measurement without one, a summary")),
  tags: v.pipe(v.array(v.string()), v.description("Of a measurement")),
  started_at: time,
  public_at: v.nullable(time),
  ...terms,
});

export const sharedMeasurementAnswer = v.object({
  // The note and the place of origin are visible to its user only.
  ...v.omit(measurementAnswer, ["note", "origin", "folded_runs"]).entries,
  agents: v.array(measurementPartAnswer),
  public_at: v.nullable(time),
  ...terms,
});

export const sharedCampaignAnswer = v.object({
  id,
  name: v.string(),
  phase: v.picklist(["active", "paused", "ended"]),
  created_at: time,
  ended_at: v.nullable(time),
  next_at: v.nullable(time),
  done: v.number(),
  not_done: v.number(),
  public_at: v.nullable(time),
  ...terms,
});

export const sharedRunAnswer = v.object({
  run: v.number(),
  planned_at: time,
  state: v.string(),
  ended_at: v.nullable(time),
  measurements: v.pipe(v.array(id), v.description("Each has this campaign's visibility")),
});
