import type { CanActivate, ExecutionContext } from '@nestjs/common';

/**
 * The guard that authenticates and authorises; the accounts module provides it globally. It runs before RequestGuard.
 *
 * @throws Problem where the route does not allow the caller
 */
export abstract class IdentityGuard implements CanActivate {
  abstract canActivate(context: ExecutionContext): boolean | Promise<boolean>;
}
