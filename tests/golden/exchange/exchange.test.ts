/**
 * The configurations of the exchange server and of the coordination server, whole, for each NAME.yaml beside this
 * file; a real BIRD reads its own.
 *
 * `VANTAGE_GOLDEN=write bun test tests/golden` writes the files; look at the difference before you commit it.
 */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exchangeConf } from "../../../apps/exchange/exchange-conf.ts";
import { readSettings } from "../../../apps/exchange/settings.ts";
import { rejectAll } from "../../../lib/policy/policy.ts";
import { policyText } from "../../../lib/policy/policy-text.ts";
import { birdComplaint } from "../../exchange/bird-parses.ts";

function settingsOf(name: string) {
  const file = `${name}.yaml`;
  return readSettings({ name: file, text: readFileSync(join(import.meta.dirname, file), "utf8") }, {});
}

function compare(name: string, output: string): void {
  const file = join(import.meta.dirname, name);
  if (process.env.VANTAGE_GOLDEN === "write") {
    writeFileSync(file, output);
  }
  expect(output).toBe(readFileSync(file, "utf8"));
}

test.each(["small", "large"])("%s: BIRD's configuration is as kept, and BIRD reads it", (name) => {
  const text = exchangeConf(settingsOf(name));
  compare(`${name}.conf`, text);
  const beside = text.replace(/^include ".*";$/m, 'include "policy.conf";');
  expect(birdComplaint(beside, { "policy.conf": policyText(rejectAll).text })).toBe("");
});
