/** `-c, --config`: the configuration file of a service. */
import { file } from "./kinds.ts";

export const configOption = { kind: file, short: "c", meaning: "its configuration (YAML)" } as const;

export const neededConfig = { ...configOption, required: true } as const;
