/**
 * The configurations of the exchange server, whole, for each NAME.yaml beside this file, which a real BIRD reads; and
 * those of the coordination server, which are the operator's example in deploy/headscale.
 *
 * `VANTAGE_GOLDEN=write bun test tests/golden` writes the files; look at the difference before you commit it.
 */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { birdFile, policyFile, renderFiles } from "../../../apps/exchange/files.ts";
import { readSettings } from "../../../apps/exchange/settings.ts";
import { birdComplaint } from "../../exchange/bird-parses.ts";

function filesOf(name: string): Map<string, string> {
  const file = `${name}.yaml`;
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  return new Map(renderFiles(readSettings({ name: file, text }, {})).map((one) => [one.name, one.text]));
}

function compare(name: string, output: string): void {
  const file = join(import.meta.dirname, name);
  if (process.env.VANTAGE_GOLDEN === "write") {
    writeFileSync(file, output);
  }
  expect(output).toBe(readFileSync(file, "utf8"));
}

test.each(["small", "large"])("%s: BIRD's configuration is as kept, and BIRD reads it", (name) => {
  const files = filesOf(name);
  const text = files.get(birdFile) ?? "";
  compare(`${name}.conf`, text);
  const beside = text.replace(/^include ".*";$/m, 'include "policy.conf";');
  expect(birdComplaint(beside, { "policy.conf": files.get(policyFile) ?? "" })).toBe("");
});

test("the coordination server's files are as kept, and are YAML and JSON with comments", () => {
  const files = filesOf("large");
  const [config = "", policy = ""] = ["headscale.yaml", "headscale-policy.hujson"].map((name) =>
    files.get(name),
  );
  compare("../../../deploy/headscale/config.yaml", config);
  compare("../../../deploy/headscale/policy.hujson", policy);
  expect(Bun.YAML.parse(config)).toHaveProperty("oidc.issuer", "https://login.example.net/");
  const plain = policy.replaceAll(/^\s*\/\/.*$/gm, "").replaceAll(/,(?=\s*[}\]])/g, "");
  expect(JSON.parse(plain)).toHaveProperty("acls.length", 2);
});

test("without a VPN section nothing is rendered for a coordination server", () => {
  expect([...filesOf("small").keys()]).toEqual([birdFile, policyFile]);
});
