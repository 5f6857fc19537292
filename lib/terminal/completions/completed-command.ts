/** A command as the completion scripts of shells need it. */

export interface CompletedOption {
  readonly name: string;
  readonly short: string | null;
  /** Words, files or folders that a value may be; "any" = nothing is known; null = it takes no value. */
  readonly values: readonly string[] | "file" | "folder" | "any" | null;
  readonly meaning: string;
}

export interface CompletedCommand {
  readonly name: string;
  readonly purpose: string;
  readonly options: readonly CompletedOption[];
  /** Words that may follow the name; empty = files, or nothing that a shell could know. */
  readonly words: readonly string[];
}

/** `-o` and `--output`. */
export function spellings({ name, short }: CompletedOption): string[] {
  return [...(short === null ? [] : [`-${short}`]), `--${name}`];
}

/** Text in the single quotes of any of the shells. */
export function singleQuoted(text: string, quoteInside: string): string {
  return `'${text.replaceAll("'", quoteInside)}'`;
}
