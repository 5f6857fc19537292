/** Every limit of lib/results: what it guards, its unit, and why the value is safe. */

/** Answers to one flow and TTL that a path looks at: more say nothing new, and take memory. */
export const cellRepliesMax = 1000;
