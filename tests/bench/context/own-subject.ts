/** Ours, in a process of its own: opens the set of the folder it runs in, and looks all addresses up at once. */
import { readFileSync } from "node:fs";
import { ContextFolder } from "../../../lib/measuring/context/disk/context-folder.ts";
import { measured } from "./measured.ts";

const addresses = new Uint8Array(readFileSync("addresses.bin"));
const asns = new Uint32Array(addresses.length / 16);

await measured(
  async () => new ContextFolder("sets").open("2026-11-22"),
  async (set) => {
    set.asnsOf(addresses, asns);
    return asns.reduce((sum, asn) => sum + asn, 0);
  },
  asns.length,
);
