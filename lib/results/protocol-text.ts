/** A protocol by its name, or by its IANA number where it has none with us. */
import { ianaNumber, protocols } from "../packet/probe.ts";
import { protocolNames } from "../paths/words.ts";

export function protocolText(iana: number): string {
  const protocol = protocols.find((known) => ianaNumber[known] === iana);
  return protocol === undefined ? String(iana) : protocolNames[protocol];
}
