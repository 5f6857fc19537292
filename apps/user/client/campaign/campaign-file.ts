/** A campaign's file: YAML or JSON. Its members and limits are defined by the gateway. */
import * as v from "valibot";
import { LineCounter, parseDocument } from "yaml";
import { CommandError, cannot } from "../../../../lib/command/command/command-error.ts";
import { fileWords, wholeText } from "../../../../lib/command/command/file-chunks.ts";
import { issueReason, jsonTypeNames } from "../../../../lib/engines/config/issue-reason.ts";
import { campaignFileBytesMax } from "../limits.ts";
import type { PlacedFile } from "./file-places.ts";

const campaignKeys = "name, agents, probes, every, stop";

interface CampaignFile extends PlacedFile {
  /** In the form for the gateway. */
  readonly body: string;
}

/** Throws CommandError for anything but a section of keys. */
export async function readCampaignFile(path: string): Promise<CampaignFile> {
  const { value, ...file } = await readSection(path, campaignKeys);
  return { ...file, body: JSON.stringify(value) };
}

/** Parses a file by a schema. Throws CommandError likewise; `keys` are suggested in its message. */
export async function readChecked<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
  keys: string,
): Promise<v.InferOutput<Schema>> {
  const checked = v.safeParse(schema, (await readSection(path, keys)).value);
  if (checked.success) {
    return checked.output;
  }
  const faults = checked.issues.map((issue) => {
    const at = (issue.path ?? []).map(({ key }) => String(key)).join(".");
    const reason = at === "" ? issue.message : issueReason(issue, jsonTypeNames, schema);
    return [at, reason].filter((part) => part !== "").join(" ");
  });
  throw cannot(`${fileWords(path)}: ${faults.join("; ")}`);
}

async function readSection(path: string, keys: string): Promise<PlacedFile & { readonly value: object }> {
  const tooLong = () =>
    cannot(`${fileWords(path)} has more than ${campaignFileBytesMax} bytes: use fewer lines`);
  const text = await wholeText(path, campaignFileBytesMax, tooLong);
  const lines = new LineCounter();
  const document = parseDocument(text, { prettyErrors: true, lineCounter: lines });
  const [fault] = document.errors;
  if (fault !== undefined) {
    throw cannot(`${fileWords(path)} is not YAML: ${fault.message.split("\n")[0] ?? ""}`);
  }
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new CommandError("failure", `${fileWords(path)} must be a section of keys: ${keys}`);
  }
  return { value, words: fileWords(path), document, lines };
}
