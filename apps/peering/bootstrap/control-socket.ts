/** Where the running client stack takes requests of local users. */
import { join } from "node:path";

export function controlSocketIn(stateFolder: string): string {
  return join(stateFolder, "control.sock");
}
