import type { Lane } from '../projections/lanes.js';

/** Lets a read wait until the projections contain what the caller has just written. */
export abstract class ReadYourWrites {
  /** False where the tenant's projections of the lane did not reach `position` in time; holds no connection while it waits. */
  abstract wait(tenantId: string, position: number, lane?: Lane): Promise<boolean>;

  /** Names of the projections that are parked or being built for some tenant. */
  abstract projectionsBehind(): Promise<readonly string[]>;

  /** Read tables that may be behind the tenant's position: their projection is parked, or still being built. */
  abstract tablesBehind(tenantId: string): Promise<readonly string[]>;
}
