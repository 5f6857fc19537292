/** The reply to `show protocols all`, in blocks. Pure. */
import type { ReplyLine } from "./reply-reader.ts";

/** One for each protocol: its line of the table, then its details. */
export function protocolBlocks(lines: readonly ReplyLine[]): string[][] {
  const blocks: string[][] = [];
  for (const { code, text } of lines) {
    if (code === 1002) {
      blocks.push([text]);
    } else if (code === 1006) {
      blocks.at(-1)?.push(text);
    }
  }
  return blocks;
}
