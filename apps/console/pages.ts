/** The pages of the console, in the order of the navigation. */
import type { ConsolePage } from "./page.ts";
import { startPage } from "./pages/start.tsx";

export const pages: readonly ConsolePage[] = [startPage];
