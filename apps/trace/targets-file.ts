/** Targets of a file, one a line; blank lines, and lines that begin with #, are skipped. */
import { cannot } from "../../lib/command/command-error.ts";
import { fileChunks, fileWords } from "../../lib/command/file-chunks.ts";
import { listed } from "../../lib/failure/listed.ts";
import { parseAddress } from "../../lib/ip/address.ts";
import { visible } from "../../lib/terminal/foreign-text.ts";
import { tooLongMessage } from "../../lib/wire/line-error.ts";
import { LineReader } from "../../lib/wire/line-reader.ts";
import { badTargetsShown, targetsMax } from "./limits.ts";

/** Letters, digits, hyphens and underscores between dots (RFC 1123 s.2.1, and names as they are). */
const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*\.?$/i;

/**
 * "-" is standard input; a file is read as far as one command has targets. Throws CommandError, with the number of each
 * bad line.
 */
export async function targetsOf(path: string): Promise<string[]> {
  const name = fileWords(path);
  const targets: string[] = [];
  const bad: string[] = [];
  const lines = new LineReader({
    onLine: (bytes, line) => {
      const text = new TextDecoder().decode(bytes);
      if (parseAddress(text) === null && !hostName.test(text)) {
        bad.push(`line ${line} ("${visible(text)}")`);
      } else {
        targets.push(text);
      }
    },
    onLong: (bytes, line) => {
      throw cannot(`${name}:${line}: ${tooLongMessage(bytes)}`);
    },
  });
  for await (const chunk of fileChunks(path)) {
    lines.push(chunk);
    if (targets.length + bad.length > targetsMax) {
      throw cannot(`Cannot use ${name}: it has more than the ${targetsMax} targets that one command takes`);
    }
  }
  lines.finish();
  if (bad.length > 0) {
    throw cannot(`Cannot use ${name}: not an address or a host name: ${listed(bad, badTargetsShown)}`);
  }
  if (targets.length === 0) {
    throw cannot(`Cannot use ${name}: it has no targets; give an address or a host name in each line`);
  }
  return targets;
}
