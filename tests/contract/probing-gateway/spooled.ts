import { SpoolFolder } from "../../../apps/probing/gateway/submit/spool-folder.ts";

/** What has a file or a slot in the folder of a gateway, which goes on with it. */
export function spooled(folder: string): string[] {
  using spool = new SpoolFolder(folder, 0);
  return spool.list();
}
