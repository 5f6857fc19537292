/** API responses as a service holds them before they become JSON, with times as Dates. */
import type * as v from "valibot";

export type StoredAnswer<Schema extends v.GenericSchema> = Stored<v.InferOutput<Schema>>;

type Stored<Value> = Value extends readonly (infer Item)[]
  ? readonly Stored<Item>[]
  : Value extends object
    ? {
        readonly [Name in keyof Value]: Name extends TimeName ? StoredTime<Value[Name]> : Stored<Value[Name]>;
      }
    : Value;

type StoredTime<Value> = Value extends string ? Date : Value;

type TimeName =
  | `${string}_at`
  | `${string}_time`
  | "at"
  | "last_seen"
  | "last_check"
  | "last_updated"
  | "not_after";
