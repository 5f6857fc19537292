import { expect, test } from "bun:test";
import { compared, possibleSites } from "./possible-sites.ts";

/** One entry at each of three sites; -1 = withdrawn. */
const entriesOf = [[0], [1], [2]];
const both = (...levels: readonly number[]) => Int8Array.from(levels);
const siteOf = Int16Array.of(0);
const group = (...sites: readonly number[]) => ({ targets: [0], weight: 1, sites, isUnpredictable: false });

/** Sites that a target can be at, which was at these sites under these settings. */
function possible(rounds: readonly (readonly [Int8Array, number])[], setting: Int8Array): number[] {
  const measured = rounds.map(([one]) => ({ setting: one, siteOf }));
  const sites = group(...rounds.map(([, site]) => site));
  const bits = possibleSites(compared(entriesOf, measured), sites, setting);
  return [0, 1, 2].filter((site) => (bits >> site) % 2 === 1);
}

test("a target stays where all others became worse, and may be anywhere open when one became better", () => {
  const rounds = [[both(1, 1, 0), 0]] as const;
  expect(possible(rounds, both(0, 1, 1))).toEqual([0]);
  expect(possible(rounds, both(1, 2, 1))).toEqual([0]);
  expect(possible(rounds, both(1, 2, -1))).toEqual([0]);
  expect(possible(rounds, both(1, 0, 1))).toEqual([0, 1, 2]);
  expect(possible(rounds, both(2, 2, -1))).toEqual([0, 1]);
  expect(possible(rounds, both(-1, 2, 1))).toEqual([1, 2]);
});

test("beside a site that is as before it stays, if its route won as the younger one", () => {
  expect(possible([[both(1, 0, -1), 0]], both(1, 0, 3))).toEqual([0, 1, 2]);
  expect(possible([[both(1, 0, -1), 0]], both(2, 1, -1))).toEqual([0, 1]);
  const older = [both(0, 0, 0), -1] as const;
  expect(possible([older, [both(1, 0, 0), 0]], both(2, 1, -1))).toEqual([0]);
  expect(possible([older, [both(0, 1, 1), 0]], both(1, 2, -1))).toEqual([0, 1]);
});

test("where rounds contradict each other, it may be at the sites of each", () => {
  const rounds = [
    [both(0, 0, 0), 1],
    [both(1, 0, 0), 0],
  ] as const;
  expect(possible(rounds, both(2, 1, -1))).toEqual([0, 1]);
});
