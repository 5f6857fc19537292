/** Prefixes that hold every address: the benches have no answers to refuse. */
import { type Prefix, parsePrefix } from "../../lib/net/ip/prefix.ts";

export const everyAddress: readonly Prefix[] = ["0.0.0.0/0", "::/0"].flatMap(
  (text) => parsePrefix(text) ?? [],
);
