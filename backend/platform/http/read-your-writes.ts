/** Lets a read wait until the projections hold what its caller has just written. */
export abstract class ReadYourWrites {
  /** False where the tenant's projections did not reach `position` in time; holds no connection while it waits. */
  abstract wait(tenantId: string, position: number): Promise<boolean>;
}
