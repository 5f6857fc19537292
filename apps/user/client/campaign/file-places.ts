/** A gateway's refusal of a campaign's file, in terms of the file: its name and line in place of "the body". */
import { type Document, isMap, isNode, isScalar, type LineCounter } from "yaml";
import { GatewayError } from "../../../../lib/engines/gateway-client/gateway-error.ts";

export interface PlacedFile {
  /** `watch.yaml`, `standard input` */
  readonly words: string;
  readonly document: Document;
  readonly lines: LineCounter;
}

/** Rejects as `asked` does; a refusal that names members of the file has their lines. */
export async function inTermsOf<Answer>(file: PlacedFile, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof GatewayError && error.fields.length > 0 ? placed(error, file) : error;
  }
}

function placed(error: GatewayError, file: PlacedFile): GatewayError {
  const { status, code, retryAfterMs, details } = error;
  const fields = error.fields.map(({ path, reason }) => ({
    path: path === "" ? "" : `${placeOf(path, file)}: ${path}`,
    reason,
  }));
  const [first] = error.fields;
  const place = first === undefined ? file.words : placeOf(first.path, file);
  const message = error.message.replace("the body: ", `${place}: `).replace("the body", file.words);
  return new GatewayError(message, { status, code, fields, retryAfterMs, details, cause: error });
}

/** `watch.yaml:12`, of the member or, where that is missing, of what it is missing in. */
function placeOf(path: string, { words, document, lines }: PlacedFile): string {
  const keys = path.split(".").map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  for (let depth = keys.length; depth > 0; depth--) {
    const parent = depth === 1 ? document.contents : document.getIn(keys.slice(0, depth - 1), true);
    const key = keys[depth - 1];
    const pair = isMap(parent)
      ? parent.items.find((one) => isScalar(one.key) && one.key.value === key)
      : null;
    // A section's value begins a line below its key.
    const node = pair?.key ?? document.getIn(keys.slice(0, depth), true);
    if (isNode(node) && node.range) {
      return `${words}:${lines.linePos(node.range[0]).line}`;
    }
  }
  return words;
}
