/** Headers of all that the console answers. */

/** No inline script or style, nothing of other hosts, no frame around it. */
const policy = [
  "default-src 'self'",
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
  // Pages hold what their person may see.
  "cache-control": "no-store",
};

/** Answers with a file whose name is made of its content have these. */
export const fileHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "public, max-age=31536000, immutable",
  vary: "accept-encoding",
};
