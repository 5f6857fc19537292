/** A page of docs about a configuration: its app's introduction, and the table of keys from its schema. */
import { type ConfigSchema, type Shape, shapeOf } from "../../../lib/engines/config/shape.ts";

export interface ConfigPage {
  /** Below docs, without `.md`. */
  readonly name: string;
  readonly schema: ConfigSchema;
  readonly head: string;
}

/** The whole text of the file. */
export function configPageText({ head, schema }: ConfigPage): string {
  return `${head}\n${keysTable(schema)}\n`;
}

const heads = ["key", "type", "unit", "default", "meaning"];

export function keysTable(schema: ConfigSchema): string {
  const rows = [heads, heads.map(() => "---"), ...rowsOf(shapeOf(schema), "")];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function rowsOf(shape: Shape, path: string): string[][] {
  if (shape.kind === "section") {
    return [...shape.entries].flatMap(([name, entry]) =>
      rowsOf(entry, path === "" ? name : `${path}.${name}`),
    );
  }
  if (shape.kind === "value") {
    return [row(path, shape.type, shape)];
  }
  if (shape.item.kind === "value") {
    const notes = shape.notes ?? shape.item.notes;
    return [row(path, `list of ${shape.item.type}s`, { notes, defaultValue: undefined, isRequired: false })];
  }
  return rowsOf(shape.item, `${path}[]`);
}

type About = Pick<Shape & { kind: "value" }, "notes" | "defaultValue" | "isRequired">;

function row(path: string, type: string, { notes, defaultValue, isRequired }: About): string[] {
  const plain = defaultValue === undefined ? "none" : `\`${defaultValue}\``;
  const otherwise = isRequired ? "required" : (notes.otherwise ?? plain);
  return [`\`${path}\``, type, notes.unit ?? "", otherwise, notes.meaning];
}
