/** What a shell is told of a command, to complete its words. */

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
  /** What may stand first behind the name; empty = files, or nothing that a shell could know. */
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
