/** Asks for the answers on a terminal: a question for each key of a platform, with its default. */
import { createInterface } from "node:readline";
import * as v from "valibot";
import { stringify } from "yaml";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import { printErrorLine, writeText } from "../../../lib/base/terminal/output.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { type Shape, shapeOf } from "../../../lib/engines/config/shape.ts";
import { platformSchema } from "./answers.ts";

/** Not asked: their defaults suffice, and a file can set them. */
const notAsked = new Set(["audience", "operators", "services", "asn"]);
const triesMax = 5;
const standardError = 2;

type NextLine = () => Promise<string>;

/** YAML, as in a file of answers. Rejects with CommandError when the answers end, or are wrong again and again. */
export async function askedAnswers(): Promise<string> {
  const reader = createInterface({ input: process.stdin });
  // Lines that are typed, or pasted, before they are asked for wait here.
  const lines = reader[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { value, done } = await lines.next();
    if (done === true) {
      throw cannot("nothing was written: the answers ended too early");
    }
    return value.trim();
  };
  try {
    printErrorLine("An agent needs no questions: vantage setup invite ID, on the platform, makes its file.");
    printErrorLine("This machine becomes a platform. Enter takes the value in brackets.");
    const platform: Record<string, unknown> = {};
    for (const [key, schema] of Object.entries(platformSchema.entries)) {
      if (!notAsked.has(key)) {
        const value = await answer(nextLine, key, schema);
        Object.assign(platform, value === undefined ? {} : { [key]: value });
      }
    }
    return stringify({ platform });
  } finally {
    reader.close();
  }
}

/** Undefined = the default. */
async function answer(nextLine: NextLine, key: string, schema: v.GenericSchema): Promise<unknown> {
  const shape = shapeOf(schema);
  const notes = notesOf(shape);
  const fallback = shape.kind === "value" ? (shape.defaultValue ?? notes?.otherwise) : "none";
  printErrorLine(`\n${notes?.meaning ?? key}`);
  for (let tries = 1; tries <= triesMax; tries++) {
    writeText(standardError, `${key}${fallback === undefined ? "" : ` [${String(fallback)}]`}: `);
    const typed = await nextLine();
    if (typed === "" && fallback !== undefined) {
      return undefined;
    }
    const value = shape.kind === "list" ? typed.split(/[\s,]+/) : typed;
    const checked = v.safeParse(schema, value);
    if (checked.success) {
      return value;
    }
    printErrorLine(`  ${visible(checked.issues[0].message)}`);
  }
  throw cannot(`nothing was written: ${key} was wrong ${triesMax} times`);
}

function notesOf(shape: Shape) {
  if (shape.kind === "list") {
    return shape.notes ?? (shape.item.kind === "value" ? shape.item.notes : null);
  }
  return shape.kind === "value" ? shape.notes : null;
}
