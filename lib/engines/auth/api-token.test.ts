import { expect, test } from "bun:test";
import { checkApiToken, isApiToken, makeApiToken } from "./api-token.ts";

/** Made of the bytes 0 to 31, and of 32 times 255; reckoned by another program. */
const known = [
  "vtg_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf0ziM2e",
  "vtg_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp13EpC4C",
];

test("a token has a prefix, 43 characters and a checksum, and never comes twice", () => {
  const tokens = new Set(Array.from({ length: 100 }, makeApiToken));
  expect(tokens.size).toBe(100);
  for (const token of [...tokens, ...known]) {
    expect(token).toMatch(/^vtg_[0-9A-Za-z]{49}$/);
    expect(isApiToken(token)).toBe(true);
    checkApiToken(token);
  }
});

test("a token with any one character changed, cut off or added is refused", () => {
  const token = makeApiToken();
  const bad = [
    ...Array.from(token.slice(4), (digit, i) => {
      const other = digit === "x" ? "y" : "x";
      return token.slice(0, i + 4) + other + token.slice(i + 5);
    }),
    token.slice(0, -1),
    `${token}0`,
    `${token} `,
    token.slice(0, 20),
    "vtg_",
    "vtg_0000000000000000000000000000000000000000000",
    `${token.slice(0, 10)}\u00e4${token.slice(11)}`,
  ];
  for (const one of bad) {
    expect(() => checkApiToken(one)).toThrow("checksum does not fit");
  }
});
