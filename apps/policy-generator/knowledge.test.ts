import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KeptFile } from "./kept-file.ts";
import { Knowledge } from "./knowledge.ts";

const rules = { issuer: null, allowEmailJoin: false };

test("both sources answer at once, again and again: each time all is kept", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-knowledge-"));
  const kept = () => new KeptFile(join(folder, "inputs.json"), "new");
  try {
    const knowledge = new Knowledge(kept(), rules);
    knowledge.learnMappings({ mappings: [], excluded: [] }, 1);
    knowledge.learnNodes({ nodes: [], excluded: [] }, 2);
    await Promise.all(Array.from({ length: 20 }, () => knowledge.save()));
    expect(readdirSync(folder)).toEqual(["inputs.json"]);
    expect(await new Knowledge(kept(), rules).load()).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
