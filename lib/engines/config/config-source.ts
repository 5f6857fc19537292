/** The configuration file of a service: its text, or the message when the service cannot start. */
import { readFileSync } from "node:fs";
import { systemReason } from "../../base/failure/system-reason.ts";
import { ConfigError } from "./config-error.ts";
import { type Environment, hasVariables } from "./environment.ts";
import { setsNothing, type YamlSource } from "./yaml-file.ts";

/** Null = no file: variables may suffice. Throws ConfigError when it cannot be read. */
export function readConfigSource(path: string | null): YamlSource {
  if (path === null) {
    return { name: "no configuration file", text: "" };
  }
  try {
    return { name: path, text: readFileSync(path, "utf8") };
  } catch (error) {
    throw new ConfigError([
      { place: `Cannot read the configuration ${path}`, key: "", reason: systemReason(error) },
    ]);
  }
}

/**
 * Throws ConfigError for a file that is checked and sets nothing, of a service whose keys all have defaults: it is an
 * example, or not the file that was meant.
 */
export function refuseUnset(source: YamlSource, environment: Environment): void {
  if (setsNothing(source) && !hasVariables(environment)) {
    const reason =
      "sets nothing: it is empty, or has only comments; give the file that the service is started with";
    throw new ConfigError([{ place: source.name, key: "", reason }]);
  }
}
