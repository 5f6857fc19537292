/**
 * A user's number: 32 bits that follow an agent's IPv6 prefix in the user's own. 0 to 999 are the operator's, and the
 * last ones are never assigned.
 *
 * It is random and reveals nothing: an observer of a packet must not be able to identify its user by hashing addresses
 * or names. Numbers assigned earlier, from the hash of the subject, remain with their users.
 */

export const userIdMin = 1000;
export const userIdMax = 0xffff_ff00;

/** A valid user number from 32 random bits; null = draw again (1 of 3 million). */
export function userIdOf(randomBits: number): number | null {
  return randomBits >= userIdMin && randomBits <= userIdMax ? randomBits : null;
}
