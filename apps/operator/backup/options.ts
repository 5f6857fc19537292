/** Options that `vantage backup`, `vantage restore` and `vantage upgrade` share. */
import { file, folder, textOrFile } from "../../../lib/command/command/kinds.ts";

export const keyFileOption = {
  kind: file,
  defaultText: "not encrypted",
  meaning: "a file with the passphrase, 16 characters or more: openssl rand -base64 32",
} as const;

/** Services of this machine, and what they keep. */
export const sourceOptions = {
  stack: { kind: folder, meaning: "the folder of a vantage stack" },
  probingGateway: {
    kind: file,
    meaning: "a probing gateway by its configuration: database, state folder, store, embedded log",
  },
  peeringGateway: {
    kind: file,
    meaning: "a peering gateway by its configuration: database, state folder, keys of subjects",
  },
  store: {
    kind: textOrFile,
    placeholder: "ADDRESS",
    multiple: true,
    meaning: "a column store, chdb:DIR or http(s)://…, in place of the gateway's; @FILE holds it",
  },
} as const;
