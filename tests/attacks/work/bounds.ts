/** What an attack on a gateway may do to others. */

/** The longest that `/health` may take, on a machine that is idle. */
export const healthMsMax = 250;

/** Megabytes that the process may grow by: 512 of work, 64 of bodies, and what is collected late. */
export const grownMbMax = 768;
