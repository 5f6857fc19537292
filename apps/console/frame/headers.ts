/** Headers of all console responses. */

/** No inline scripts or styles, nothing from other hosts, no framing. */
const policy = [
  "default-src 'self'",
  // A picture of the page on its way to a PNG file.
  "img-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join("; ");

export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // Pages contain their visitor's data.
  "cache-control": "no-store",
};

/** For files named after their content. */
export const fileHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "public, max-age=31536000, immutable",
  vary: "accept-encoding",
};
