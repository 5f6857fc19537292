/** @jsxImportSource hono/jsx */
/** A word for a state, on a tint: the word says it, the colour only helps. */
export type Look = "good" | "bad" | "wait" | "plain";

export function Mark({ look, word }: { readonly look: Look; readonly word: string }) {
  return <span class={`mark ${look}`}>{word}</span>;
}
