/** Lines to standard output and standard error, through foreign-text.ts: every command uses these. */
import { writeSync } from "node:fs";
import { printed } from "./foreign-text.ts";

const standardOutput = 1;
const standardError = 2;

/** Writes a line to standard output. A closed pipe ends the program quietly. */
export function printLine(text: string): void {
  writeText(standardOutput, `${printed(text)}\n`);
}

/** Writes a line to standard error; a closed pipe does not end the program. */
export function printErrorLine(text: string): void {
  try {
    writeWhole(standardError, new TextEncoder().encode(`${printed(text)}\n`));
  } catch (error) {
    if (codeOf(error) !== "EPIPE") {
      throw error;
    }
  }
}

/** Writes text that is already safe. A closed pipe ends the program quietly. */
export function writeText(fd: number, text: string): void {
  writeBytes(fd, new TextEncoder().encode(text));
}

/** Writes UTF-8 text that is already safe. */
export function writeBytes(fd: number, text: Uint8Array): void {
  try {
    writeWhole(fd, text);
  } catch (error) {
    if (codeOf(error) === "EPIPE") {
      process.exit(0);
    }
    throw error;
  }
}

/** Retries while a non-blocking pipe is full. */
function writeWhole(fd: number, text: Uint8Array): void {
  let bytes = text;
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") {
        throw error;
      }
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : "";
}
