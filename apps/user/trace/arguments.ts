/** What `vantage trace` and `vantage ping` take besides options. */
import { text } from "../../../lib/command/command/kinds.ts";

export const targetArguments = {
  targets: {
    kind: text,
    placeholder: "TARGET",
    many: true,
    required: true,
    meaning: "addresses or host names",
  },
} as const;

export const traceArguments = {
  targets: {
    kind: text,
    placeholder: "TARGET",
    many: true,
    meaning: "addresses or host names; or a --file of them",
  },
} as const;
