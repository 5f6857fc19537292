/** The configuration file of a service: its text, or the message when the service cannot start. */
import { readFileSync } from "node:fs";
import { systemReason } from "../failure/system-reason.ts";
import { ConfigError } from "./config-error.ts";
import type { YamlSource } from "./yaml-file.ts";

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
