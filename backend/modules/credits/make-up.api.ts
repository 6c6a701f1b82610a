import * as z from 'zod/mini';
import { get, put } from '../../platform/http/calls.api.js';
import { created, undoable } from '../../platform/http/common.api.js';

/** Rules for make-ups: whether a cancellation in time gives one, how long it is valid, and how many there may be. */
export const makeUpRules = z.strictObject({
  ativo: z.boolean(),
  /** Limit of make-ups a month, in percent of the credits of the student's plan. */
  teto_percent: z.int().check(z.minimum(1, 'Use de 1 a 100'), z.maximum(100, 'Use de 1 a 100')),
  /** A make-up is valid until the end of the session's month (0), or of so many months later. */
  prazo_meses: z.int().check(z.minimum(0), z.maximum(6)),
});
export type MakeUpRules = z.infer<typeof makeUpRules>;

export const makeUpChange = z.strictObject(undoable(makeUpRules.shape));
export type MakeUpChange = z.infer<typeof makeUpChange>;

/** The rules until others are saved. */
export const defaultMakeUpRules: MakeUpRules = { ativo: false, teto_percent: 25, prazo_meses: 1 };

/** The rules for make-ups. */
export const makeUpRulesApi = {
  show: get('/settings/make-up', { summary: 'Mostra como valem as reposições', answer: makeUpRules }),
  change: put('/settings/make-up', {
    summary: 'Define como valem as reposições',
    body: makeUpChange,
    answer: created,
  }),
};
