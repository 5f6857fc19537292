/** What `--help` prints, made from the table of a command's options. Pure. */
import type { OptionDescription, OptionTable } from "./command-line.ts";

const lineColumnsMax = 118;
const nameColumns = 30;

interface Help {
  /** `send`, or `peering request`. */
  readonly name: string;
  /** Of a few words. */
  readonly purpose: string;
  /** Behind the name: `[options] ID`. */
  readonly usage: string;
  /** What stands above the options. */
  readonly about?: string;
  readonly options: OptionTable;
  /** What stands below them: rules, examples, exit codes. */
  readonly more?: string;
}

export function helpText({ name, purpose, usage, about, options, more }: Help): string {
  const helpOption = { type: "boolean", short: "h", meaning: "this text" } as const;
  const lines = Object.entries({ ...options, help: helpOption }).flatMap(([option, description]) =>
    optionLines(option, description),
  );
  const parts = [
    `vantage ${name}: ${purpose}`,
    `  vantage ${name} ${usage}`,
    ...(about === undefined ? [] : [about]),
    lines.join("\n"),
    ...(more === undefined ? [] : [more]),
  ];
  return parts.join("\n\n");
}

/** `  -o, --output FORMAT   …`, the meaning in lines of its own column. */
function optionLines(name: string, { short, value, meaning = "" }: OptionDescription): string[] {
  const head = `  ${short === undefined ? "   " : `-${short},`} --${name}${value === undefined ? "" : ` ${value}`}`;
  const [first = "", ...rest] = wrapped(meaning, lineColumnsMax - nameColumns);
  const padding = " ".repeat(nameColumns);
  const isLong = head.length >= nameColumns;
  return [
    ...(isLong ? [head, padding + first] : [head.padEnd(nameColumns) + first]),
    ...rest.map((line) => padding + line),
  ];
}

/** Words in lines of at most so many columns. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line];
}
