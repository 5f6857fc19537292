/** All vectors made by hand. */
import { answerVectors } from "./answer-vectors.ts";
import { dnsVectors } from "./dns-vectors.ts";
import { quoteVectors } from "./quote-vectors.ts";
import { refusedVectors } from "./refused-vectors.ts";
import type { Vector } from "./vector.ts";

export const vectors: readonly Vector[] = [
  ...[...answerVectors, ...quoteVectors],
  ...[...refusedVectors, ...dnsVectors],
];
