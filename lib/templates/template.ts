/**
 * Text from data by an Eta template: the one way in which configuration files of other programs are written.
 *
 * Nothing is escaped and no line is trimmed by itself: `<% … -%>` takes the line break behind it away. So callers pass
 * typed values (numbers, addresses, prefixes), never foreign text.
 */
import { Eta } from "eta/core";

const eta = new Eta({ autoEscape: false, autoTrim: false });

/** Compiles a template, in which the values are `it`; throws EtaParseError on one that is broken. */
export function compileTemplate<Values extends object>(text: string): (values: Values) => string {
  const compiled = eta.compile(text);
  return (values) => compiled.call(eta, values);
}
