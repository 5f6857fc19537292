/** Every limit on printed output, with its reason. */

/** Rows of a table that share the widths of its columns: gathered before they are printed. */
export const tableRows = 200;
