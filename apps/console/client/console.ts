/** The script of the pages. Without it, all pages work except forms that change something, and live updates. */
import { listenToCampaignForm } from "./campaign.ts";
import { listenToForms } from "./forms.ts";
import { listenToGraphs } from "./graph.ts";
import { listenToKeys } from "./keys.ts";
import { followNews } from "./live.ts";
import { listenToMeasureForm } from "./measure.ts";

listenToKeys();
listenToForms();
listenToMeasureForm();
listenToCampaignForm();
listenToGraphs();
followNews();
