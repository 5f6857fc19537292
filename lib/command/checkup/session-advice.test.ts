import { expect, test } from "bun:test";
import { sessionAdvice } from "./session-advice.ts";

/** Errors of BIRD 2.0.12 and FRR 8.4. */
test.each([
  ["Active", "Error: Bad peer AS", "the AS numbers of both sides do not fit"],
  ["Idle", "Received: Bad peer AS", "the AS numbers of both sides do not fit"],
  ["Idle", "Received: Maximum number of prefixes reached", "more prefixes were sent than may be"],
  ["Idle", "Route limit exceeded", "more prefixes were sent than may be"],
  ["Active", "Error: Hold timer expired", "the other side was silent for too long"],
  ["Active", "Socket: No route to host", "there is no route to the other side"],
  ["Connect", "Socket: Connection refused", "the other side does not listen for BGP"],
  ["Active", "Received: Administrative shutdown", "the other side has ended it"],
  ["Active", "Received: Connection rejected", "the other side has ended it"],
  ["Connect", "Socket: Connection timed out", "the other side does not answer"],
  ["Active", "Socket: Operation now in progress", "it is still being set up"],
])("%s, %s: %s", (state, lastError, why) => {
  const advice = sessionAdvice({ state, lastError });
  expect(advice.why).toBe(`${state}, ${lastError}: ${why}`);
  expect(advice.next).not.toBe("");
});

test("a session without an error is being set up", () => {
  expect(sessionAdvice({ state: "Connect", lastError: null }).why).toBe("Connect: it is still being set up");
});
