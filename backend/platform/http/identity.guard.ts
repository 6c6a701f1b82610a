import type { CanActivate, ExecutionContext } from '@nestjs/common';

/**
 * Guard that authenticates and authorises callers; the accounts module provides it globally. It runs before
 * RequestGuard.
 *
 * @throws Problem if the route does not allow the caller
 */
export abstract class IdentityGuard implements CanActivate {
  abstract canActivate(context: ExecutionContext): boolean | Promise<boolean>;
}
