/**
 * A user's number: 32 bits that follow an agent's IPv6 prefix in the user's own. 0 to 999 are the operator's, and the
 * last ones are never given.
 *
 * It is drawn at random and tells nothing: whoever sees a packet must not be able to test whose it is by hashing
 * addresses or names. Numbers that were given before, from the hash of the subject, stay with their users.
 */

export const userIdMin = 1000;
export const userIdMax = 0xffff_ff00;

/** Any number that users may have, from 32 random bits; null = these bits give none, draw again (1 of 3 million). */
export function userIdOf(randomBits: number): number | null {
  return randomBits >= userIdMin && randomBits <= userIdMax ? randomBits : null;
}
