import { authState } from './auth.js';
import { currentPlace, type Place } from './tenant.js';

/** User and place that data on this device belongs to. */
export interface Owner extends Place {
  readonly userId: string;
}

/** The current user and place; null while nobody is signed in. */
export function owner(): Owner | null {
  const state = authState();
  const place = currentPlace();
  return state.status === 'signed-in' && place ? { userId: state.userId, ...place } : null;
}
