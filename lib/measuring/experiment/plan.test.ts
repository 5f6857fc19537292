import { expect, test } from "bun:test";
import * as v from "valibot";
import { experimentSchema } from "./definition.ts";
import type { SiteBudget } from "./exchange-budget.ts";
import { planOf } from "./plan.ts";

const frame = {
  experiment: "prepend west",
  prefix: "2001:db8:51::/48",
  probe: { agents: ["west", "east"], targets: ["2001:db8:9::1"] },
};
const place = {
  sites: ["west", "east"],
  targets: 100,
  agents: 2,
  probesPerPath: 32,
  leaseSec: null,
  pace: { spacingSec: 600, perHourMax: 10 },
  budgets: new Map<string, SiteBudget>(),
};

const plan = (more: object, at: Partial<typeof place> = {}) =>
  planOf(v.parse(experimentSchema, { ...frame, ...more }), { ...place, ...at });
const faults = (more: object) =>
  v.safeParse(experimentSchema, { ...frame, ...more }).issues?.map(({ message }) => message);

const steps = [
  { at: "0m", announce: { sites: "all" }, probe: { catchment: { after: "20m", times: 3 } } },
  { at: "90m", announce: { sites: ["west"], prepend: 2 }, probe: { paths: { every: "60s", for: "10m" } } },
  { at: "180m", withdraw: { sites: ["west"] }, probe: { watch: { every: "1s", for: "5m" } } },
];

test("each change, each look, the probes and the end", () => {
  const { actions, changes, probes, endSec, problems } = plan({ steps });
  expect(
    actions.map(({ sec, kind, ...rest }) => [sec, kind, "site" in rest ? rest.site : rest.probes]),
  ).toEqual([
    [0, "announce", "west"],
    [0, "announce", "east"],
    [1200, "catchment", 100],
    [1260, "catchment", 100],
    [1320, "catchment", 100],
    [5400, "announce", "west"],
    [5400, "paths", 10 * 100 * 2 * 32],
    [10_800, "withdraw", "west"],
    [10_800, "watch", 300 * 100],
    [10_800 + 299 + 60, "withdraw", "east"],
  ]);
  expect([changes, probes, endSec, problems]).toEqual([4, 300 + 64_000 + 30_000, 11_159, []]);
});

test("what a site has already is not announced again", () => {
  const again = [
    { at: 0, announce: { sites: "all" } },
    { at: 3600, announce: { sites: ["west"] } },
  ];
  expect(plan({ steps: again }).changes).toBe(2);
});

test("a sweep is too many changes of an hour for nobody, and its catchments have rounds", () => {
  const { actions, changes, problems } = plan({ sweep: { sites: ["west", "east"] } });
  expect(problems).toEqual([]);
  expect(changes).toBe(1 + 6 + 2 + 1);
  const rounds = actions.flatMap((action) => ("round" in action ? [action.round] : []));
  expect(rounds).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test("what stands against it is said with its place", () => {
  const quick = [
    { at: 0, announce: { sites: "all" } },
    { at: "5m", announce: { sites: "all", prepend: 1 } },
    { at: "15m", announce: { sites: ["south"] } },
  ];
  expect(plan({ steps: quick }, { leaseSec: 900 } as object).problems).toEqual([
    'steps[2]: there is no exchange server "south"; there are west, east',
    "The change at 300 s is less than 600 s after the previous one",
    "The lease ends 900 s after the start, and the experiment needs it for 1560 s; renew it first",
  ]);
});

const unspent: SiteBudget = { max: 5, everySec: 600, fullSec: 0, heldSec: 0 };
const bothUnspent = new Map([
  ["west", unspent],
  ["east", unspent],
]);
const quickly = { spacingSec: 0, perHourMax: 100 };

test("a sweep with prepends 0 to 3 fits into what exchanges take; one with short waits does not", () => {
  const fits = plan({ sweep: { sites: ["west", "east"] } }, { budgets: bothUnspent });
  expect(fits.problems).toEqual([]);
  expect([...(fits.exchanges.get("west")?.leftBySec.values() ?? [])].every((left) => left >= 3)).toBe(true);
  const short = { sweep: { sites: ["west", "east"], wait: "30s" } };
  expect(plan(short, { pace: quickly, budgets: bothUnspent }).problems).toEqual([
    'sweep: the exchange server "west" would refuse the change at 480 s: it takes 5 changes of a prefix in a row, ' +
      "and one more each 600 s; it takes it at 615 s: let sweep.wait be 600s",
  ]);
});

test("a change that an exchange would refuse is named with its step, and with when it would be taken", () => {
  const burst = [1, 2, 3].map((prepend) => ({ at: 60 * prepend, announce: { sites: "all", prepend } }));
  const steps = [{ at: 0, announce: { sites: "all" } }, ...burst, { at: 240, withdraw: { sites: "all" } }];
  const spent = { ...unspent, fullSec: 1100 };
  const budgets = new Map([
    ["west", unspent],
    ["east", spent],
  ]);
  const { problems, exchanges } = plan({ steps }, { pace: quickly, budgets });
  expect(problems).toEqual([
    'steps[3]: the exchange server "east" would refuse the change at 180 s: it takes 5 changes of a prefix in a row, ' +
      "and one more each 600 s; it takes it at 515 s: move it 335 s later",
  ]);
  // Withdrawals are not counted there.
  expect([...(exchanges.get("west")?.leftBySec ?? [])]).toEqual([
    [0, 4],
    [60, 3],
    [120, 2],
    [180, 1],
  ]);
  const held = new Map([["west", { ...unspent, heldSec: 900 }]]);
  expect(plan({ steps }, { pace: quickly, budgets: held }).problems).toEqual([
    'steps[0]: the exchange server "west" would refuse the change at 0 s: the prefix has changed too often there; it ' +
      "takes it at 900 s: start 900 s later",
  ]);
});

test.each([
  [{}, 'needs either "steps", "sweep" or "aim"'],
  [
    {
      steps: [
        { at: 60, announce: { sites: "all" } },
        { at: 0, withdraw: { sites: "all" } },
      ],
    },
    '"steps" must be in the order of their times',
  ],
  [{ steps: [{ at: 0 }] }, 'does nothing: it needs "announce", "withdraw" or "probe"'],
  [
    { steps: [{ at: "soon", announce: { sites: "all" } }] },
    "must be a time of at most 30 days: 500ms, 90, 90s, 20m, 2h or 1d",
  ],
  [{ steps: [{ at: 0, announce: { sites: "all", prepend: 11 } }] }, "must be a whole number from 0 to 10"],
])("%j is refused", (more, message) => {
  expect(faults(more)).toContain(message);
});
