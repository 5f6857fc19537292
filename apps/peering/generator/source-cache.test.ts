import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PersistentFile } from "./persistent-file.ts";
import { SourceCache } from "./source-cache.ts";

const rules = { issuer: null, allowEmailJoin: false };

test("both sources answer at once, again and again: each time all is kept", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-knowledge-"));
  const kept = () => new PersistentFile(join(folder, "inputs.json"), "new");
  try {
    const knowledge = new SourceCache(kept(), rules);
    knowledge.learnMappings({ mappings: [], excluded: [] }, 1);
    knowledge.learnNodes({ nodes: [], excluded: [], unserved: [] }, 2);
    await Promise.all(Array.from({ length: 20 }, () => knowledge.save()));
    expect(readdirSync(folder)).toEqual(["inputs.json"]);
    expect(await new SourceCache(kept(), rules).load()).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
