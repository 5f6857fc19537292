/** Files that a command's arguments name, "-" being standard input. */
import { createReadStream } from "node:fs";
import { systemReason } from "../failure/system-reason.ts";
import { cannot } from "./command-error.ts";

/** Large enough that reading costs little beside what is done with the bytes. */
const readBytes = 256 * 1024;

/** As messages name the file. */
export function fileWords(path: string): string {
  return path === "-" ? "standard input" : path;
}

/** The bytes of a file, in chunks cut anywhere. Throws CommandError when it cannot be read. */
export async function* fileChunks(path: string): AsyncGenerator<Uint8Array, void> {
  const options = { highWaterMark: readBytes };
  try {
    yield* path === "-"
      ? createReadStream("", { ...options, fd: 0, autoClose: false })
      : createReadStream(path, options);
  } catch (error) {
    throw cannot(`Cannot read ${fileWords(path)}: ${systemReason(error)}`);
  }
}
