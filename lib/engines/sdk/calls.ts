/** The types of a call: what each route of the gateway takes and gives, out of its OpenAPI document (openapi.ts). */
import type { paths } from "./openapi.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** The paths that answer this method. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [Key in M]: object } ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends keyof paths> = paths[P] extends { [Key in M]: infer Found }
  ? Found
  : never;

/** The JSON of the answer. */
export type Answer<M extends Method, P extends keyof paths> = JsonOf<
  Operation<M, P> extends { responses: infer Responses }
    ? Responses[keyof Responses & (200 | 201 | 202)]
    : never
>;

/** What a call takes, as far as the route takes any of it. */
export type CallOrder<M extends Method, P extends keyof paths> = PathPart<Operation<M, P>> &
  QueryPart<Operation<M, P>> &
  BodyPart<Operation<M, P>> & { readonly signal?: AbortSignal };

type PathPart<O> = O extends { parameters: { path: infer Names } } ? { readonly path: Names } : object;

/** A query is text on the wire: numbers and booleans become it. */
type QueryPart<O> = O extends { parameters: { query?: infer Names } }
  ? { readonly query?: { readonly [Name in keyof Names]?: Names[Name] | number | boolean | undefined } }
  : object;

type BodyPart<O> = O extends { requestBody: { content: infer Content } }
  ? { readonly body: JsonOf<{ content: Content }> }
  : object;

type JsonOf<Response> = Response extends { content: { "application/json": infer Body } } ? Body : never;
