/** What a probing gateway answers about results that are shown to others. */
import * as v from "valibot";
import { time } from "./fields.ts";
import { measurementAnswer, measurementPartAnswer } from "./measurements.ts";

const id = v.pipe(v.string(), v.uuid());

/** How people may use and cite it. */
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
  hidden_at: v.pipe(v.nullable(time), v.description("An operator hides it from everybody but its user")),
  hidden_because: v.nullable(v.string()),
  link: v.pipe(
    v.optional(v.string()),
    v.description("Path of the link, shown once; the one before opens nothing any more"),
  ),
  page: v.pipe(
    v.optional(v.string()),
    v.description("Path of the console's page behind it, shown once likewise"),
  ),
});

/** A measurement or a campaign that others may see; nothing of its user. */
export const sharedItemAnswer = v.object({
  kind: v.picklist(["measurement", "campaign"]),
  id,
  name: v.pipe(v.nullable(v.string()), v.description("What its user calls it")),
  title: v.pipe(v.string(), v.description("The name; of a measurement without one, what it is about")),
  tags: v.pipe(v.array(v.string()), v.description("Of a measurement")),
  started_at: time,
  public_at: v.nullable(time),
  ...terms,
});

export const sharedMeasurementAnswer = v.object({
  // The note, and from where it was made, are its user's alone.
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
  measurements: v.pipe(v.array(id), v.description("Each is shown as this campaign is")),
});
