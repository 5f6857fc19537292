/** The methods that a path answers: Hono looks up routes by method first, so each is tried. */
import type { Env, Hono } from "hono";

const asked = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Empty when nothing answers at that path. Middleware (`use`, method ALL) is not an answer. */
export function allowedMethods<E extends Env>(app: Hono<E>): (path: string) => string[] {
  return (path) => {
    const found = asked.filter((method) => {
      const [handlers] = app.router.match(method, path);
      return handlers.some(([[, route]]) => route.method === method);
    });
    const all = found.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    return all.length === 0 ? [] : [...all, "OPTIONS"];
  };
}
