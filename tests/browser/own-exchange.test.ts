/**
 * What a user does at the console from form to outcome, and an experiment, on `vantage stack --exchange` as it is.
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
  "first graph, discovery, alert, lease, announcement: made in the console, by keys and by mouse, and seen there",
  async () => {
    const seen = await storyAlone(join(import.meta.dirname, "own-exchange-story.ts"));
    // A field, a button, and the name.
    expect(seen.clicks).toBe(2);
    for (const discovery of [seen.discovery, seen.discoveryByMouse]) {
      expect(discovery).toMatch(/fd7a:\S+\s+2001:db8:ffff:1::2/);
    }
    for (const [alert, hand] of [
      [seen.alert, "keyboard"],
      [seen.alertByMouse, "mouse"],
    ]) {
      expect(alert).toMatch(new RegExp(`Loss\\s+raised\\s+by ${hand}\\s+west to 2001:db8:ffff:2::1`));
      expect(alert).toMatch(/127\.0\.0\.1:\d+\s+delivered/);
    }
    expect((seen.told as string[]).filter((body) => body.includes("loss"))).toHaveLength(2);
    expect(seen.glass).toContain("64497 64500 64500 64500");
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
