import { expect, test } from "bun:test";
import { geoContains } from "d3-geo";
import { feature } from "topojson-client";
import countries from "world-atlas/countries-110m.json" with { type: "json" };
import { pictureElement } from "../look.ts";
import { countryPlaces } from "./country-places.ts";
import { landFile, mapHeightPx, mapWidthPx, pointOf } from "./land.ts";
import { type MapPoint, mapPicture } from "./map-picture.ts";
import { mapViewOf, viewHeightPx, viewWidthPx } from "./map-view.ts";

const words = { sentence: "Two.", land: "/land.svg" };
const point: MapPoint = {
  ...{ place: { latitude: 52, longitude: 5 }, tone: 1, shape: "circle", share: 0.25 },
  ...{ label: "NL", title: "two agents" },
};

test("countries lie in their outlines, where those are drawn under the same name", () => {
  const topology = countries as unknown as Parameters<typeof feature>[0];
  const { countries: collection } = topology.objects;
  const outlines = collection === undefined ? null : feature(topology, collection);
  const features = outlines?.type === "FeatureCollection" ? outlines.features : [];
  const byName = new Map(features.map((one) => [String(one.properties?.name), one]));
  const names = new Intl.DisplayNames("en", { type: "region" });
  const checked = [...countryPlaces].flatMap(([code, { latitude, longitude }]) => {
    const outline = byName.get(names.of(code) ?? "");
    return outline === undefined ? [] : [{ code, isIn: geoContains(outline, [longitude, latitude]) }];
  });
  expect(checked.length).toBeGreaterThan(140);
  expect(checked.filter(({ isIn }) => !isIn).map(({ code }) => code)).toEqual([]);
});

test("north is above, east is right, all of it on the map", () => {
  const [oslo, quito, sydney] = ["NO", "EC", "AU"].map((code) =>
    pointOf(countryPlaces.get(code) ?? { latitude: 0, longitude: 0 }),
  );
  expect(oslo?.y).toBeLessThan(quito?.y ?? 0);
  expect(quito?.y).toBeLessThan(sydney?.y ?? 0);
  expect(quito?.x).toBeLessThan(oslo?.x ?? 0);
  expect(oslo?.x).toBeLessThan(sydney?.x ?? 0);
  for (const place of countryPlaces.values()) {
    const { x, y } = pointOf(place);
    expect(x >= 0 && x <= mapWidthPx && y >= 0 && y <= mapHeightPx).toBe(true);
  }
  expect(landFile()).toMatch(
    /^<svg xmlns="[^"]+" width="720"[^>]*><path id="land" d="M[\d.,LMZ-]{10000,}"\/><\/svg>\n$/,
  );
});

test("a point says its words, as large as its share; squares lie above circles", () => {
  const site: MapPoint = { ...point, shape: "square", title: "a site" };
  const { text } = pictureElement(mapPicture([site, point], words));
  expect(text).toContain('<use href="/land.svg#land"');
  expect(text).toMatch(/aria-label="two agents">.*<circle class="spot" fill="url\(#place1\)"[^>]* r="7"\/>/);
  expect(text.indexOf("<circle")).toBeLessThan(text.indexOf('aria-label="a site"'));
  expect(text).toContain(">NL</text>");
  const many = Array.from({ length: 25 }, () => point);
  expect(pictureElement(mapPicture(many, words)).text).not.toContain(">NL</text>");
});

test("foreign text stays text", () => {
  const hostile = `</title><script>alert(1)</script>" onload="\u202e`;
  const { text } = pictureElement(mapPicture([{ ...point, label: hostile, title: hostile }], words));
  expect(text).not.toContain("<script");
  expect(text).not.toContain('" onload');
  expect(text).not.toContain("\u202e");
});

test("a map shows all of its points, with room around them, and the part of the Earth that they are in", () => {
  const all = [...countryPlaces.values()].map(pointOf);
  const [norway, portugal] = ["NO", "PT"].map((code) =>
    pointOf(countryPlaces.get(code) ?? { latitude: 0, longitude: 0 }),
  );
  const few = [norway, portugal].filter((one) => one !== undefined);
  for (const points of [[], all, few, few.slice(1)]) {
    const { left, top, scale } = mapViewOf(points);
    for (const { x, y } of points) {
      const [across, down] = [(x - left) * scale, (y - top) * scale];
      expect(across >= 0 && across <= viewWidthPx && down >= 0 && down <= viewHeightPx).toBe(true);
    }
  }
  expect(mapViewOf(few).scale).toBeGreaterThan(2.5 * mapViewOf(all).scale);
  expect(mapViewOf([]).scale * mapHeightPx).toBeCloseTo(viewHeightPx);
});
