/**
 * Lists and objects with more items than their schema admits, found before their items are checked: valibot counts them
 * last, and to check 20,000 takes a tenth of a second in which no one else is served.
 */
import * as v from "valibot";
import { issueReason, jsonTypeNames } from "../config/issue-reason.ts";
import type { FieldProblem } from "./problem.ts";

/** The internals of a valibot schema that lead to its limits. */
interface Inside {
  readonly pipe?: readonly v.GenericPipeItem[];
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly wrapped?: v.GenericSchema;
}

/** The first in the value or its members that has too many; null = none has. */
export function tooMany(schema: v.GenericSchema, value: unknown, path = ""): FieldProblem | null {
  if (typeof value !== "object" || value === null) {
    return null;
  }
  const { pipe = [], entries = {}, wrapped } = schema as Inside;
  const counted = Array.isArray(value) ? "max_length" : "max_entries";
  for (const limit of pipe) {
    if (isCheck(limit) && limit.type === counted) {
      const [issue] = v.safeParse(v.pipe(v.unknown(), limit), value).issues ?? [];
      if (issue !== undefined) {
        return { path, reason: issueReason(issue, jsonTypeNames, schema) };
      }
    }
  }
  if (wrapped !== undefined) {
    return tooMany(wrapped, value, path);
  }
  for (const [name, member] of Object.entries(entries)) {
    const below = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
    const found = tooMany(member, below, path === "" ? name : `${path}.${name}`);
    if (found !== null) {
      return found;
    }
  }
  return null;
}

function isCheck(item: v.GenericPipeItem): item is v.GenericValidation {
  return item.kind === "validation";
}
