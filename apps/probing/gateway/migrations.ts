/** The schema of the probing gateway: the numbered files of sql/postgres/probing, oldest first. */
import { schemaOf } from "../../../lib/engines/store/postgres/migrate.ts";
import users from "../../../sql/postgres/probing/001-users.sql" with { type: "text" };
import agents from "../../../sql/postgres/probing/002-agents.sql" with { type: "text" };
import measurements from "../../../sql/postgres/probing/003-measurements.sql" with { type: "text" };
import safety from "../../../sql/postgres/probing/004-safety.sql" with { type: "text" };
import charges from "../../../sql/postgres/probing/005-charges.sql" with { type: "text" };
import finished from "../../../sql/postgres/probing/006-finished.sql" with { type: "text" };
import destinationShares from "../../../sql/postgres/probing/007-destination-shares.sql" with {
  type: "text",
};
import sources from "../../../sql/postgres/probing/008-sources.sql" with { type: "text" };
import grantedPrefixes from "../../../sql/postgres/probing/009-granted-prefixes.sql" with { type: "text" };
import destinationCrowd from "../../../sql/postgres/probing/010-destination-crowd.sql" with { type: "text" };
import agentPlaces from "../../../sql/postgres/probing/011-agent-places.sql" with { type: "text" };
import openMeasurements from "../../../sql/postgres/probing/012-open-measurements.sql" with { type: "text" };
import erasure from "../../../sql/postgres/probing/013-erasure.sql" with { type: "text" };
import consoleSessions from "../../../sql/postgres/probing/014-console-sessions.sql" with { type: "text" };
import packets from "../../../sql/postgres/probing/015-packets.sql" with { type: "text" };
import campaigns from "../../../sql/postgres/probing/016-campaigns.sql" with { type: "text" };
import alerts from "../../../sql/postgres/probing/017-alerts.sql" with { type: "text" };
import tokens from "../../../sql/postgres/probing/018-tokens.sql" with { type: "text" };
import shares from "../../../sql/postgres/probing/018b-shares.sql" with { type: "text" };
import campaignSteps from "../../../sql/postgres/probing/019-campaign-steps.sql" with { type: "text" };
import discoveries from "../../../sql/postgres/probing/020-discoveries.sql" with { type: "text" };
import discoveryShares from "../../../sql/postgres/probing/021-discovery-shares.sql" with { type: "text" };
import targetLists from "../../../sql/postgres/probing/022-target-lists.sql" with { type: "text" };
import parts from "../../../sql/postgres/probing/023-parts.sql" with { type: "text" };
import acceptTogether from "../../../sql/postgres/probing/024-accept-together.sql" with { type: "text" };
import experiments from "../../../sql/postgres/probing/025-experiments.sql" with { type: "text" };
import measurementLabels from "../../../sql/postgres/probing/026-measurement-labels.sql" with {
  type: "text",
};
import sqlDays from "../../../sql/postgres/probing/027-sql-days.sql" with { type: "text" };
import requestIds from "../../../sql/postgres/probing/028-request-ids.sql" with { type: "text" };
import followUps from "../../../sql/postgres/probing/029-follow-ups.sql" with { type: "text" };
import refusedSubmissions from "../../../sql/postgres/probing/030-refused-submissions.sql" with {
  type: "text",
};
import routeWatches from "../../../sql/postgres/probing/031-route-watches.sql" with { type: "text" };
import experimentRuns from "../../../sql/postgres/probing/032-experiment-runs.sql" with { type: "text" };
import campaignEvents from "../../../sql/postgres/probing/033-campaign-events.sql" with { type: "text" };

export const probingSchema = schemaOf("probing", {
  users,
  agents,
  measurements,
  safety,
  charges,
  finished,
  "destination-shares": destinationShares,
  sources,
  "granted-prefixes": grantedPrefixes,
  "destination-crowd": destinationCrowd,
  "agent-places": agentPlaces,
  "open-measurements": openMeasurements,
  erasure,
  "console-sessions": consoleSessions,
  packets,
  campaigns,
  alerts,
  tokens,
  shares,
  "campaign-steps": campaignSteps,
  discoveries,
  "discovery-shares": discoveryShares,
  "target-lists": targetLists,
  parts,
  "accept-together": acceptTogether,
  experiments,
  "measurement-labels": measurementLabels,
  "sql-days": sqlDays,
  "request-ids": requestIds,
  "follow-ups": followUps,
  "refused-submissions": refusedSubmissions,
  "route-watches": routeWatches,
  "experiment-runs": experimentRuns,
  "campaign-events": campaignEvents,
});
