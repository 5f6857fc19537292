/** Names for what the gateway answers; the members are in openapi.ts, which is generated. */
import type { Answer, CallOrder } from "./calls.ts";

/** What is left of the day's quota, and what the gateway takes. */
export type Lookup = Answer<"get", "/api/lookup">;
export type Limits = Answer<"get", "/api/limits">;
export type Agent = Answer<"get", "/api/agents">[number];
/** A measurement that was accepted. */
export type Submitted = Answer<"post", "/api/probes">;
export type Measurement = Answer<"get", "/api/measurements">[number];
export type MeasurementStatus = Answer<"get", "/api/measurements/{id}/status">;
export type Cancelled = Answer<"post", "/api/measurements/{id}/cancel">;
export type Campaign = Answer<"get", "/api/campaigns">[number];
export type CampaignOrder = CallOrder<"post", "/api/campaigns">["body"];
export type Alert = Answer<"get", "/api/alerts">[number];
/** An API token, without the token itself. */
export type Token = Answer<"get", "/api/tokens">[number];
export type TokenOrder = CallOrder<"post", "/api/tokens">["body"];

/** A row of each view of results. */
export interface ResultRows {
  readonly probes: Answer<"get", "/api/measurements/{id}/probes">[number];
  readonly replies: Answer<"get", "/api/measurements/{id}/replies">[number];
  readonly paths: Answer<"get", "/api/measurements/{id}/paths">[number];
  readonly loss: Answer<"get", "/api/measurements/{id}/loss">[number];
  readonly catchment: Answer<"get", "/api/measurements/{id}/catchment">[number];
  readonly sites: Answer<"get", "/api/measurements/{id}/sites">[number];
  readonly mtu: Answer<"get", "/api/measurements/{id}/mtu">[number];
  readonly traces: Answer<"get", "/api/measurements/{id}/traces">[number];
  readonly pings: Answer<"get", "/api/measurements/{id}/pings">[number];
  readonly multipaths: Answer<"get", "/api/measurements/{id}/multipaths">[number];
  readonly trend: Answer<"get", "/api/measurements/{id}/trend">[number];
  readonly heatmap: Answer<"get", "/api/measurements/{id}/heatmap">[number];
  readonly series: Answer<"get", "/api/measurements/{id}/series">[number];
  readonly changes: Answer<"get", "/api/measurements/{id}/changes">[number];
  readonly links: Answer<"get", "/api/measurements/{id}/links">[number];
  readonly nodes: Answer<"get", "/api/measurements/{id}/nodes">[number];
  readonly graph: Answer<"get", "/api/measurements/{id}/graph">[number];
}

export type ResultView = keyof ResultRows;

/** What happens to a measurement while it goes. */
export type MeasurementEvent =
  | { readonly kind: "progress"; readonly status: MeasurementStatus }
  | { readonly kind: "reply"; readonly reply: ResultRows["replies"] }
  /** No more replies can come. */
  | { readonly kind: "end"; readonly status: MeasurementStatus };
