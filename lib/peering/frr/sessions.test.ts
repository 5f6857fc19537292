/** Answers of FRR 8.4.4's bgpd to `show bgp neighbors json`, shortened to the members around those that are read. */
import { expect, test } from "bun:test";
import { readFrrSessions } from "./sessions.ts";

test("a session that is up has a time, no error, and the routes that were let in", () => {
  const answer = {
    "100.64.0.1": {
      remoteAs: 64_500,
      bgpState: "Established",
      bgpTimerUpMsec: 35_000,
      addressFamilyInfo: {
        ipv6Unicast: { updateGroupId: 1, acceptedPrefixCounter: 20_000, sentPrefixCounter: 1 },
      },
      connectionsDropped: 0,
      lastResetTimerMsecs: 39_000,
      lastResetDueTo: "Waiting for peer OPEN",
    },
  };
  expect(readFrrSessions(answer)).toEqual([
    {
      ...{ address: "100.64.0.1", isUp: true, state: "Established", forMs: 35_000 },
      ...{ lastError: null, acceptedRoutes: 20_000 },
    },
  ]);
});

test("a session that is down says why, and since when where FRR knows", () => {
  const answer = {
    "100.64.0.2": { bgpState: "Active", lastResetTimerMsecs: 4000, lastResetDueTo: "Hold Timer Expired" },
    "100.64.0.3": { bgpState: "Idle" },
  };
  const down = { isUp: false, acceptedRoutes: 0 };
  expect(readFrrSessions(answer)).toEqual([
    { ...down, address: "100.64.0.2", state: "Active", forMs: 4000, lastError: "Hold Timer Expired" },
    { ...down, address: "100.64.0.3", state: "Idle", forMs: null, lastError: null },
  ]);
});

test("FRR without a session gives an empty list; another form gives null", () => {
  expect(readFrrSessions({})).toEqual([]);
  expect(readFrrSessions(null)).toBeNull();
  expect(readFrrSessions({ "100.64.0.1": { bgpState: 7 } })).toBeNull();
});
