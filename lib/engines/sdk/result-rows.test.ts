import { expect, test } from "bun:test";
import { filterQuery, jsonLines } from "./result-rows.ts";

async function* pieces(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    yield typeof text === "string" ? new TextEncoder().encode(text) : text;
  }
}

test("rows are whole wherever the bytes are cut, inside a letter too", async () => {
  const bytes = new TextEncoder().encode('{"name":"Køb"}\n{"name":2}\n{"name":3}');
  for (let cut = 0; cut <= bytes.length; cut++) {
    const rows = await Array.fromAsync(jsonLines(pieces(bytes.subarray(0, cut), bytes.subarray(cut))));
    expect(rows).toEqual([{ name: "Køb" }, { name: 2 }, { name: 3 }]);
  }
});

test("a row that is not JSON is a bad answer, behind those before it", async () => {
  const rows: unknown[] = [];
  const reading = (async () => {
    for await (const row of jsonLines(pieces("1\n{"))) {
      rows.push(row);
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: "badAnswer" });
  expect(rows).toEqual([1]);
});

test("a filter is a query, with all rows where no limit is given", () => {
  expect(filterQuery({ since: new Date(0), with: ["asn", "geo"], agent: "west" })).toMatchObject({
    agent: "west",
    since: "1970-01-01T00:00:00.000Z",
    until: undefined,
    limit: Number.MAX_SAFE_INTEGER,
    with: "asn,geo",
  });
  expect(filterQuery({ limit: 3 })).toMatchObject({ limit: 3, with: undefined });
});
