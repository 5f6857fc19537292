/** The configuration file of a service: its text, or what to say when the service cannot start. */
import { readFileSync } from "node:fs";
import { printErrorLine } from "../terminal/output.ts";
import { ConfigError } from "./config-error.ts";
import { systemReason } from "./system-reason.ts";
import type { YamlSource } from "./yaml-file.ts";

/** Null = no file: variables alone may say it all. Throws ConfigError when it cannot be read. */
export function readConfigSource(path: string | null): YamlSource {
  if (path === null) {
    return { name: "no configuration file", text: "" };
  }
  try {
    return { name: path, text: readFileSync(path, "utf8") };
  } catch (error) {
    throw new ConfigError([{ place: path, key: "", reason: `cannot be read: ${systemReason(error)}` }]);
  }
}

/** Says on stderr why a command failed, and returns its exit code: 2 for a configuration that cannot be, else 1. */
export function failedBy(command: string, error: unknown): 1 | 2 {
  const text = error instanceof Error ? error.message : String(error);
  for (const line of text.split("\n")) {
    printErrorLine(`vantage ${command}: ${line}`);
  }
  return error instanceof ConfigError ? 2 : 1;
}
