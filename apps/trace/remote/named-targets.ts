/** Targets for agents: names are resolved here, routes are each agent's own. */
import { ClientError } from "../../client/failure.ts";
import type { Options } from "../options.ts";
import { type NamedTarget, nameTarget, TargetError } from "../target.ts";

/** Throws ClientError. */
export async function namedTargets(options: Options): Promise<NamedTarget[]> {
  try {
    return await Promise.all(options.targets.map((name) => nameTarget(name, options)));
  } catch (error) {
    throw error instanceof TargetError ? new ClientError(error.message) : error;
  }
}
