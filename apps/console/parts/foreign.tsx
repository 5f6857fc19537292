/** @jsxImportSource hono/jsx */
/**
 * Text from agents, routers and users: invisible and bidirectional control characters are shown as their code points,
 * and the text cannot change the direction of what follows.
 */
import { visible } from "../../../lib/base/terminal/foreign-text.ts";

export function Foreign({ text }: { readonly text: string }) {
  return <bdi>{visible(text)}</bdi>;
}

/** Town, country and other known parts, separated by commas; a dash for nothing. */
export function Place({ parts }: { readonly parts: readonly (string | null)[] }) {
  const known = parts.filter((part) => part !== null && part !== "");
  return known.length === 0 ? <span>–</span> : <Foreign text={known.join(", ")} />;
}
