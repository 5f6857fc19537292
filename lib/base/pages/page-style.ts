/** The style sheet of pages for people: the console and a user's status page. Pure. */
import base from "./base.css" with { type: "text" };
import parts from "./parts.css" with { type: "text" };

/** Colours, fonts and the frame; then buttons, fields, tables, cards and marks. */
export const pageStyle = `${base}\n${parts}`;
