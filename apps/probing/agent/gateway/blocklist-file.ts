/** The gateway's list of destinations in the state folder, as received: the consumer reads it there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import {
  type BlocklistAnswer,
  blocklistAnswerSchema,
} from "../../../../lib/measuring/probing/agent-report.ts";
import { writeWhole } from "../state-folder.ts";

export function blocklistPath(stateDir: string): string {
  return join(stateDir, "gateway-blocklist.json");
}

/** Null without a readable file: then it is fetched again. */
export function keptBlocklistVersion(stateDir: string): string | null {
  const path = blocklistPath(stateDir);
  try {
    return existsSync(path)
      ? v.parse(blocklistAnswerSchema, JSON.parse(readFileSync(path, "utf8"))).version
      : null;
  } catch {
    return null;
  }
}

/** Throws when it cannot be written. */
export function keepBlocklist(stateDir: string, answer: BlocklistAnswer): void {
  writeWhole(blocklistPath(stateDir), JSON.stringify(answer));
}
