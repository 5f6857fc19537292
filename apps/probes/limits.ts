/** Every limit of this app: what it guards, its unit, and why the value is safe. */

/** Lines of one run: index arithmetic stays exact in a double, and nobody sends so many. */
export const linesMax = 2 ** 48;

/** Targets held in memory, at 25 bytes each: 250 MB. */
export const targetsMax = 10_000_000;

/** Addresses that `--all` takes of one prefix: an IPv4 /8. */
export const wholePrefixAddressesMax = 2 ** 24;

/** `--per-prefix`: as much as `--all`. */
export const perPrefixMax = wholePrefixAddressesMax;

/** Text gathered before it is written: large enough that the system call costs nothing. */
export const writeBytes = 65536;
