/**
 * The file `endpoint.json` in the directory of an embedded store: the address of its process, and its secret. Only the
 * owner may read it; it exists as long as the process runs, and after a crash until the next.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

const schema = v.object({ url: v.string(), token: v.string(), pid: v.number() });

type Endpoint = v.InferOutput<typeof schema>;

const fileName = "endpoint.json";

/** Null when it is missing or unreadable. */
export function readEndpoint(directory: string): Endpoint | null {
  try {
    return v.parse(schema, JSON.parse(readFileSync(join(directory, fileName), "utf8")));
  } catch {
    return null;
  }
}

/** Atomic, so that no reader sees a partial file. */
export function writeEndpoint(directory: string, endpoint: Endpoint): void {
  const path = join(directory, fileName);
  writeFileSync(`${path}.new`, JSON.stringify(endpoint), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function removeEndpoint(directory: string): void {
  rmSync(join(directory, fileName), { force: true });
}
