/** Every limit of the policy: what it guards, its unit, and why the value is safe. */

/** Devices of one user in the VPN: each gets its own block. */
export const addressesPerUserMax = 16;

/** Leases of one user that a policy allows; the gateway's default is one. */
export const leasesPerUserMax = 64;

/** Characters of an e-mail address (RFC 5321 s.4.5.3.1.3: 254 in a path) that are shown in a comment. */
export const emailCharsMax = 254;

/** Characters of a subject: OpenID Connect Core s.2 allows 255. */
export const subjectCharsMax = 255;

/** Length of every lease, bits. */
export const leaseLengthBits = 48;
