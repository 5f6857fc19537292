/** Documents of a run for the default tests: as they were, but for keys and times, which are made equal each time. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Recording } from "./exchange-story.ts";

const vectors = join(import.meta.dirname, "../../vectors");

/** Writes them; gives a line for each file. */
export function record({ nodes, status, prefs, loggedOut }: Recording): string[] {
  const files = {
    "headscale/nodes-0.28.0.json": nodes,
    "tailscaled/status-1.94.1.json": status,
    "tailscaled/prefs-1.94.1.json": prefs,
    "tailscaled/status-logged-out-1.94.1.json": loggedOut,
  };
  return Object.entries(files).map(([name, text]) => {
    writeFileSync(join(vectors, name), `${JSON.stringify(scrubbed(JSON.parse(text)), null, 2)}\n`);
    return `Wrote tests/vectors/${name}`;
  });
}

const key = /\b(mkey|nodekey|discokey|privkey|hskey-auth|register)([:/-])[-\w*]+/g;
const time = /^(?!0001)\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Numbers keys in their order, so that those that were the same still are. What ends, ends in a far year. */
function scrubbed(document: unknown): unknown {
  const seen = new Map<string, string>();
  const clean = (text: string) =>
    text.replaceAll(key, (whole, kind, separator) => {
      const number = seen.get(whole) ?? String(seen.size + 1).padStart(64, "0");
      seen.set(whole, number);
      return `${kind}${separator}${number}`;
    });
  const text = JSON.stringify(document, (name, value: unknown) => {
    if (typeof value === "string" && time.test(value)) {
      return /expir/i.test(name) ? "2099-01-01T00:00:00Z" : "2026-01-01T00:00:00Z";
    }
    return value;
  });
  return JSON.parse(clean(text));
}
