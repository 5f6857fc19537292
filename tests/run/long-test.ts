/** Tests of the long tier: outside of it they do not exist, so nothing counts them as skipped. */
import { test } from "bun:test";
import { isLongRun } from "./tier.ts";

export function longTest(name: string, act: () => unknown, limitMs?: number): void {
  if (isLongRun) {
    test(name, async () => void (await act()), limitMs);
  }
}
