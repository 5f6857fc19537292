/** Which signatures are taken, by key sets as providers publish them: with the algorithm's name, another, none. */
import { afterAll, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { oidcVerifier } from "../../../lib/engines/auth/oidc-verifier.ts";

const kid = "k1";
let keys: JWK[] = [];
const provider = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json({ keys }) });
afterAll(() => provider.stop(true));
const issuer = provider.url.origin;

interface Signed {
  /** In the token's header. */
  readonly alg: string;
  /** In the key set; undefined = it has none. */
  readonly keyAlg: string | undefined;
}

/** Rejects with what the verifier says. */
async function hashOf({ alg, keyAlg }: Signed): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const { alg: _own, ...jwk } = await exportJWK(publicKey);
  keys = [{ ...jwk, kid, use: "sig", ...(keyAlg === undefined ? {} : { alg: keyAlg }) }];
  const token = await new SignJWT({})
    .setProtectedHeader({ alg, kid })
    .setIssuer(issuer)
    .setSubject("alice")
    .setExpirationTime("1h")
    .sign(privateKey);
  const verifier = oidcVerifier({ issuer, audiences: [], jwksUri: `${issuer}/jwks` });
  return (await verifier.verify(token)).userHash;
}

const withAndWithoutName = ["RS", "PS", "ES"].flatMap((family) =>
  ["256", "384", "512"].flatMap((bits) => [
    { alg: family + bits, keyAlg: family + bits },
    { alg: family + bits, keyAlg: undefined },
  ]),
);
const twoNames = ["EdDSA", "Ed25519"].flatMap((alg) =>
  ["EdDSA", "Ed25519", undefined].map((keyAlg) => ({ alg, keyAlg })),
);
const postQuantum = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"].map((alg) => ({ alg, keyAlg: alg }));

test.each([...withAndWithoutName, ...twoNames, ...postQuantum])(
  "$alg by a key for $keyAlg is taken",
  async (signed) => {
    expect(await hashOf(signed)).toMatch(/^[0-9a-f]{64}$/);
  },
);

test("a key for another algorithm is not that of the token", async () => {
  await expect(hashOf({ alg: "PS256", keyAlg: "RS256" })).rejects.toMatchObject({ code: "unknown_key" });
  await expect(hashOf({ alg: "ES256", keyAlg: "EdDSA" })).rejects.toMatchObject({ code: "unknown_key" });
});

test("any other algorithm is refused with those that there are", async () => {
  const verifier = oidcVerifier({ issuer, audiences: [] });
  const refusal = (alg: string) => verifier.verify(`${btoa(JSON.stringify({ alg, kid }))}.e30.x`);
  await expect(refusal("HS256")).rejects.toMatchObject({
    code: "unsupported_algorithm",
    message: expect.stringMatching(
      /^Unsupported algorithm: HS256; .* RS256, .*PS512, .*Ed25519, EdDSA, ML-DSA-44/,
    ),
  });
});

test.each([
  ["another", "https://other.example/", '"https://other.example/"'],
  ["none", undefined, "not given"],
  ["a number", 7, "7"],
  ["a long one", `https://${"x".repeat(500)}`, `"https://${"x".repeat(191)}`],
])("the wrong issuer (%s) is shown beside the right one", async (_, iss, shown) => {
  const verifier = oidcVerifier({ issuer, audiences: [] });
  const token = `${btoa(JSON.stringify({ alg: "ES256", kid }))}.${btoa(JSON.stringify({ iss, sub: "a" }))}.x`;
  await expect(verifier.verify(token)).rejects.toMatchObject({
    code: "wrong_issuer",
    message: `Invalid token: its issuer is ${shown}, not "${issuer}"`,
  });
});
