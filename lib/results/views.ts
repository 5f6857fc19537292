/** All views, in the order in which they are offered. */
import type { View } from "./view.ts";
import { catchmentView } from "./views/catchment.ts";
import { lossView } from "./views/loss.ts";
import { pathsView } from "./views/paths.ts";
import { probesView } from "./views/probes.ts";
import { repliesView } from "./views/replies.ts";

const all = {
  replies: repliesView,
  paths: pathsView,
  loss: lossView,
  catchment: catchmentView,
  probes: probesView,
} as const;

export type ViewName = keyof typeof all;

export const viewNames = Object.keys(all) as readonly ViewName[];

/** Its rows are read by its own schema and drawing only, so whoever asks by name need not know them. */
export function viewOf(name: ViewName): View<unknown> {
  return all[name] as unknown as View<unknown>;
}
