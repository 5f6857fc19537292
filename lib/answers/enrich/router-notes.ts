/** Context of a path's routers, for its drawing. */
import type { RouterNotes } from "../../measuring/paths/path-table.ts";
import type { AddressNotes } from "./address-context.ts";
import { type ContextField, contextJson, contextTexts } from "./context-fields.ts";

/** From rows with the JSON members, by address. */
export function jsonNotes(
  routers: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  fields: readonly ContextField[],
): RouterNotes {
  return {
    ...textsOf(fields, (address) => routers[address] ?? {}),
    nameOf: (address) => {
      const { name } = routers[address] ?? {};
      return typeof name === "string" ? name : null;
    },
  };
}

export function routerNotes({ fields, of }: AddressNotes): RouterNotes {
  return {
    ...textsOf(fields, (address) => contextJson(of(address), fields)),
    nameOf: (address) => of(address).name,
  };
}

function textsOf(
  fields: readonly ContextField[],
  jsonOf: (address: string) => Readonly<Record<string, unknown>>,
): Pick<RouterNotes, "heads" | "cells"> {
  const texts = contextTexts.filter(({ field }) => fields.includes(field));
  return {
    heads: texts.map(({ head }) => head),
    cells: (address) => {
      const json = jsonOf(address);
      return texts.map(({ text }) => text(json));
    },
  };
}
