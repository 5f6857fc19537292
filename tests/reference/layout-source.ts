/**
 * Renders `layout.ts`: where each field of our Cap'n Proto structs lies, from the compiled schema.
 *
 * Input is the CodeGeneratorRequest that `capnp compile -o-` writes, so nobody counts offsets by hand. Output is
 * one `export const name = number;` per line, which is TypeScript and AssemblyScript alike: the WASM parser
 * compiles in the very same file.
 */
import { type CodeGeneratorRequest, type Field, type Node, Type } from "capnp-es/capnp/schema";

/** Bytes of each type that lies in the data section; the schema counts offsets in units of them. */
const typeBytes = new Map<number, number>([
  [Type.INT8, 1],
  [Type.UINT8, 1],
  [Type.INT16, 2],
  [Type.UINT16, 2],
  [Type.ENUM, 2],
  [Type.INT32, 4],
  [Type.UINT32, 4],
  [Type.FLOAT32, 4],
  [Type.INT64, 8],
  [Type.UINT64, 8],
  [Type.FLOAT64, 8],
]);

const pointerTypes = new Set<number>([Type.TEXT, Type.DATA, Type.LIST, Type.STRUCT]);

const header = `/**
 * Where the fields of Probe, Reply, Update and their parts lie in a Cap'n Proto message, and the values of Protocol.
 *
 * Made from the schemas beside it by \`npm run generate\`; do not edit. \`…Offset\`: bytes from the start of
 * the struct's data section; integers there are little endian. \`…Bit\`: bits from there, the lowest of a byte
 * first. \`…Pointer\`: index in the struct's pointer section. \`…Words\`: 8 bytes each.
 * AssemblyScript compiles this file too, hence nothing but integer constants.
 */
`;

/** The text of layout.ts; throws on a field kind that the hot path does not know. */
export function layoutSource(request: CodeGeneratorRequest): string {
  const parts = request.nodes.map((node) => nodeLines(node)).filter((lines) => lines.length > 0);
  return header + parts.map((lines) => `\n${lines.join("\n")}\n`).join("");
}

function nodeLines(node: Node): string[] {
  const name = node.displayName.slice(node.displayNamePrefixLength);
  const prefix = name.charAt(0).toLowerCase() + name.slice(1);
  if (node._isEnum) {
    return node.enum.enumerants.map((member, value) => constant(prefix + capital(member.name), value));
  }
  if (!node._isStruct) {
    return [];
  }
  return [
    constant(`${prefix}DataWords`, node.struct.dataWordCount),
    constant(`${prefix}PointerWords`, node.struct.pointerCount),
    ...node.struct.fields.map((field) => fieldLine(prefix, field)),
  ];
}

function fieldLine(prefix: string, field: Field): string {
  const name = prefix + capital(field.name);
  const { offset, type } = field.slot;
  const which = type.which();
  const bytes = typeBytes.get(which);
  if (bytes !== undefined) {
    return constant(`${name}Offset`, offset * bytes);
  }
  if (which === Type.BOOL) {
    return constant(`${name}Bit`, offset);
  }
  if (pointerTypes.has(which)) {
    return constant(`${name}Pointer`, offset);
  }
  throw new TypeError(`Cannot lay out field "${name}": type ${which} is not known here`);
}

function constant(name: string, value: number): string {
  return `export const ${name} = ${value};`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
