/** Draws a response in brief rows for people, page by page. */
import * as v from "valibot";
import { parsedJson } from "../../base/api/parsed-json.ts";
import type { Palette } from "../../base/terminal/colour.ts";
import { lineEndsIn } from "../../base/terminal/line-ends.ts";
import { clientSide, type GatewayError } from "../../engines/gateway-client/gateway-error.ts";
import { wholeLines } from "../../engines/store/clickhouse/whole-lines.ts";
import type { Picture } from "../../measuring/pictures/look.ts";
import type { ContextField } from "../enrich/context-fields.ts";
import { lineBytesMax } from "./limits.ts";
import type { Page, View } from "./view.ts";

/** Pages of text for a terminal, with the rows in them. Rejects like the texts, and with GatewayError. */
export async function* drawnPages(
  { name, pen }: Pick<View, "name" | "pen">,
  texts: AsyncIterable<Uint8Array>,
  { palette, fields }: { readonly palette: Palette; readonly fields: readonly ContextField[] },
): AsyncGenerator<Page, void, undefined> {
  const { draw, end } = pen(palette, fields);
  let rows = 0;
  for await (const lines of wholeLines(texts, lineBytesMax)) {
    const bytes = draw(lines);
    if (bytes === null) {
      throw otherForm(name);
    }
    const page = { bytes, rows: lineEndsIn(lines) };
    rows += page.rows;
    yield page;
  }
  if (rows > 0 && end !== undefined) {
    yield { bytes: Buffer.from(`${end()}\n`), rows: 0 };
  }
}

/** Draws all rows of a view that has a picture, from JSON lines. Throws GatewayError if they have another form. */
export function pictureOf({ name, schema, picture }: View, lines: Uint8Array): Picture {
  const rows = new TextDecoder().decode(lines).split("\n").slice(0, -1).map(parsedJson);
  if (picture === undefined || !rows.every((row) => v.is(schema, row))) {
    throw otherForm(name);
  }
  return picture(rows);
}

function otherForm(name: string): GatewayError {
  return clientSide("badAnswer", `The ${name} have another form; is the gateway of this version?`);
}
