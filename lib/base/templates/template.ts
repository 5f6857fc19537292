/**
 * Text from data by an Eta template: used for every configuration file of another program.
 *
 * Nothing is escaped, so callers pass typed values (numbers, addresses, prefixes), never foreign text. Lines are not
 * trimmed, but `<% … -%>` removes the line break after it.
 */
import { Eta } from "eta/core";

const eta = new Eta({ autoEscape: false, autoTrim: false });

/** Compiles a template, in which `it` holds the values; throws EtaParseError on a broken template. */
export function compileTemplate<Values extends object>(text: string): (values: Values) => string {
  const compiled = eta.compile(text);
  return (values) => compiled.call(eta, values);
}
