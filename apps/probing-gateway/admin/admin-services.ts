/** What the admin API works with. */
import type { Services } from "../services.ts";

export type AdminServices = Pick<Services, "adminKey" | "database" | "agents" | "safety" | "metrics">;
