/** The script of the pages. All pages work without it, but for forms that change something, and news. */
import { listenToForms } from "./forms.ts";
import { listenToGraphs } from "./graph.ts";
import { listenToKeys } from "./keys.ts";
import { followNews } from "./live.ts";

listenToKeys();
listenToForms();
listenToGraphs();
followNews();
