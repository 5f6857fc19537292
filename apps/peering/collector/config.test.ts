import { expect, test } from "bun:test";
import { readCollectorConfig } from "./config.ts";

const read = (rpki: string) =>
  readCollectorConfig(
    { name: "collector.yaml", text: `kafka: {brokers: "embedded:/nonexistent"}\nrpki: ${rpki}\n` },
    {},
  ).rpki;

test("VRPs come from a file, or from one cache or two", () => {
  expect(read("{}")).toEqual({ vrpsFile: null, rtr: [] });
  expect(read("{vrps_file: /vrps.json}")).toEqual({ vrpsFile: "/vrps.json", rtr: [] });
  expect(read('{rtr: [{address: "rtr.example.net:323"}, {address: "[2001:db8::1]:8282"}]}')).toEqual({
    vrpsFile: null,
    rtr: [
      { host: "rtr.example.net", port: 323 },
      { host: "2001:db8::1", port: 8282 },
    ],
  });
});

const one = '{address: "192.0.2.1:323"}';
test.each([
  [`{vrps_file: /vrps.json, rtr: [${one}]}`, "rpki.rtr: give either rtr or vrps_file"],
  [`{rtr: [${one}, ${one}]}`, "rpki.rtr: must be two different caches"],
  ["{rtr: []}", "rpki.rtr: must have one cache or two"],
  [`{rtr: [${one}, ${one}, ${one}]}`, "rpki.rtr: must have one cache or two"],
  ['{rtr: [{address: "192.0.2.1"}]}', "rpki.rtr.0.address: must be HOST:PORT"],
  ['{rtr: [{address: "192.0.2.1:0"}]}', "rpki.rtr.0.address: must be HOST:PORT"],
])("%s is refused with its place", (rpki, words) => {
  expect(() => read(rpki)).toThrow(words);
});
