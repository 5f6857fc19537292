/** How many files and connections a process may have open, as inherited from this shell. */
import { readFileSync } from "node:fs";
import { type Finding, ok, warn } from "../finding.ts";

export function openFiles(neededMin: number): Finding {
  const what = "open files";
  const text = /^Max open files +(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? "";
  if (text === "unlimited" || Number(text) >= neededMin) {
    return ok(what, `at most ${text}`);
  }
  const next = `ulimit -n ${neededMin}, or LimitNOFILE=${neededMin} in the service's unit`;
  return warn(what, `at most ${text}, and ${neededMin} may be needed`, next);
}
