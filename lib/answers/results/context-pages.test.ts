/** What is known of addresses comes to the end of rows, whatever stands in them, beside rows that are parsed. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { addressContextsIn, SampleSets } from "../../../tests/enrich/sample-sets.ts";
import { csvLine } from "../../base/terminal/rows-output.ts";
import type { AddressContext } from "../enrich/address-context.ts";
import { contextColumns, contextJson, type Known } from "../enrich/context-fields.ts";
import { contextPages } from "./context-pages.ts";
import type { LineForm, Page, RowAddress } from "./view.ts";

const sets = new SampleSets();
let addressContext: AddressContext;
beforeAll(async () => {
  await sets.put("2026-11-20", 64499);
  await sets.put("2026-11-22", 64501);
  addressContext = addressContextsIn(sets.path)(["asn", "ixp"]);
});
afterAll(() => sets[Symbol.dispose]());

interface Row {
  readonly time_received: string;
  readonly agent: string;
  readonly reply_src_addr: string;
  readonly rest: string;
}

const rowAddress: RowAddress = { member: "reply_src_addr", cells: { csv: 2, brief: 2 } };
const foreign = ['a,"b"', '","reply_src_addr":"10.9.9.9', "tab\tline\nend", "plain", '"', ""];

/** More addresses than the first table of texts has room for, on two days that alternate. */
const rows: readonly Row[] = Array.from({ length: 7000 }, (_, i) => ({
  time_received: `2026-11-2${i % 1000 < 500 ? 1 : 2}T10:00:00.000000001Z`,
  agent: foreign[i % foreign.length] ?? "",
  reply_src_addr:
    i % 3 === 0 ? `2001:db8::${(i % 6500).toString(16)}` : `198.51.${i % 3 === 1 ? 100 : 7}.${i % 251}`,
  rest: foreign[(i + 1) % foreign.length] ?? "",
}));

const quoted = (text: string) => `"${text.replaceAll("\n", " ").replaceAll('"', '""')}"`;
const cell = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n");
const lineOf: Readonly<Record<LineForm, (row: Row) => string>> = {
  ndjson: (row) => JSON.stringify(row),
  csv: ({ time_received: time, agent, reply_src_addr: from, rest }) =>
    [quoted(time), quoted(agent), from.length % 2 === 0 ? quoted(from) : from, quoted(rest)].join(),
  brief: (row) => Object.values(row).map(cell).join("\t"),
};

const knownOf = ({ time_received: time, reply_src_addr: from }: Row) =>
  addressContext.of(from, time.slice(0, 10));
const expected: Readonly<Record<LineForm, (row: Row) => string>> = {
  ndjson: (row) => JSON.stringify({ ...row, ...contextJson(knownOf(row), addressContext.fields) }),
  csv: (row) => {
    const columns = contextColumns<Known>(addressContext.fields, "csv", (known) => known);
    return `${lineOf.csv(row)},${csvLine(columns.map(({ value }) => String(value(knownOf(row)) ?? "")))}`;
  },
  brief: (row) => {
    const { asn, as_name: name, ixp } = contextJson(knownOf(row), addressContext.fields);
    const exchange = (ixp as { name: string } | null)?.name ?? "";
    return `${lineOf.brief(row)}\t${asn === null ? "?" : `AS${asn} ${name ?? ""}`.trim()}\t${exchange}`;
  },
};

async function* pagesOf(form: LineForm): AsyncGenerator<Page, void, undefined> {
  for (let i = 0; i < rows.length; i += 700) {
    const own = rows.slice(i, i + 700);
    yield { bytes: Buffer.from(own.map((row) => `${lineOf[form](row)}\n`).join("")), rows: own.length };
    yield { bytes: new Uint8Array(), rows: 0 };
  }
}

test.each(["ndjson", "csv", "brief"] as const)(
  "%s: rows that say their address end with it",
  async (form) => {
    for (const isPassing of [true]) {
      let text = "";
      for await (const { bytes } of contextPages(
        pagesOf(form),
        { form, rowAddress, isPassing },
        addressContext,
      )) {
        text += Buffer.from(bytes).toString();
      }
      const lines = text.split("\n");
      expect(lines.pop()).toBe("");
      expect(lines).toEqual(rows.map(expected[form]));
    }
  },
);

test("pages stay as they are, unless their reader lets their memory be taken", async () => {
  const form = "ndjson";
  const all = await Array.fromAsync(
    contextPages(pagesOf(form), { form, rowAddress, isPassing: false }, addressContext),
  );
  const text = Buffer.concat(all.map(({ bytes }) => bytes)).toString();
  expect(text).toBe(rows.map((row) => `${expected.ndjson(row)}\n`).join(""));
});

test("others are served while a page of 20,000 addresses gets its context", async () => {
  const count = 20_000;
  const row = (i: number) => {
    const address = `2001:db8:${(i >> 8).toString(16)}::${(i & 255).toString(16)}`;
    return `${JSON.stringify({ time_received: "2026-11-22T10", reply_src_addr: address })}\n`;
  };
  const bytes = Buffer.from(Array.from({ length: count }, (_, i) => row(i)).join(""));
  let served = 0;
  let isOver = false;
  const serve = () => {
    served++;
    isOver || setImmediate(serve);
  };
  const one = async function* () {
    yield { bytes, rows: count };
  };
  const pages = contextPages(one(), { form: "ndjson", rowAddress, isPassing: false }, addressContext);
  const begun = pages.next();
  setImmediate(serve);
  expect((await begun).done).toBe(false);
  isOver = true;
  expect(served).toBeGreaterThan(2);
});

test("a row without the address is said", async () => {
  const page = { bytes: Buffer.from('{"time_received":"2026-11-22T10"}\n'), rows: 1 };
  const pages = contextPages(
    (async function* () {
      yield page;
    })(),
    { form: "ndjson", rowAddress, isPassing: false },
    addressContext,
  );
  await expect(Array.fromAsync(pages)).rejects.toThrow('A row has no "reply_src_addr"');
});
