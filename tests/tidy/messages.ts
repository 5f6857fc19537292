/**
 * Every message that a person may meet, to be read as they would: `bun tests/tidy/messages.ts [KIND…]` prints one a
 * line, with its place and kind (`kinds` below). What is known only at run time is `{its expression}`; texts that are
 * chosen between are divided by ` | `.
 */
import { join } from "node:path";
import ts from "typescript";
import { readTree } from "./tree.ts";

interface Message {
  readonly line: number;
  readonly kind: string;
  readonly text: string;
}

/** What makes a message, and which argument it is; null = the member `message` of the first. */
const kinds: Readonly<Record<string, number | null>> = {
  problem: 2,
  Problem: null,
  Failure: 2,
  CommandError: 1,
  wrongUsage: 0,
  cannot: 0,
  GatewayError: 0,
  clientSide: 1,
  complain: 1,
  note: 0,
  unfit: 0,
  warn: 0,
  error: 0,
  Error: 0,
};

/** Other things have methods of these names, too: what has no word of its own is none. */
const common: readonly string[] = ["note", "warn", "error"];
const noWord = /^\{[^}]*\}$/;

/** A name may stand for a text that is made of names. */
const namesInNamesMax = 3;

export function messagesIn(path: string, text: string): Message[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const found: Message[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const kind = nameOf(node.expression);
      const given = kind === null ? undefined : givenText(node, kind);
      if (kind !== null && given !== undefined) {
        const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        const said = textOf(given, namesInNamesMax);
        found.push(...(common.includes(kind) && noWord.test(said) ? [] : [{ line, kind, text: said }]));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function nameOf(called: ts.Expression): string | null {
  const name = ts.isPropertyAccessExpression(called) ? called.name : called;
  return ts.isIdentifier(name) && Object.hasOwn(kinds, name.text) ? name.text : null;
}

function givenText(
  { arguments: given = ts.factory.createNodeArray() }: ts.CallExpression | ts.NewExpression,
  kind: string,
): ts.Node | undefined {
  const place = kinds[kind] ?? null;
  if (place !== null) {
    return given[place];
  }
  const [body] = given;
  const members = body !== undefined && ts.isObjectLiteralExpression(body) ? body.properties : [];
  const member = members.find((one) => one.name?.getText() === "message");
  return member !== undefined && ts.isPropertyAssignment(member) ? member.initializer : member?.name;
}

function textOf(node: ts.Node, namesLeft: number): string {
  const inner = (one: ts.Node) => textOf(one, namesLeft);
  if (ts.isStringLiteralLike(node)) {
    return node.text.replaceAll("\n", "\\n");
  }
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map(({ expression, literal }) => inner(expression) + literal.text);
    return (node.head.text + spans.join("")).replaceAll("\n", "\\n");
  }
  if (ts.isConditionalExpression(node)) {
    return `(${inner(node.whenTrue)} | ${inner(node.whenFalse)})`;
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return inner(node.left) + inner(node.right);
  }
  if (ts.isParenthesizedExpression(node)) {
    return inner(node.expression);
  }
  const value = ts.isIdentifier(node) && namesLeft > 0 ? constantOf(node) : undefined;
  return value === undefined ? `{${node.getText().replaceAll(/\s+/g, " ")}}` : textOf(value, namesLeft - 1);
}

/** What a constant of that name is given, of the nearest block around it. */
function constantOf(name: ts.Identifier): ts.Expression | undefined {
  for (let around: ts.Node = name.parent; around !== undefined; around = around.parent) {
    const declared = statementsOf(around)
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .find((one) => one.name.getText() === name.text);
    if (declared !== undefined) {
      return declared.initializer;
    }
  }
  return undefined;
}

function statementsOf(block: ts.Node): readonly ts.Statement[] {
  return ts.isBlock(block) || ts.isSourceFile(block) ? block.statements : [];
}

if (import.meta.main) {
  const wanted = process.argv.slice(2);
  for (const [path, text] of readTree(join(import.meta.dirname, "../.."))) {
    if (/^(apps|lib|ffi)\/(?!.*\.test\.).*\.tsx?$/.test(path)) {
      for (const { line, kind, text: said } of messagesIn(path, text)) {
        if (wanted.length === 0 || wanted.includes(kind)) {
          process.stdout.write(`${path}:${line} ${kind}: ${said}\n`);
        }
      }
    }
  }
}
