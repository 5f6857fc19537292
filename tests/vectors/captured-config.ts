/** Whose probes the captured vectors answer: those that tests/lab sends. */
import { join } from "node:path";
import { parsePrefix } from "../../lib/net/ip/prefix.ts";
import { tagKey } from "../../lib/net/packet/tag.ts";
import type { ReferenceConfig } from "./reference-receiver.ts";

export const capturedFolder = join(import.meta.dirname, "captured");

export const capturedConfig: ReferenceConfig = {
  agentId: "lab",
  keys: [tagKey(new TextEncoder().encode("the key of the lab"), "lab", 1)],
  // What is captured are answers to probes that were sent, and to nothing else.
  tcp: { hasLeft: () => true },
  sources: ["192.0.2.0/29", "2001:db8:e::/64"].flatMap((text) => parsePrefix(text) ?? []),
};
