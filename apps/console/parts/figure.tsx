/** @jsxImportSource hono/jsx */
/** One of the figures of a list (`dl.figures`), below its name. */
import type { Child } from "hono/jsx";

export function Figure({ name, value }: { readonly name: string; readonly value: Child }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
