import { authState } from './auth.js';
import { currentTenant } from './tenant.js';

/** Whose something is that stays on this device: a person, in one of their tenants. */
export interface Owner {
  readonly userId: string;
  readonly tenantId: string;
}

/** Who is here now; null while nobody is signed in. */
export function owner(): Owner | null {
  const state = authState();
  const tenantId = currentTenant();
  return state.status === 'signed-in' && tenantId ? { userId: state.userId, tenantId } : null;
}
