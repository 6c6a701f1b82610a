/**
 * The checkpoint that a tenant's live projections share. A projection that is not live, because it is parked or being built, has
 * one of its own, by its name.
 */
export const SHARED = 'shared';
