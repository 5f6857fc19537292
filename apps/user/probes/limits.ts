/** Every limit of this app: what it guards, its unit, and why the value is safe. */

/** Lines of one run: index arithmetic stays exact in a double, and no run needs so many. */
export const linesMax = 2 ** 48;

/** Text gathered before it is written: large enough that the system call costs nothing. */
export const writeBytes = 65536;
