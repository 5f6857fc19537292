/** Statuses of routes that take a JSON body: not JSON, too large, another type, or invalid. */
export const bodyProblems = [400, 413, 415, 422] as const;
