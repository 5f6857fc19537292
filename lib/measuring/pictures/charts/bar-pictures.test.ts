import { expect, test } from "bun:test";
import { pictureFile } from "../look.ts";
import { barsMax } from "./bar-rows.ts";
import { catchmentPicture } from "./catchment-picture.ts";
import { lossPicture } from "./loss-picture.ts";

const heard = (probe_agent: string, heard_by: string, replies: number, share_percent: number) => ({
  ...{ probe_agent, probe_instance: 1, heard_by, replies, share_percent },
});

test("a bar of a sender has a part for each site that heard, as wide as its share", () => {
  const picture = catchmentPicture([heard("west", "west", 3, 75), heard("west", "east", 1, 25)]);
  expect(picture.sentence).toBe(
    "4 replies to probes of 1 site, received at 2; 1 of them at another site than the one that sent the probe.",
  );
  const svg = pictureFile(picture);
  expect(svg).toMatch(/fill="url\(#site0\)" x="[^"]*" y="34" width="480"/);
  expect(svg).toContain("<title>west / 1, received by east: 1 answer (25 %)</title>");
  expect(svg).toContain('aria-label="west / 1: 4 answers"');
});

test("sites beyond the tones share the last one", () => {
  const svg = pictureFile(
    catchmentPicture(Array.from({ length: 12 }, (_, i) => heard("west", `s${i}`, 100 - i, 8))),
  );
  // The legend says the share of each, and is not cut where it is wider than the bars.
  const [, x = "0"] = /x="([\d.]+)" y="18">5 others 455 \(40\.12 %\)<\/text>/.exec(svg) ?? [];
  const [, width = "0"] = / width="([\d.]+)"/.exec(svg) ?? [];
  expect(Number(x)).toBeGreaterThan(900);
  expect(Number(width)).toBeGreaterThan(Number(x) + "5 others 455 (40.12 %)".length * 6.7);
  expect(svg.split("<pattern ").length - 1).toBe(8);
});

const loss = (destination: string, lost: number) => ({
  ...{ agent: "west", destination, submitted: 8, answered: 8 - lost, lost, loss_percent: (100 * lost) / 8 },
});

test("the greatest loss is the first bar", () => {
  const picture = lossPicture([loss("192.0.2.1", 1), loss("192.0.2.2", 4)]);
  expect(picture.sentence).toBe("5 of 16 probes lost: 31.25 %.");
  const names = [...pictureFile(picture).matchAll(/aria-label="(west[^"]*)"/g)].map(([, name]) => name);
  expect(names).toEqual(["west to 192.0.2.2: 50 % of 8 lost", "west to 192.0.2.1: 12.5 % of 8 lost"]);
});

test("of many destinations the worst are drawn, and that is said", () => {
  const { sentence, content } = lossPicture(
    Array.from({ length: 100 }, (_, i) => loss(`192.0.2.${i}`, i % 5)),
  );
  expect(sentence).toEndWith(`Drawn are the ${barsMax} with the greatest loss, of 100.`);
  expect(
    content
      .map(({ text }) => text)
      .join("")
      .split('role="listitem"').length - 1,
  ).toBe(barsMax);
});

test("nothing is a sentence too", () => {
  expect([catchmentPicture([]).sentence, lossPicture([]).sentence]).toEqual([
    "No answer yet.",
    "No probe yet.",
  ]);
});
