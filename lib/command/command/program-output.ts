/** Other programs' formats as a command's output formats. */
import { isBinaryForm } from "../../measuring/formats/forms.ts";
import { wrongUsage } from "./command-error.ts";

/** Throws CommandError `usage`; call it before any request is sent. */
export function checkBinaryOutput(form: string): void {
  if (isBinaryForm(form) && process.stdout.isTTY === true) {
    throw wrongUsage(`-o ${form} is binary, and standard output is a terminal: redirect it, > FILE`);
  }
}
