/** Messages of commands on standard error. */
import { visible } from "../../base/terminal/foreign-text.ts";
import { printErrorLine } from "../../base/terminal/output.ts";

/** Always one line, because parts of the message are foreign text. It starts with a capital. */
export function complain(command: string, message: string): void {
  const begun = message.replace(firstWord, (letter) => letter.toUpperCase());
  printErrorLine(`${fullName(command)}: ${visible(begun)}`);
}

/** The first letter of an ordinary word: not of a file, an address or an option; nor of a line's origin. */
const firstWord = /^(?!standard input:)[a-z](?=[a-z]*(?: |: ))/;

/** `vantage trace`; `vantage` for the executable itself. */
export function fullName(command: string): string {
  return command === "" ? "vantage" : `vantage ${command}`;
}
