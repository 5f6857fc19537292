/** `--name`, `--tag`, `--note`: users' labels of their measurements, to find them again. */
import { kindOf, text } from "../kinds.ts";
import type { Given } from "../table.ts";

/** An empty text removes the label; other options refuse it. */
const anyText = kindOf("TEXT", "any", (given) => given);

export const labelOptions = {
  name: { kind: text, placeholder: "TEXT", meaning: "what you call the measurement: at most 100 characters" },
  tag: {
    kind: text,
    placeholder: "TAG",
    multiple: true,
    meaning: "a word to find it by; several with commas, or again",
  },
  note: { kind: text, placeholder: "TEXT", meaning: "a remark for yourself: at most 1,000 characters" },
} as const;

export const newLabelOptions = {
  name: { ...labelOptions.name, kind: anyText, meaning: 'the new name; "" removes it' },
  tag: { ...labelOptions.tag, kind: anyText, meaning: 'the new tags, with commas; "" removes all' },
  note: { ...labelOptions.note, kind: anyText, meaning: 'the new note; "" removes it' },
} as const;

type LabelsGiven = Given<typeof labelOptions>;

/** For the query of a submission; the gateway checks them. */
export function labelQuery({ name, tag, note }: LabelsGiven): Record<string, string> {
  return {
    ...(name === null ? {} : { name }),
    ...(tag.length === 0 ? {} : { tags: tag.join(",") }),
    ...(note === null ? {} : { note }),
  };
}
