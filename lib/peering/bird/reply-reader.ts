/**
 * Reads BIRD 2's replies on its control socket: lines `CODE-text`, continued by lines ` text` with the same code, up to
 * a final `CODE text`. Codes: 0xxx done, 1xxx tables, 8xxx and 9xxx refused. Pure.
 */

export interface ReplyLine {
  readonly code: number;
  readonly text: string;
}

export class ReplyReader {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #code = 0;
  #lines: ReplyLine[] = [];

  /** Returns the replies that these bytes complete. */
  read(bytes: Uint8Array): ReplyLine[][] {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    const lines = text.split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#take(line));
  }

  #take(line: string): ReplyLine[][] {
    const [, code, separator] = /^(\d{4})([ -])/.exec(line) ?? [];
    if (code === undefined) {
      this.#lines.push({ code: this.#code, text: line.slice(1) });
      return [];
    }
    this.#code = Number(code);
    this.#lines.push({ code: this.#code, text: line.slice(5) });
    if (separator === "-") {
      return [];
    }
    const answer = this.#lines;
    this.#lines = [];
    return [answer];
  }
}
