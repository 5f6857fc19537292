/** Lifetimes of the development issuer's tokens and codes, each with its reason. */

/** As identity providers do by default, so that renewal is in use. */
export const accessTokenSec = 3600;

/** A login lasts from one day's work to the next, and over a holiday. */
export const refreshTokenSec = 30 * 86_400;

/** Time to go to the page and type a name. */
export const deviceCodeSec = 600;

/** Largest form that the login page takes: a name. */
export const formBytesMax = 4096;

/** OpenID Connect Core 2: a subject has at most 255 ASCII characters. */
export const nameCharsMax = 255;
