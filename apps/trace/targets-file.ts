/** Targets of a file, one a line; blank lines, and lines that begin with #, are skipped. */
import { readFileSync } from "node:fs";
import { cannot } from "../../lib/command/command-error.ts";
import { listed } from "../../lib/failure/listed.ts";
import { systemReason } from "../../lib/failure/system-reason.ts";
import { parseAddress } from "../../lib/ip/address.ts";
import { visible } from "../../lib/terminal/foreign-text.ts";
import { badTargetsShown } from "./limits.ts";

const standardInput = 0;
/** Letters, digits, hyphens and underscores between dots (RFC 1123 s.2.1, and names as they are). */
const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*\.?$/i;

/** "-" is standard input. Throws CommandError, with the number of each bad line. */
export function targetsOf(path: string): string[] {
  const name = path === "-" ? "standard input" : path;
  const lines = textOf(path, name).split(/\r?\n/);
  const numbered = lines.map((line, i) => ({ number: i + 1, text: line.trim() }));
  const given = numbered.filter(({ text }) => text !== "" && !text.startsWith("#"));
  const bad = given.filter(({ text }) => parseAddress(text) === null && !hostName.test(text));
  if (bad.length > 0) {
    const places = bad.map(({ number, text }) => `line ${number} ("${visible(text)}")`);
    throw cannot(`Cannot use ${name}: not an address or a host name: ${listed(places, badTargetsShown)}`);
  }
  if (given.length === 0) {
    throw cannot(`Cannot use ${name}: it has no targets; give an address or a host name in each line`);
  }
  return given.map(({ text }) => text);
}

function textOf(path: string, name: string): string {
  try {
    return readFileSync(path === "-" ? standardInput : path, "utf8");
  } catch (error) {
    throw cannot(`Cannot read ${name}: ${systemReason(error)}`);
  }
}
