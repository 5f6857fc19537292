/** Paths of the topology, by hand from its drawing. */
import { describe, expect, test } from "bun:test";
import { expectedSteps, hostOf, nextHops } from "./routing.ts";
import { internet } from "./topology.ts";

describe("paths", () => {
  test("show every router of both branches, in order", () => {
    expect(expectedSteps(internet, "east", "target")).toEqual([
      ["eastAccess"],
      ["split"],
      ["up1", "low1"],
      ["up2", "low2"],
      ["join"],
      ["quiet"],
      ["edge"],
      ["target"],
    ]);
  });

  test("are at least 6 hops long from both vantage points", () => {
    for (const goal of ["target", "virtual"]) {
      expect(expectedSteps(internet, "east", goal).length).toBeGreaterThanOrEqual(6);
      expect(expectedSteps(internet, "west", goal).length).toBeGreaterThanOrEqual(6);
    }
  });

  test("have two next hops only where they are equal", () => {
    expect(nextHops(internet, "split", "edge").map((end) => end.peerName)).toEqual(["up1", "low1"]);
    expect(nextHops(internet, "up1", "edge").map((end) => end.peerName)).toEqual(["up2"]);
  });
});

test("hosts of a prefix count from its base", () => {
  expect(hostOf({ v4: "192.0.2.8/29", v6: "2001:db8:f::/64" }, 2)).toEqual({
    v4: "192.0.2.10",
    v6: "2001:db8:f::2",
  });
});
