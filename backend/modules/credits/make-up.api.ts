import * as z from 'zod/mini';

/** Whether a session that is cancelled in time makes one of the student's credits a make-up, until when, and how often. */
export const makeUpRules = z.strictObject({
  ativo: z.boolean(),
  /** How many of a month's sessions become make-ups at most: percent of the credits of the student's plan. */
  teto_percent: z.int().check(z.minimum(1, 'Use de 1 a 100'), z.maximum(100, 'Use de 1 a 100')),
  /** A make-up counts until the end of the session's month (0), or of that many months later. */
  prazo_meses: z.int().check(z.minimum(0), z.maximum(6)),
});
export type MakeUpRules = z.infer<typeof makeUpRules>;

/** While nothing was saved. */
export const defaultMakeUpRules: MakeUpRules = { ativo: false, teto_percent: 25, prazo_meses: 1 };
