/** Statuses of routes that take a JSON body: no JSON, too much of it, another type, the wrong thing. */
export const bodyProblems = [400, 413, 415, 422] as const;
