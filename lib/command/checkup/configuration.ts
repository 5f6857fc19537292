/** Reads a part's configuration, or reports its errors. */
import { readFileSync } from "node:fs";
import { systemReason } from "../../base/failure/system-reason.ts";
import type { YamlSource } from "../../engines/config/yaml-file.ts";
import { type Finding, fail, messageOf } from "./finding.ts";

/** Throws Error that names the file. */
export function sourceIn(file: string): YamlSource {
  try {
    return { name: file, text: readFileSync(file, "utf8") };
  } catch (error) {
    throw new Error(`Cannot read the file: ${messageOf(error)}`, { cause: error });
  }
}

/** A finding for each line of the error; `page` documents every key. */
export function misconfigured(error: unknown, page: string): Finding[] {
  const lines = systemReason(error).split("\n");
  return lines.map((line) => fail("configuration", line, `every key is in ${page}`));
}
