/** @jsxImportSource hono/jsx */
/**
 * Text of agents, routers and users: what cannot be seen, or turns a line around, is shown as its number, and the text
 * has no say in the direction of what follows.
 */
import { visible } from "../../../lib/base/terminal/foreign-text.ts";

export function Foreign({ text }: { readonly text: string }) {
  return <bdi>{visible(text)}</bdi>;
}

/** Town, country and what else is known, with commas between; a dash for nothing. */
export function Place({ parts }: { readonly parts: readonly (string | null)[] }) {
  const known = parts.filter((part) => part !== null && part !== "");
  return known.length === 0 ? <span>–</span> : <Foreign text={known.join(", ")} />;
}
