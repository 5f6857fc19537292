/** What a stand-in may ask of the scene that it is part of. */
import type { ComposeService } from "./compose-file.ts";

export interface StandInScene {
  /** In the scene's folder. */
  path(...parts: string[]): string;
  /** The folder of a named volume, owned by `USER:GROUP` where it is made by this. */
  volume(name: string, owner: string): string;
  service(name: string): ComposeService;
  namespaceOf(name: string): string;
  /** Resolves when the other service is healthy. */
  up(name: string): Promise<unknown>;
  /** For services that start from now on. */
  giveSecret(name: string, text: string): void;
  /** Ends with the scene. */
  use(part: AsyncDisposable): void;
}
