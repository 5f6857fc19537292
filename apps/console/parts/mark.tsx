/** @jsxImportSource hono/jsx */
/** A state's word on a tint: the word carries the meaning, the colour only helps. */
export type Look = "good" | "bad" | "wait" | "plain";

/** States of a measurement, and of its part at an agent. */
export const statusLooks = {
  ...{ queued: "wait", running: "wait", complete: "good", cancelled: "plain", failed: "bad", expired: "bad" },
} as const satisfies Readonly<Record<string, Look>>;

/** States of a campaign. */
export const phaseLooks = {
  ...{ active: "good", paused: "wait", ended: "plain" },
} as const satisfies Readonly<Record<string, Look>>;

/** States of its runs. */
export const runLooks = {
  ...{ open: "wait", done: "good", missed: "bad", refused: "bad", passed: "plain" },
  ...{ cancelling: "wait", cancelled: "plain" },
} as const satisfies Readonly<Record<string, Look>>;

/** States of an experiment. */
export const experimentLooks = {
  ...{ running: "wait", paused: "wait", silent: "bad", ended: "plain" },
} as const satisfies Readonly<Record<string, Look>>;

export function Mark({ look, word }: { readonly look: Look; readonly word: string }) {
  return <span class={`mark ${look}`}>{word}</span>;
}
