/**
 * Which job folds a projection. A lane has the name of the checkpoint that its live projections share. `summaries`
 * follows `live`: it reads the log up to the position of `live`.
 */
export const LANES = ['live', 'summaries'] as const;
export type Lane = (typeof LANES)[number];

/** Checkpoints of single projections that are not live for a tenant: parked, or being built. */
export const IS_ASIDE = "projection not in ('live', 'summaries')";
