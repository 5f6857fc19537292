/** The answer of a view to a query, made of its pages in the form that is asked for, with context where that is. */
import type { AddressBook } from "../enrich/address-book.ts";
import { isColumnForm } from "../formats/forms.ts";
import { contextNames, contextPages } from "./context-pages.ts";
import { pageFormOf, type TextForm } from "./result-source.ts";
import type { AskStore, ViewQuery, ViewText } from "./view.ts";
import { viewTexts } from "./view-texts.ts";

/** @param book what is known of addresses; null = nothing is asked for. It does not go with forms of columns. */
export function viewAnswer(
  view: ViewText,
  { ask, query, form }: { readonly ask: AskStore; readonly query: ViewQuery; readonly form: TextForm },
  book: AddressBook | null,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pageForm = pageFormOf(form);
  if (book === null || isColumnForm(pageForm)) {
    return viewTexts(view, view.pages(ask, query, pageForm), form);
  }
  const pages = view.pages(ask, { ...query, with: book.fields }, pageForm);
  const csvNames = [...view.csvNames, ...contextNames(book)];
  return viewTexts({ ...view, csvNames }, contextPages(pages, pageForm, book), form);
}
