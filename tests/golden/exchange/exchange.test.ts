/**
 * The configurations of the exchange server, whole, for each NAME.yaml beside this file, which a real BIRD reads; and
 * those of the coordination server, which are the operator's example in deploy/headscale.
 *
 * `VANTAGE_GOLDEN=write bun test tests/golden` writes the files; look at the difference before you commit it.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { birdFile, policyFile, renderFiles } from "../../../apps/peering/exchange/render.ts";
import { readSettings } from "../../../apps/peering/exchange/settings.ts";
import { birdComplaint } from "../../exchange/bird-parses.ts";
import { debianBird, newerBirds, noNewerBirds } from "../../exchange/birds.ts";
import { compareIn } from "../kept-file.ts";

function filesOf(name: string, birdVersion?: string): Map<string, string> {
  const file = `${name}.yaml`;
  const kept = readFileSync(join(import.meta.dirname, file), "utf8");
  const text = kept.replace(
    "exchange:\n",
    `exchange:\n  bird_version: "${birdVersion ?? debianBird.version}"\n`,
  );
  return new Map(renderFiles(readSettings({ name: file, text }, {})).map((one) => [one.name, one.text]));
}

const compare = (name: string, output: string) => compareIn(import.meta.dirname, name, output);

test.each(["small", "large"])("%s: BIRD's configuration is as kept, and BIRD reads it", (name) => {
  const files = filesOf(name);
  const text = files.get(birdFile) ?? "";
  compare(`${name}.conf`, text);
  expect(complaint(files)).toBe("");
});

/** A policy with users in it, as the generator writes it. */
const users = readFileSync(join(import.meta.dirname, "../policy/users.conf"), "utf8");

function complaint(files: ReadonlyMap<string, string>, bird?: string): string {
  const text = files.get(birdFile)?.replace(/^include ".*";$/m, 'include "policy.conf";') ?? "";
  return (
    birdComplaint(text, { "policy.conf": users }, bird) ||
    birdComplaint(text, { "policy.conf": files.get(policyFile) ?? "" }, bird)
  );
}

describe.each(newerBirds)("BIRD $version", ({ version, program }) => {
  test.each(["small", "large"])("reads what is rendered for it: %s", (name) => {
    expect(complaint(filesOf(name, version), program)).toBe("");
  });

  test.each(["small", "large"])(
    "reads what was rendered for Debian's, so that it can take its place: %s",
    (name) => {
      expect(complaint(filesOf(name), program)).toBe("");
    },
  );
});

const secondLine = newerBirds.filter(({ version }) => version.startsWith("2."));
test.each(secondLine)(
  "BIRD $version reads what was rendered for 2.14, the first that clears attributes",
  (bird) => {
    expect(complaint(filesOf("large", "2.14"), bird.program)).toBe("");
  },
);

if (newerBirds.length === 0) {
  test.skip(noNewerBirds, () => undefined);
}

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
