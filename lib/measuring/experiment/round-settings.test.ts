import { expect, test } from "bun:test";
import { plainAttributes } from "../../base/api/announcements.ts";
import { prependsOf, roundSettings } from "./round-settings.ts";

const as = (prepend: number, more = {}) => ({ sites: "all" as const, prepend, ...plainAttributes, ...more });
const look = (round: number | null) => ({
  ...({ sec: 0, kind: "catchment", probes: 1, times: 1, everySec: 0, round } as const),
});

test("a round has what sites announce at its moment", () => {
  const settings = roundSettings([
    { sec: 0, kind: "announce", site: "west", as: as(0) },
    { sec: 0, kind: "announce", site: "east", as: as(2) },
    look(0),
    look(null),
    { sec: 9, kind: "withdraw", site: "west" },
    look(1),
    { sec: 10, kind: "announce", site: "west", as: as(0, { not_to: [64500] }) },
    look(2),
  ]);
  const prepends = [...settings].map(([round, announced]) => [round, prependsOf(announced)]);
  expect(prepends).toEqual([
    [
      0,
      new Map([
        ["west", 0],
        ["east", 2],
      ]),
    ],
    [1, new Map([["east", 2]])],
    [2, null],
  ]);
});
