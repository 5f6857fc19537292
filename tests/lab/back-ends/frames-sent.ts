/** Twice the slots of the hot path's memory, and some. */
export const framesSent = 600;
