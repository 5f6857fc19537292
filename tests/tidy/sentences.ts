/** Rules about the sentences of comments, texts and docs: plain subject, verb, object. */
import type { Problem, Tree } from "./tree.ts";

/** What users and contributors read; released versions and recorded output keep their words. */
const prose =
  /^(apps|lib|ffi|templates|tests)\/.*\.(ts|md)$|^docs\/(?!.*\bapi\/).*\.md$|^(README|ARCHITECTURE|CONTRIBUTING)\.md$/;
const recorded = /^tests\/(tidy\/|golden\/|upgrade\/releases\/)/;

/** Each with what to write in its place. */
const phrases: readonly [phrase: RegExp, advice: string][] = [
  [/^\s*(?:\/\*\*|\*) Of /, "say what it is, or what it does"],
  [/\b(?:is|are|was|were) told\b/i, "sees, gets, receives, is printed"],
  [/\b(?:that|which|it) is none\b|\bhas none such\b/i, "name the thing"],
  [
    /(?<!\bthere )\b(?:is|are) no (?!longer|more|older|newer|further|earlier|later|need|reason|way|use|such|other)/i,
    "is not a, are not",
  ],
];

export function twistedSentences(tree: Tree): Problem[] {
  return [...tree]
    .filter(([path]) => prose.test(path) && !recorded.test(path))
    .flatMap(([path, text]) =>
      text.split("\n").flatMap((line, index) =>
        phrases.flatMap(([phrase, advice]) => {
          const found = phrase.exec(line);
          return found === null ? [] : [`${path}:${index + 1}: "${found[0].trim()}"; write: ${advice}`];
        }),
      ),
    );
}
