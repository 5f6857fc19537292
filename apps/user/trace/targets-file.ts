/** Targets of a file, one a line; blank lines, and lines that begin with #, are skipped. */
import { listed } from "../../../lib/base/failure/listed.ts";
import { withoutPassword } from "../../../lib/base/failure/without-password.ts";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { fileChunks, fileWords } from "../../../lib/command/command/file-chunks.ts";
import { readHost } from "../../../lib/net/ip/typed-host.ts";
import { tooLongMessage } from "../../../lib/net/wire/line-error.ts";
import { LineReader } from "../../../lib/net/wire/line-reader.ts";
import { badTargetsShown, targetsMax } from "./limits.ts";

/** It is in the sentence already. */
const generalReason = "is not an address or a host name";

/**
 * "-" is standard input; a file is read as far as one command has targets. Throws CommandError, with the number of each
 * bad line.
 */
export async function targetsOf(path: string): Promise<string[]> {
  const name = fileWords(path);
  const targets: string[] = [];
  const bad: string[] = [];
  let hint: string | null = null;
  const lines = new LineReader({
    onLine: (bytes, line) => {
      const text = new TextDecoder().decode(bytes);
      const host = readHost(text);
      if (host.kind === "bad") {
        bad.push(`line ${line} ("${visible(withoutPassword(text))}")`);
        hint ??= host.reason === generalReason ? null : `; line ${line} ${host.reason}`;
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
    throw cannot(
      `Cannot use ${name}: not an address or a host name: ${listed(bad, badTargetsShown)}${hint ?? ""}`,
    );
  }
  if (targets.length === 0) {
    throw cannot(`Cannot use ${name}: it has no targets; give an address or a host name in each line`);
  }
  return targets;
}
