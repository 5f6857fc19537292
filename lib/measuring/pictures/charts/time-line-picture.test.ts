import { expect, test } from "bun:test";
import { pictureFile } from "../look.ts";
import { timeLinePicture } from "./time-line-picture.ts";

const startMs = Date.UTC(2026, 10, 24, 8);

interface Said {
  readonly plane?: "control" | "data";
  readonly source?: string;
  readonly subject?: string;
  readonly withinMs?: number | null;
}

function event(sec: number, name: string, { plane = "control", source = "collector", ...said }: Said = {}) {
  const { subject = "up-1", withinMs = 0 } = said;
  return {
    at_ns: String(BigInt(startMs + 1000 * sec) * 1_000_000n),
    ...{ within_ms: withinMs, plane, source, subject, event: name, detail: "a path" },
  };
}

const change = (number: number, sec: number) => ({
  ...{ number, at: new Date(startMs + 1000 * sec).toISOString(), text: `change ${number}` },
});

test("each that said something has a row, in the order of a change's way; each event has a mark at its time", () => {
  const picture = timeLinePicture(
    [
      event(0, "asked", { source: "controller", subject: "west" }),
      event(4, "new-path", { plane: "data", source: "east" }),
      event(1, "daemon", { source: "client stack" }),
      event(2, "exchange", { source: "client stack" }),
      event(3, "first-sight"),
      event(10, "catchment", { plane: "data", source: "controller" }),
    ],
    [change(1, 0)],
  );
  const svg = pictureFile(picture);
  const rows = [...svg.matchAll(/<g role="list" aria-label="([^"]*)"/g)].map(([, name]) => name);
  expect(rows).toEqual([
    ...["requests", "client stacks", "exchange servers", "route at up-1", "measurements", "probes at east"],
  ]);
  expect(svg.split('role="listitem"').length - 1).toBe(6);
  expect(picture.sentence).toStartWith("6 events after 1 change of the announcements");
  // The axis has 500 ms on both sides of 10 s: a triangle of 12 pixels around the first event, and the last one's bar.
  const xOf = (sec: number) => 250 + (950 * (sec + 0.5)) / 11;
  expect(svg).toContain(`d="M${Math.round(10 * (xOf(0) - 6)) / 10} 50L`);
  expect(svg).toContain(`d="M${Math.round(10 * (xOf(10) - 1.5)) / 10} `);
});

test("a time that is not sure is as broad as it may be off; one that nobody compared says so", () => {
  const svg = pictureFile(
    timeLinePicture([event(0, "route", { withinMs: 2000 }), event(10, "route", { withinMs: null })], []),
  );
  const [, from = "0", to = "0"] = /d="M([\d.]+) [\d.]+H([\d.]+)" stroke-width="3"/.exec(svg) ?? [];
  // 2.5 s of 11: what lies before the picture is cut.
  expect([Number(from), Number(to)]).toEqual([250, Math.round(10 * (250 + (950 * 2.5) / 11)) / 10]);
  expect(svg).toContain("± 2000 ms)");
  expect(svg).toContain("clock never compared)");
});

test("more rows than there is room for are counted, what others say is text, and nothing is a sentence", () => {
  const many = Array.from({ length: 35 }, (_, i) => event(i, "route", { subject: `<b>${i}` }));
  const picture = timeLinePicture(many, [change(1, -100)]);
  expect(picture.sentence).toContain("after 0 changes");
  expect(picture.sentence).toEndWith("The first 30 of 35 rows are drawn.");
  expect(pictureFile(picture)).not.toContain("<b>");
  expect(timeLinePicture([], []).sentence).toBe("Nothing has happened yet.");
});
