import type { CanActivate, ExecutionContext } from '@nestjs/common';

/**
 * The guard that tells who is asking; the accounts module provides it, and exports it to all. It runs before RequestGuard.
 *
 * @throws Problem for whom the route does not allow
 */
export abstract class IdentityGuard implements CanActivate {
  abstract canActivate(context: ExecutionContext): boolean | Promise<boolean>;
}
