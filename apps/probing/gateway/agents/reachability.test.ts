import { expect, test } from "bun:test";
import { reportGraceMs, sweepLateMs, sweepMs } from "../limits.ts";
import { assign } from "../submit/assignment.ts";
import { chooseAgents } from "../submit/choose-agents.ts";
import { checkReachability } from "../submit/who-can-probe.ts";
import type { EligibleAgent } from "./agent-directory.ts";
import { Reachability } from "./reachability.ts";

function clocked() {
  let nowMs = 5000;
  const reachability = new Reachability(() => nowMs);
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const run = (ms: number) => {
    for (let at = 0; at < ms; at += sweepMs) {
      pass(sweepMs);
      reachability.seen();
    }
  };
  return { reachability, pass, run };
}

test("agents can report since the start, while the sweep comes on time", () => {
  const { reachability, run } = clocked();
  expect(reachability.forMs).toBe(0);
  run(20_000);
  expect(reachability.forMs).toBe(20_000);
});

test("a late sweep means that they cannot, and the time counts from its return", () => {
  const { reachability, run, pass } = clocked();
  run(20_000);
  pass(sweepLateMs + 1);
  expect(reachability.forMs).toBe(0);
  reachability.seen();
  run(3000);
  expect(reachability.forMs).toBe(3000);
});

test("a report that fails counts at once", () => {
  const { reachability, run } = clocked();
  run(20_000);
  reachability.missed();
  expect(reachability.forMs).toBe(0);
});

const agent = (id: string, state: Partial<EligibleAgent>): [string, EligibleAgent] => [
  id,
  {
    id,
    config: [],
    ungrantedChoice: null,
    healthy: true,
    online: true,
    hasReported: true,
    paused: false,
    heldByHost: null,
    isExisting: false,
    sendsShapes: true,
    allowsDns: false,
    ...{ tags: [], asn: null, country: null, location: null },
    ...state,
  },
];
const agents = new Map([
  agent("silent", { online: false, healthy: false, tags: ["quiet", "some"] }),
  agent("ill", { healthy: false, tags: ["ill", "some"] }),
  agent("new", { online: false, healthy: false, hasReported: false }),
  agent("well", { tags: ["some"] }),
]);

test.each([
  ["silent", true],
  ["silent ill nobody", true],
  ["ill new nobody", false],
  ["silent well", false],
  ["", false],
])("when agents could not report, %p are waited for: %p", (ids, isWaited) => {
  const wanted = ids.split(" ").filter((id) => id !== "");
  const requested = wanted.map((id) => ({ id, ip_address: null }));
  const { isSilent } = assign(
    { requested, agents, selections: [] },
    { userId: 1, hasTcp: false, shape: {}, probes: 1 },
  );
  const check = (forMs: number) => () => checkReachability(isSilent, { forMs });
  if (isWaited) {
    expect(check(reportGraceMs - 1)).toThrow("No agent has reported");
  } else {
    expect(check(0)).not.toThrow();
  }
  expect(check(reportGraceMs)).not.toThrow();
});

test.each([
  ["tag:quiet", true],
  ["2@tag:some", true],
  ["2@tag:ill", false],
])("when agents could not report, those for %s are waited for: %p", async (id, isWaited) => {
  const choose = (forMs: number) =>
    chooseAgents(
      { agents: { eligible: async () => agents }, reachability: { forMs } },
      [{ id, ip_address: null }],
      { hasTcp: false, shape: {} },
    );
  expect(choose(0)).rejects.toMatchObject({ code: isWaited ? "agents_unheard" : "selector_unmet" });
  expect(choose(reportGraceMs)).rejects.toMatchObject({ code: "selector_unmet" });
});
