/** Limits on trusted and cached tokens, each with its reason. */

/** Tokens of large identity providers have 1 to 3 KB; proxies stop at 8 KB of headers. */
export const tokenBytesMax = 8192;

/** OpenID Connect Core 2: a subject has at most 255 ASCII characters. */
export const subjectBytesMax = 255;

/** Clocks of issuer and gateway may differ by this much. */
export const leewaySec = 60;

/** A withdrawn key is refused after at most this time; keys are fetched again in the background. */
export const keysFreshMs = 300_000;

/** Unknown key ids trigger requests to the issuer at most this often, for all senders combined. */
export const unknownKeyPauseMs = 30_000;

/** While there are no keys at all, requests to the issuer are at most this frequent. */
export const noKeysPauseMs = 1_000;

/** An issuer that takes longer counts as unreachable. */
export const issuerWaitMs = 5_000;

/** Key sets have a few KB. */
export const documentBytesMax = 262_144;

/** Verified tokens kept: at 1 to 3 KB each about 20 MB, for as many users at once. */
export const verifiedTokensMax = 8_192;

/** Characters shown of a claim that an unverified token makes: an issuer's address has fewer. */
export const shownClaimCharsMax = 200;

/** People whose names are kept in memory: some 2 MB. */
export const knownNamesMax = 10_000;

/** Characters of a person's name; more are cut. */
export const nameCharsMax = 100;
