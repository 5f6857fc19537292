/**
 * A router for Hono that keeps the routes of each first path segment apart: `/api/…`, `/admin/…`.
 *
 * Hono's fast router knows no path that is both a name and a parameter (`/agent/register` beside `/agent/:id/health`),
 * and one such pair makes Hono take its slow router for all. Here the slow one is taken for the pair's segment alone.
 */
import type { Result, Router } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";

type Route<T> = readonly [method: string, path: string, handler: T];

export class SegmentRouter<T> implements Router<T> {
  readonly name = "SegmentRouter";
  readonly #parts = new Map<string, Router<T>>();
  /** Routes whose first segment may be anything, such as middleware; they are added to every part. */
  readonly #everywhere: Route<T>[] = [];
  /** For paths whose first segment is not in any route. */
  readonly #rest = newRouter<T>();

  add(method: string, path: string, handler: T): void {
    const segment = firstSegment(path);
    if (/[:*]/.test(segment)) {
      this.#everywhere.push([method, path, handler]);
      for (const part of [this.#rest, ...this.#parts.values()]) {
        part.add(method, path, handler);
      }
      return;
    }
    this.#part(segment).add(method, path, handler);
  }

  match(method: string, path: string): Result<T> {
    return (this.#parts.get(firstSegment(path)) ?? this.#rest).match(method, path);
  }

  #part(segment: string): Router<T> {
    const known = this.#parts.get(segment);
    if (known !== undefined) {
      return known;
    }
    const part = newRouter<T>();
    for (const route of this.#everywhere) {
      part.add(...route);
    }
    this.#parts.set(segment, part);
    return part;
  }
}

function newRouter<T>(): Router<T> {
  return new SmartRouter<T>({ routers: [new RegExpRouter(), new TrieRouter()] });
}

/** `api` of `/api/agents`; `*` of a path without a slash in front, as middleware has it. */
function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return path.slice(path.startsWith("/") ? 1 : 0, end < 0 ? path.length : end);
}
