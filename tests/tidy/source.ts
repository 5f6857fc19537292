/**
 * One TypeScript file as the rules see it, read with TypeScript's own parser: what it imports, which files it names
 * in strings (workers, children, WebAssembly sources), which globals it uses.
 */
import ts from "typescript";

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** Erased by the compiler. */
  readonly typeOnly: boolean;
  /** `import("…")`: loaded when it is needed. */
  readonly isLazy: boolean;
  /** What is taken by name; `*` is the whole module. */
  readonly names: readonly string[];
}

interface Export {
  readonly name: string;
  readonly line: number;
}

export interface Source {
  readonly imports: readonly Import[];
  readonly exports: readonly Export[];
  /** String literals, and ends of templates (`${import.meta.dir}/name.ts`), that end like a file of code. */
  readonly namedFiles: readonly string[];
  /** Identifiers that are not property names, and `Math.random` and `Date (the clock)` where they are used. */
  readonly identifiers: readonly { readonly name: string; readonly line: number }[];
  readonly anyTypeLines: readonly number[];
  readonly suppressionLines: readonly number[];
}

const suppression = /@ts-(ignore|expect-error|nocheck)/;

/** Reads a file; never throws, as a file that does not parse fails in the compiler's own step. */
export function readSource(path: string, text: string): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const source = {
    imports: [] as Import[],
    exports: file.statements.flatMap((statement) => exportsOf(statement, file)),
    namedFiles: [] as string[],
    identifiers: [] as { name: string; line: number }[],
    anyTypeLines: [] as number[],
    suppressionLines: [] as number[],
  };
  const lineOf = (node: ts.Node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  const visit = (node: ts.Node): void => {
    const found = importOf(node, lineOf);
    if (found !== null) {
      source.imports.push(found);
    }
    if ((ts.isStringLiteralLike(node) || ts.isTemplateTail(node)) && /\.(tsx?|js)$/.test(node.text)) {
      source.namedFiles.push(node.text.replace(/^\//, ""));
    }
    if (ts.isIdentifier(node) && isFree(node)) {
      source.identifiers.push({ name: nameOf(node), line: lineOf(node) });
    }
    if (node.kind === ts.SyntaxKind.AnyKeyword) {
      source.anyTypeLines.push(lineOf(node));
    }
    if (node.getChildCount(file) === 0 && suppression.test(text.slice(node.pos, node.getStart(file)))) {
      source.suppressionLines.push(lineOf(node));
    }
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  return source;
}

/** Exports of one top-level statement of a file. */
function exportsOf(statement: ts.Statement, file: ts.SourceFile): Export[] {
  const line = file.getLineAndCharacterOfPosition(statement.getStart(file)).line + 1;
  return exportedNames(statement).map((name) => ({ name, line }));
}

function exportedNames(statement: ts.Statement): string[] {
  if (ts.isExportDeclaration(statement)) {
    const clause = statement.exportClause;
    return clause !== undefined && ts.isNamedExports(clause)
      ? clause.elements.map(({ name }) => name.text)
      : [];
  }
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  const has = (kind: ts.SyntaxKind) => modifiers.some((modifier) => modifier.kind === kind);
  if (!has(ts.SyntaxKind.ExportKeyword)) {
    return [];
  }
  if (has(ts.SyntaxKind.DefaultKeyword)) {
    return ["default"];
  }
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  }
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [name.text];
}

function boundNames(name: ts.BindingName): string[] {
  return ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}

function importOf(node: ts.Node, lineOf: (node: ts.Node) => number): Import | null {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const clause = node.importClause;
    const typeOnly = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return {
      specifier: node.moduleSpecifier.text,
      line: lineOf(node),
      typeOnly,
      isLazy: false,
      names: importedNames(clause),
    };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    const names =
      node.exportClause && ts.isNamedExports(node.exportClause)
        ? node.exportClause.elements.map((element) => (element.propertyName ?? element.name).text)
        : ["*"];
    const { text } = node.moduleSpecifier;
    return { specifier: text, line: lineOf(node), typeOnly: node.isTypeOnly, isLazy: false, names };
  }
  const [argument] = ts.isCallExpression(node) ? node.arguments : [];
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && argument) {
    const specifier = ts.isStringLiteralLike(argument) ? argument.text : argument.getText();
    return { specifier, line: lineOf(node), typeOnly: false, isLazy: true, names: ["*"] };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const { literal } = node.argument;
    const specifier = ts.isStringLiteral(literal) ? literal.text : literal.getText();
    return { specifier, line: lineOf(node), typeOnly: true, isLazy: false, names: ["*"] };
  }
  return null;
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  const bindings = clause?.namedBindings;
  const own = clause?.name === undefined ? [] : ["default"];
  if (bindings === undefined) {
    return own;
  }
  const named = ts.isNamedImports(bindings)
    ? bindings.elements.map((element) => (element.propertyName ?? element.name).text)
    : ["*"];
  return [...own, ...named];
}

/** A name that stands for itself: not `x.name`, not `{ name: … }`, not a member's or an import's name. */
function isFree(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) {
    return parent.name !== node;
  }
  if (ts.isQualifiedName(parent)) {
    return parent.right !== node;
  }
  return !(
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent)
  );
}

/** `Date.now()`, `Date()` and `new Date()` ask the clock; `new Date(ms)` and `Date.UTC(…)` do not. */
function nameOf(node: ts.Identifier): string {
  const { text, parent } = node;
  const member = ts.isPropertyAccessExpression(parent) ? parent.name.text : null;
  if (text === "Math" && member === "random") {
    return "Math.random";
  }
  const isNew = ts.isNewExpression(parent) && parent.expression === node;
  const isBare = isNew ? (parent.arguments ?? []).length === 0 : ts.isCallExpression(parent);
  return text === "Date" && (member === "now" || isBare) ? "Date (the clock)" : text;
}
