/** What is known of the routers of a path, for its drawing. */
import type { RouterNotes } from "../paths/path-table.ts";
import type { AddressNotes } from "./address-book.ts";
import { contextJson, contextTexts } from "./context-fields.ts";

export function routerNotes({ fields, of }: AddressNotes): RouterNotes {
  const texts = contextTexts.filter(({ field }) => fields.includes(field));
  return {
    heads: texts.map(({ head }) => head),
    cells: (address) => texts.map(({ text }) => text(contextJson(of(address), fields))),
    nameOf: (address) => of(address).name,
  };
}
