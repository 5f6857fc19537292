/** The pages of the console, in the order of the navigation. */
import { problem } from "../../lib/engines/http/problem.ts";
import type { ConsolePage } from "./page.ts";
import { accountPage } from "./pages/account.tsx";
import { campaignPage } from "./pages/campaign.tsx";
import { campaignsPage } from "./pages/campaigns.tsx";
import { discoveryPage } from "./pages/discovery.tsx";
import { experimentPage } from "./pages/experiment.tsx";
import { experimentsPage } from "./pages/experiments.tsx";
import { measurementPage } from "./pages/measurement.tsx";
import { measurementsPage } from "./pages/measurements.tsx";
import { operatorsPage } from "./pages/operators.tsx";
import { peeringPage } from "./pages/peering.tsx";
import { routesPage } from "./pages/routes.tsx";
import {
  publicCampaignPage,
  publicMeasurementPage,
  publicPage,
  sharedMeasurementPage,
  sharedPage,
} from "./pages/shared.tsx";
import { sqlPage } from "./pages/sql.tsx";
import { startPage } from "./pages/start.tsx";

/** For unknown addresses below `/console`. */
export const missingPage: ConsolePage = {
  path: "/console/*",
  show: () => {
    throw problem(404, "unknown_page", "The page does not exist; use the navigation above");
  },
};

export const pages: readonly ConsolePage[] = [
  startPage,
  measurementsPage,
  measurementPage,
  campaignsPage,
  campaignPage,
  discoveryPage,
  sqlPage,
  peeringPage,
  routesPage,
  experimentsPage,
  experimentPage,
  operatorsPage,
  accountPage,
  sharedPage,
  sharedMeasurementPage,
  publicPage,
  publicMeasurementPage,
  publicCampaignPage,
];
