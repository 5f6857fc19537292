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

const key = /\b(mkey|nodekey|discokey|privkey|nlpub|hskey-auth|register)[:/]?[-\w*]+/g;
const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function scrubbed(value: unknown): unknown {
  const seen = new Map<string, string>();
  const keyText = (kind: string, text: string) => {
    const number = seen.get(text) ?? String(seen.size + 1).padStart(64, "0");
    seen.set(text, number);
    return `${kind}:${number}`;
  };
  const clean = (text: string) =>
    time.test(text) && !text.startsWith("0001")
      ? "2026-01-01T00:00:00Z"
      : text.replaceAll(key, (all, kind) => keyText(kind, all));
  const walk = (part: unknown): unknown => {
    if (typeof part === "string") {
      return clean(part);
    }
    if (Array.isArray(part)) {
      return part.map(walk);
    }
    if (typeof part === "object" && part !== null) {
      return Object.fromEntries(Object.entries(part).map(([name, inner]) => [clean(name), walk(inner)]));
    }
    return part;
  };
  return walk(value);
}
