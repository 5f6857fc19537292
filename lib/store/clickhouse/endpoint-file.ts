/**
 * The file `endpoint.json` in the directory of an embedded store: where its process listens, and the secret that it
 * asks for. Only the owner may read it; it is there as long as the process runs, and after a crash until the next.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

const schema = v.object({ url: v.string(), token: v.string(), pid: v.number() });

type Endpoint = v.InferOutput<typeof schema>;

const fileName = "endpoint.json";

/** Null when there is none, or none that can be read. */
export function readEndpoint(directory: string): Endpoint | null {
  try {
    return v.parse(schema, JSON.parse(readFileSync(join(directory, fileName), "utf8")));
  } catch {
    return null;
  }
}

/** In one step, so that no reader finds half of it. */
export function writeEndpoint(directory: string, endpoint: Endpoint): void {
  const path = join(directory, fileName);
  writeFileSync(`${path}.new`, JSON.stringify(endpoint), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function removeEndpoint(directory: string): void {
  rmSync(join(directory, fileName), { force: true });
}
