/** Statuses of every route that takes a JSON body: no JSON, too much, another type, the wrong thing (lib/http/input.ts). */
export const bodyProblems = [400, 413, 415, 422] as const;
