/** `--svg FILE`: a picture as a file, or on standard output. */
import { writeFileSync } from "node:fs";
import { systemReason } from "../../base/failure/system-reason.ts";
import { type Picture, pictureFile } from "../../measuring/pictures/look.ts";
import { cannot } from "./command-error.ts";

/** The file name that means standard output. */
export const standardOutput = "-";

/** `write` is standard output. Throws CommandError when the file cannot be written. */
export function writePicture(picture: Picture, file: string, write: (bytes: Uint8Array) => void): void {
  const svg = Buffer.from(pictureFile(picture));
  if (file === standardOutput) {
    write(svg);
    return;
  }
  try {
    writeFileSync(file, svg);
  } catch (error) {
    throw cannot(`Cannot write the picture ${file}: ${systemReason(error)}`);
  }
}
