/** How pages for people look: one style sheet for the console and for a user's status page. Pure. */
import base from "./base.css" with { type: "text" };
import parts from "./parts.css" with { type: "text" };

/** Colours, letters and the frame; then buttons, fields, tables, cards and marks. */
export const pageStyle = `${base}\n${parts}`;
