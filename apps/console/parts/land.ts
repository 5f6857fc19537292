/** The file with the land, which each map of a page refers to. */
import { consoleFiles } from "../frame/files.ts";

export async function landAddress(): Promise<string> {
  return `/console/files/${(await consoleFiles()).land.name}`;
}
