/**
 * The console's page of announcements, and an experiment, on `vantage stack --exchange` as it is.
 *
 * @tier long: a whole platform, a Chromium, and half a minute of an experiment
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { storyAlone } from "../lab/exchange/alone.ts";

interface Row {
  readonly source: string;
  readonly event: string;
  readonly detail: string;
}

test.skipIf(process.getuid?.() !== 0)(
  "what the console's page announces is seen by both upstreams, and an experiment shows its routes and probes",
  async () => {
    const seen = await storyAlone(join(import.meta.dirname, "own-exchange-story.ts"));
    // Without a request the router announces what is leased, and the page does not deny it.
    expect(seen.before).toContain(
      "You announce nothing by request; what your router announces by itself is below",
    );
    expect(seen.before).toContain("Neighbours of the exchange: transit1 (AS64496), transit2 (AS64497)");
    expect(seen.before).toMatch(/ixp-1\s+announces\s+accepted\s+upstream_transit\d/);
    expect(seen.after).toMatch(/2001:db8:\S+\s+all\s+2\s/);
    expect(seen.prepended).toEqual([
      [64_496, "64496 64500 64500 64500"],
      [64_497, "64497 64500 64500 64500"],
    ]);
    expect(seen.complaints).toEqual([expect.stringContaining("favicon.ico")]);

    const timeline = seen.timeline as readonly Row[];
    const routes = timeline.filter(({ source }) => source === "collector");
    expect(routes.map(({ detail }) => detail.replace(/ \(.*/, "")).toSorted()).toEqual([
      "64496 64500",
      "64496 64500 64500 64500",
      "64497 64500",
      "64497 64500 64500 64500",
    ]);
    // Every probe from the prefix was answered.
    expect(timeline.filter(({ event }) => ["loss", "incomplete"].includes(event))).toEqual([]);
    expect(seen.summary).toContain("announce ixp-1 +2");
    expect(seen.experiments).toMatch(/prepend\s+ended\s+finished/);
  },
);
