/** The script of the pages. Without it, all pages work except forms that change something, and live updates. */
import { listenToCopies } from "./copy.ts";
import { listenToForms } from "./forms.ts";
import { listenToGraphs } from "./graph.ts";
import { listenToKeys } from "./keys.ts";
import { followNews } from "./live.ts";
import { listenToMeasureForm, listenToProbesForm } from "./measure.ts";
import { listenToPictures } from "./pictures.ts";
import { listenToPlanForms } from "./plan.ts";
import { listenToSeries } from "./series.ts";
import { listenToTables } from "./tables.ts";

listenToKeys();
listenToForms();
listenToMeasureForm();
listenToPlanForms();
listenToProbesForm();
listenToCopies();
listenToGraphs();
listenToPictures();
listenToSeries();
listenToTables();
followNews();
