/** The script of the pages. Without it, all pages work except forms that change something, and live updates. */
import { listenToForms } from "./forms.ts";
import { listenToGraphs } from "./graph.ts";
import { listenToKeys } from "./keys.ts";
import { followNews } from "./live.ts";
import { listenToMeasureForm } from "./measure.ts";
import { listenToPlanForms } from "./plan.ts";

listenToKeys();
listenToForms();
listenToMeasureForm();
listenToPlanForms();
listenToGraphs();
followNews();
