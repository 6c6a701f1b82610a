import { authState } from './auth.js';
import { currentTenant } from './tenant.js';

/** User and tenant that data on this device belongs to. */
export interface Owner {
  readonly userId: string;
  readonly tenantId: string;
}

/** The current user and tenant; null while nobody is signed in. */
export function owner(): Owner | null {
  const state = authState();
  const tenantId = currentTenant();
  return state.status === 'signed-in' && tenantId ? { userId: state.userId, tenantId } : null;
}
