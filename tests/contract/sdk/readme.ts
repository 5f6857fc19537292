/** The examples of a README as one program, in the order of the page, and what it says that they print. */
import { readPage } from "../../docs/page-blocks.ts";

interface Examples {
  readonly program: string;
  readonly output: string;
}

/** For this gateway and this token. */
export function examplesOf(
  page: string,
  language: string,
  { address, token }: { readonly address: string; readonly token: string },
): Examples {
  const blocks = readPage(page);
  const texts = (wanted: string) =>
    blocks.flatMap((block) => (block.language === wanted ? [`${block.text}\n`] : [])).join("");
  const program = texts(language)
    .replaceAll("https://gateway.example", address)
    .replaceAll("vtg_your_token", token);
  return { program, output: texts("text") };
}
