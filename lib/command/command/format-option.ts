/** `-o, --output`: a command's output format. */
import { format } from "./kinds.ts";

export const formatOption = {
  output: { kind: format, short: "o", default: "table", meaning: "form of the output" },
} as const;
