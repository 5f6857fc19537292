import { expect, test } from "bun:test";
import { intervalMapper, reverseByteMapper, sequentialMapper } from "./flow-mapper.ts";

test.each([
  ["sequential, 1", sequentialMapper(1)],
  ["sequential, 256", sequentialMapper(256)],
  ["interval", intervalMapper()],
  ["reverse byte", reverseByteMapper()],
])("%s: each flow has a pair of its own, and is found by it", (_name, mapper) => {
  const pairs = new Set<string>();
  for (let flow = 0; flow < mapper.size + 1024; flow++) {
    const offset = mapper.offsetOf(flow);
    expect(mapper.flowOf(offset)).toBe(flow);
    expect(offset.address).toBeLessThan(mapper.size);
    pairs.add(`${offset.address}:${offset.port}`);
  }
  expect(pairs.size).toBe(mapper.size + 1024);
});

test("the first addresses of each order", () => {
  const first = (mapper: ReturnType<typeof intervalMapper>) =>
    [0, 1, 2, 7, 8, 255, 256].map((flow) => Object.values(mapper.offsetOf(flow)).join("+"));
  expect(first(sequentialMapper(256))).toEqual(["0+0", "1+0", "2+0", "7+0", "8+0", "255+0", "255+1"]);
  expect(first(intervalMapper())).toEqual(["1+0", "33+0", "65+0", "225+0", "2+0", "0+0", "255+1"]);
  expect(first(reverseByteMapper())).toEqual(["1+0", "129+0", "65+0", "225+0", "17+0", "0+0", "255+1"]);
});
