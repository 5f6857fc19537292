/** What commands say on standard error. */
import { visible } from "../terminal/foreign-text.ts";
import { printErrorLine } from "../terminal/output.ts";

/** One line, whatever the message holds: parts of it are text of others. */
export function complain(command: string, message: string): void {
  printErrorLine(`${fullName(command)}: ${visible(message)}`);
}

/** `vantage trace`; `vantage` for the executable itself. */
export function fullName(command: string): string {
  return command === "" ? "vantage" : `vantage ${command}`;
}
