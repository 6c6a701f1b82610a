/**
 * Which job folds a projection. Its name is that of the checkpoint which the lane's live projections share. `summaries`
 * follows: it takes what is live.
 */
export const LANES = ['live', 'summaries'] as const;
export type Lane = (typeof LANES)[number];

/** Checkpoints of single projections, which are not live for a tenant: parked, or being built. */
export const IS_ASIDE = "projection not in ('live', 'summaries')";
