/** The lab of the VPN is not run by `npm test`: here only that it starts, and says what it needs. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binaries } from "./binaries.ts";

function lab(...words: readonly string[]) {
  const script = join(import.meta.dirname, "main.ts");
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, script, ...words]);
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

test("it loads, and says what it does and needs", () => {
  const { exitCode, stdout } = lab("--help");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/npm run lab:vpn[\s\S]*Headscale v[\d.]+ and Tailscale v[\d.]+[\s\S]*Needs root/);
});

test("a word that it does not know is wrong usage", () => {
  expect(lab("everything")).toMatchObject({ exitCode: 2, stdout: "" });
});

test("without Go it says what to install", async () => {
  const cache = mkdtempSync(join(tmpdir(), "vantage-vpn-cache-"));
  try {
    await expect(binaries(() => undefined, { cache, path: "/nowhere" })).rejects.toThrow(
      'there is no "go" in PATH; install Go 1.26 or newer',
    );
  } finally {
    rmSync(cache, { recursive: true });
  }
});
