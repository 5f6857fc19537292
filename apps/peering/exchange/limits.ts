/** Every limit of the exchange's settings: what it guards, its unit, and why the value is safe. */

/** Routes that a user may send, accepted or not: a full table sent by mistake ends here. */
export const userRoutesDefault = 20;
export const userRoutesMax = 1000;

/** Hold time of a user's session, in seconds: a laptop may sleep for a moment. */
export const holdTimeSecDefault = 90;
export const holdTimeSecMin = 9;
export const holdTimeSecMax = 240;

/** Seconds that a session which broke a limit stays down at first; ten times that at most. */
export const errorWaitSecDefault = 30;
export const errorWaitSecMax = 600;

/** Routes of a neighbour: the full IPv6 table has some 230,000. */
export const neighborRoutesDefault = 500_000;
export const neighborRoutesMax = 10_000_000;

/** Longest prefix accepted from outside, bits; longer ones are not routed between networks. */
export const outsideLengthMax = 48;
/** Shortest, bits: a default route, or half the address space, is not a route of the full table. */
export const outsideLengthMin = 16;
