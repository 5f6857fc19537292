/** What compose.yaml and Dockerfile pin has the last fixes of its series. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exampleVariables, readCompose } from "./compose-file.ts";
import { newestIn, newestPatch, sources } from "./newest-patch.ts";

const dockerfile = readFileSync(join(import.meta.dirname, "../../Dockerfile"), "utf8");
const images = [
  ...Object.values(readCompose(exampleVariables()).services).map(({ image }) => image),
  ...Array.from(dockerfile.matchAll(/^FROM (\S+)/gm), ([, image = ""]) => image),
];

for (const [name, source] of Object.entries(sources)) {
  const image = images.find((one) => one.includes(`/${name}:`)) ?? "";
  const [, tag = ""] = /:v?(\d+(?:\.\d+)+)/.exec(image) ?? [];
  const pinned = source.written?.(tag) ?? tag;
  const newest = await newestPatch(source, pinned);
  const why = newest === null ? "; NOT KNOWN HERE, as no registry answers" : "";
  test.skipIf(newest === null)(`${name} is of the newest patch${why}`, () => {
    expect(`${name}:${pinned}`).toBe(`${name}:${newest}`);
  });
}

test("the newest patch is the largest number of the same series", () => {
  const versions = /v(\d+\.\d+\.\d+)/g;
  expect(newestIn("v1.9.2 v1.9.10 v1.10.0 v1.8.99", versions, "1.9.1")).toBe("1.9.10");
  expect(newestIn("v2.0.0", versions, "1.9.1")).toBeNull();
});

test("each source is of an image that is pinned", () => {
  expect(Object.keys(sources).filter((name) => !images.some((image) => image.includes(`/${name}:`)))).toEqual(
    [],
  );
});
