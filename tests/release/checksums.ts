/** SHA-256 of each file of a folder, in the form that `sha256sum -c` reads. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export const checksumsName = "SHA256SUMS";

export async function checksumsOf(folder: string): Promise<string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name !== checksumsName && statSync(join(folder, name)).isFile())
    .sort();
  const lines = await Promise.all(
    names.map(async (name) => `${await sha256Of(join(folder, name))}  ${name}\n`),
  );
  return lines.join("");
}

async function sha256Of(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) {
    hasher.update(chunk);
  }
  return hasher.digest("hex");
}
