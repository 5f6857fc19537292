import { expect, test } from "bun:test";
import { refusalWords } from "../../../../lib/peering/policy/refusal.ts";
import { adviceOn, durationText, vpnProblem } from "./words.ts";

test("each reason of an exchange has its own advice, and one that is not known sends to the operator", () => {
  const advice = Object.keys(refusalWords).map(adviceOn);
  expect(new Set(advice).size).toBe(advice.length);
  expect(advice).not.toContain(adviceOn("newReason"));
  expect(adviceOn("toString")).toBe(adviceOn("newReason"));
});

test.each([
  [0, "less than a minute"],
  [59, "less than a minute"],
  [60, "1 min"],
  [3600, "1 h"],
  [3660, "1 h 1 min"],
  [90_000, "1 d 1 h"],
])("%d s is %s", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

test("a VPN that works is not a problem; one that waits for a login says what to do", () => {
  expect(vpnProblem("Running")).toBeNull();
  expect(vpnProblem("NeedsLogin")?.advice).toContain("tailscale login");
  expect(vpnProblem("Odd")?.text).toContain("Odd");
});
