/**
 * Rows as a table for people, or as JSON, NDJSON or CSV (RFC 4180) for programs; never all of them in memory.
 *
 * Values may be foreign text: foreign-text.ts makes it harmless. JSON stays exact; tables and CSV show it escaped. A
 * table collects some rows so that its columns fit; widths only grow from one batch to the next.
 */
import { csvCell, jsonText, visibleCell } from "./foreign-text.ts";
import { columnsOf, padded } from "./text.ts";

/** Rows of a table that share column widths: collected before they are printed. */
export const tableRows = 200;

export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

export interface Column<Row> {
  /** In JSON and CSV. */
  readonly name: string;
  /** In a table; null leaves the column out there. */
  readonly head: string | null;
  /** In JSON. */
  readonly value: (row: Row) => unknown;
  /** In CSV and tables, where it is not the value as text. */
  readonly text?: (row: Row) => string;
  /** In tables, where it is not `text`. */
  readonly cell?: (row: Row) => string;
  readonly align?: "left" | "right";
}

interface RowsOutputOptions<Row> {
  readonly columns: readonly Column<Row>[];
  readonly format: Format;
  readonly print: (text: string) => void;
  /** Style of a table's head. */
  readonly dim: (text: string) => string;
}

export class RowsOutput<Row> {
  rows = 0;
  readonly #options: RowsOutputOptions<Row>;
  readonly #columns: readonly Column<Row>[];
  readonly #widths: number[];
  #gathered: string[][] = [];

  constructor(options: RowsOutputOptions<Row>) {
    this.#options = options;
    const isTable = options.format === "table";
    this.#columns = isTable ? options.columns.filter(({ head }) => head !== null) : options.columns;
    this.#widths = this.#columns.map(({ head }) => columnsOf(head ?? ""));
    if (options.format === "csv") {
      options.print(csvLine(this.#columns.map(({ name }) => name)));
    }
  }

  add(row: Row): void {
    this.rows++;
    switch (this.#options.format) {
      case "json":
        this.#options.print(`${this.rows === 1 ? "[" : ","}\n${this.#object(row)}`);
        return;
      case "ndjson":
        this.#options.print(this.#object(row));
        return;
      case "csv":
        this.#options.print(csvLine(this.#texts(row)));
        return;
      case "table":
        this.#gathered.push(this.#cells(row));
        if (this.#gathered.length >= tableRows) {
          this.flush();
        }
    }
  }

  /** Prints the collected rows of a table. */
  flush(): void {
    if (this.#gathered.length === 0) {
      return;
    }
    const isFirst = this.rows === this.#gathered.length;
    for (const cells of this.#gathered) {
      for (let i = 0; i < cells.length; i++) {
        this.#widths[i] = Math.max(this.#widths[i] ?? 0, columnsOf(cells[i] ?? ""));
      }
    }
    const heads = this.#columns.map(({ head }) => head ?? "");
    let text = isFirst ? `${this.#options.dim(this.#line(heads))}\n` : "";
    for (const cells of this.#gathered) {
      text += `${this.#line(cells)}\n`;
    }
    this.#gathered = [];
    this.#options.print(text.slice(0, -1));
  }

  /** Call it once, after the last row. */
  finish(): void {
    this.flush();
    if (this.#options.format === "json") {
      this.#options.print(this.rows === 0 ? "[]" : "]");
    }
  }

  #line(cells: readonly string[]): string {
    let line = "";
    for (let i = 0; i < cells.length; i++) {
      // Right-aligned: spaces on the left.
      const side = this.#columns[i]?.align === "right" ? "left" : "right";
      line += `${i === 0 ? "" : "  "}${padded(cells[i] ?? "", this.#widths[i] ?? 0, side)}`;
    }
    return line.trimEnd();
  }

  #object(row: Row): string {
    return jsonText(Object.fromEntries(this.#columns.map(({ name, value }) => [name, value(row)])));
  }

  #texts(row: Row): string[] {
    return this.#columns.map(({ text, value }) => (text === undefined ? plainText(value(row)) : text(row)));
  }

  #cells(row: Row): string[] {
    return this.#columns.map(({ cell, text, value }) => {
      const own = cell ?? text;
      return visibleCell(own === undefined ? plainText(value(row)) : own(row));
    });
  }
}

function plainText(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}

/** A line of CSV (RFC 4180) without its end. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(",");
}
