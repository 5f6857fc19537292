import { afterAll, beforeAll, expect, test } from "bun:test";
import { SampleSets } from "../../../tests/enrich/sample-sets.ts";
import { ContextSets } from "../../measuring/context/disk/context-sets.ts";
import { AddressContext } from "./address-context.ts";
import { addressFields, type ContextField, contextColumns, contextJson } from "./context-fields.ts";

const day = "2026-11-20";
const samples = new SampleSets();
let addressContext: AddressContext;

function addressContextOf(fields: readonly ContextField[]): AddressContext {
  const sets = new ContextSets(samples.path);
  sets.refresh();
  return new AddressContext({ fields, sets, names: null });
}

beforeAll(async () => {
  await samples.put("2026-11-01", 64499);
  await samples.put(day, 64501);
  addressContext = addressContextOf(addressFields);
});
afterAll(() => samples[Symbol.dispose]());

function known(address: string, date = day) {
  return contextJson(addressContext.of(address, date), addressFields);
}

test("an address has its AS with its name, its place and the state of its route, with the days of the files", () => {
  expect(known("203.0.113.9")).toEqual({
    ...{ asn: 64510, as_name: "\u001b[31mRED, A/S", asn_source: "bgp", ixp: null, rpki: "valid", name: null },
    geo: { country: "DE", city: null, lat: null, lon: null, radius_km: null },
    source: { set: day, bgp: expect.stringMatching(/^\d{4}-/), geo: expect.stringMatching(/^\d{4}-/) },
  });
});

test("on the LAN of an exchange the AS is the member's, or not known, never that of the LAN's route", () => {
  const ixp = { id: 26, name: "AMS-IX" };
  expect(known("198.51.100.4")).toMatchObject({ asn: 64500, asn_source: "exchange", ixp, rpki: null });
  expect(known("198.51.100.5")).toMatchObject({ asn: null, asn_source: null, ixp });
});

test("private addresses are called so; others that nobody knows have nulls", () => {
  expect(known("10.0.0.1")).toMatchObject({ asn: null, asn_source: "private", geo: null });
  expect(known("9.9.9.9")).toMatchObject({ asn: null, asn_source: null, as_name: null, ixp: null });
});

test("an address has what was true on its day: of the last set up to it, else the first", () => {
  const at = (date: string) => known("198.51.100.1", date).asn;
  expect(["2026-11-21", day, "2026-11-19", "2026-10-01"].map(at)).toEqual([64501, 64501, 64499, 64499]);
});

test("a set that is new, or replaced, is used from the next refresh on", async () => {
  using own = new SampleSets();
  const sets = new ContextSets(own.path);
  sets.refresh();
  expect([sets.isEmpty, sets.forDay(day)]).toEqual([true, null]);
  const asnNow = () => {
    sets.refresh();
    return new AddressContext({ fields: ["asn"], sets, names: null }).of("198.51.100.1", day).context?.asn;
  };
  await own.put(day, 64502);
  expect(asnNow()).toBe(64502);
  await own.put(day, 64503);
  expect(asnNow()).toBe(64503);
  await own.put("2026-11-19", 64504);
  expect(asnNow()).toBe(64503);
});

test("each field has its members, and a column of CSV for each part of them", () => {
  const members = (...fields: ContextField[]) =>
    Object.keys(contextJson(addressContext.of("10.0.0.1", day), fields));
  expect(members()).toEqual([]);
  expect(members("name")).toEqual(["name"]);
  expect(members("asn", "rpki")).toEqual(["asn", "as_name", "asn_source", "rpki", "source"]);
  const columns = contextColumns<string>(["ixp", "geo"], "csv", (address) => addressContext.of(address, day));
  const cells = Object.fromEntries(columns.map(({ name, value }) => [name, value("198.51.100.4")]));
  expect(cells).toMatchObject({ ixp_id: 26, ixp_name: "AMS-IX", source_set: day });
  expect(Object.keys(cells).filter((name) => name.startsWith("geo_"))).toHaveLength(5);
});
