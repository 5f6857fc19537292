/** The last line of a table of losses. Pure. */

/** The sum of it all. */
export function lossText(rows: readonly { readonly submitted: number; readonly answered: number }[]): string {
  const submitted = rows.reduce((sum, row) => sum + row.submitted, 0);
  const answered = rows.reduce((sum, row) => sum + row.answered, 0);
  const percent = ((100 * (submitted - answered)) / submitted).toFixed(2);
  return `\n${answered} of ${submitted} probes answered: ${percent} % lost`;
}
