/** A view's response to a query: its pages in the requested form, with context if requested. */
import { isColumnForm } from "../../measuring/formats/forms.ts";
import type { AddressContext } from "../enrich/address-context.ts";
import type { ContextField } from "../enrich/context-fields.ts";
import { contextNames, contextPages } from "./context-pages.ts";
import { pathPages } from "./path-pages.ts";
import { pageFormOf, type TextForm } from "./result-source.ts";
import type { AskStore, ViewQuery, ViewText } from "./view.ts";
import { viewTexts } from "./view-texts.ts";

/** Whether a view's rows can have these fields in this form. */
export function canHaveContext(name: string, form: TextForm, fields: readonly ContextField[]): boolean {
  const isFlat = form === "csv" || (form === "brief" && name === "traces");
  // A link has two addresses, which rows without members cannot distinguish.
  const isOfEnds = (name === "links" || name === "graph") && (form === "csv" || form === "brief");
  const isPossible = isColumnForm(form)
    ? name === "replies"
    : !(isOfEnds || (isFlat && fields.includes("path")));
  return fields.length === 0 || isPossible;
}

/** @param addressContext the context of addresses; null = not requested */
export function viewAnswer(
  view: ViewText,
  { ask, query, form }: { readonly ask: AskStore; readonly query: ViewQuery; readonly form: TextForm },
  addressContext: AddressContext | null,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pageForm = pageFormOf(form);
  if (addressContext === null) {
    return viewTexts(view, view.pages(ask, query, pageForm), form);
  }
  if (isColumnForm(pageForm)) {
    return viewTexts(
      view,
      view.pages(ask, { ...query, with: addressContext.fields, addressContext }, pageForm),
      form,
    );
  }
  const keyed = view.pages(ask, { ...query, with: addressContext.fields }, pageForm);
  const pages = addressContext.fields.includes("path") ? pathPages(keyed, addressContext) : keyed;
  const csvNames = [...view.csvNames, ...contextNames(addressContext)];
  const rows = { form: pageForm, rowAddress: view.rowAddress, isPassing: query.isPassing ?? false };
  return viewTexts({ ...view, csvNames }, contextPages(pages, rows, addressContext), form);
}
