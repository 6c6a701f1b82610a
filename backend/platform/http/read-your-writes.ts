/** Lets a read wait until the projections contain what the caller has just written. */
export abstract class ReadYourWrites {
  /** False where the tenant's projections did not reach `position` in time; holds no connection while it waits. */
  abstract wait(tenantId: string, position: number): Promise<boolean>;

  /** Whether a projection of the tenant is parked or being built: what is read may be older than the tenant's position. */
  abstract isBehind(tenantId: string): Promise<boolean>;
}
