/**
 * A user's number: 32 bits that follow an agent's IPv6 prefix in the user's own. 0 to 999 are the operator's, and the
 * last ones are never given.
 *
 * It comes from the hash of the user's subject, so that it is the same wherever the user goes first; when two users
 * come to the same number, the later one gets any that is free.
 */

export const userIdMin = 1000;
export const userIdMax = 0xffff_ff00;

/** The number of a user by the first 8 digits of the hash (64 lower-case hex digits). */
export function preferredUserId(userHash: string): number {
  const value = Number.parseInt(userHash.slice(0, 8), 16);
  const isGiven = value >= userIdMin && value <= userIdMax;
  return isGiven ? value : userIdMin + (value % (userIdMax - userIdMin));
}

/** Any number that users may have, from 32 random bits. */
export function userIdOf(randomBits: number): number {
  return userIdMin + (randomBits % (userIdMax - userIdMin + 1));
}
