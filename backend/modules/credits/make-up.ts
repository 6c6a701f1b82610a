import { TZDate } from '@date-fns/tz';
import { addMonths, format, lastDayOfMonth } from 'date-fns';
import { type Aggregate, changedFields, refuseChanged } from '../../platform/event-store/aggregate.js';
import {
  type CreditEvent,
  type CreditState,
  endOfDay,
  entry,
  type EntryOrigin,
  usableLots,
} from './credit-account.js';
import { defaultMakeUpRules, type MakeUpChange, type MakeUpRules } from './make-up.api.js';

/** Contains all rules, not only the changed ones. */
export interface MakeUpRulesSet {
  type: 'MakeUpRulesSet';
  data: MakeUpRules;
}

/** A tenant's rules for make-ups; the stream's id is the tenant's. */
export const makeUpRulesOf: Aggregate<MakeUpRules, MakeUpRulesSet> = {
  name: 'make-up-rules',
  initialState: defaultMakeUpRules,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'MakeUpRulesSet':
        return data;
    }
  },
  events: { MakeUpRulesSet: { schemaVersion: 1 } },
};

export function decideSetRules(state: MakeUpRules, { se_ainda, ...wanted }: MakeUpChange): MakeUpRulesSet[] {
  refuseChanged('As configurações', state, se_ainda);
  const isSame = Object.keys(changedFields(state, wanted)).length === 0;
  return isSame ? [] : [{ type: 'MakeUpRulesSet', data: wanted }];
}

/** The data on which a make-up is decided. */
export interface MakeUpTerms {
  rules: MakeUpRules;
  /** Credits of the student's plan; 0 without one. */
  creditos_do_plano: number;
  timezone: string;
}

/** The most make-ups in a month, rounded down, but at least one for a plan that gives credits. */
export const mostMakeUps = ({ rules, creditos_do_plano }: MakeUpTerms): number =>
  creditos_do_plano > 0 ? Math.max(1, Math.floor((creditos_do_plano * rules.teto_percent) / 100)) : 0;

interface CancelledSession {
  session_id: string;
  inicio: string;
}

export interface MakeUp {
  /** The lot whose credit becomes the make-up: the one from which the session would have used a credit. */
  origem: string;
  /** The first day of the session's month. */
  mes: string;
  expira_em: string;
  expires_at: string;
}

/**
 * The make-up for a session that its student cancels in time: a credit that would expire before the make-up's deadline.
 * `'limit'`: the month's limit is reached; null: no such credit.
 */
export function makeUpFor(
  state: CreditState,
  { session_id, inicio }: CancelledSession,
  terms: MakeUpTerms,
  now: Date,
): MakeUp | 'limit' | null {
  const { rules, timezone } = terms;
  if (!rules.ativo) return null;
  const made = state.lots.flatMap(({ reposicao }) => (reposicao ? [reposicao] : []));
  if (made.some((one) => one.session_id === session_id)) return null;
  const month = new TZDate(new Date(inicio), timezone);
  const expira_em = format(lastDayOfMonth(addMonths(month, rules.prazo_meses)), 'yyyy-MM-dd');
  const expires_at = endOfDay(expira_em, timezone);
  const then = new Date(Math.max(now.getTime(), Date.parse(inicio)));
  const lot = usableLots(state, then).find(({ reposicao }) => !reposicao);
  if (!lot?.expires_at || Date.parse(lot.expires_at) >= Date.parse(expires_at)) return null;
  const mes = format(month, 'yyyy-MM-01');
  if (made.filter((one) => one.mes === mes).length >= mostMakeUps(terms)) return 'limit';
  return { origem: lot.lot_id, mes, expira_em, expires_at };
}

/**
 * Of accounts in their order of use, the one from which the session would have used a credit; none where one of them has its make-up
 * already.
 */
export function accountInTurn<Account extends { credits: CreditState }>(
  accounts: readonly Account[],
  { session_id, inicio }: CancelledSession,
  now: Date,
): Account | undefined {
  const isMade = ({ credits }: Account) =>
    credits.lots.some(({ reposicao }) => reposicao?.session_id === session_id);
  if (accounts.some(isMade)) return undefined;
  const then = new Date(Math.max(now.getTime(), Date.parse(inicio)));
  return accounts.find(({ credits }) => usableLots(credits, then).some(({ reposicao }) => !reposicao));
}

export function decideMakeUp(
  state: CreditState,
  origin: EntryOrigin,
  session: CancelledSession,
  terms: MakeUpTerms,
): CreditEvent[] {
  const made = makeUpFor(state, session, terms, origin.now);
  if (made === null || made === 'limit') return [];
  const { session_id } = session;
  const { timezone } = terms;
  const data = { ...entry(origin), lot_id: origin.entry_id, session_id, timezone, ...made };
  return [{ type: 'MakeUpGranted', data }];
}

/** Takes back the make-up of a session that is scheduled again, unless it was used or the lot of its credit has expired since. */
export function decideTakeMakeUpBack(
  { lots }: CreditState,
  origin: EntryOrigin,
  session_id: string,
): CreditEvent[] {
  const made = lots.find(({ reposicao }) => reposicao?.session_id === session_id);
  const from = lots.find(({ lot_id }) => lot_id === made?.reposicao?.origem);
  if (!made?.remaining || !from?.expires_at || Date.parse(from.expires_at) <= origin.now.getTime()) return [];
  const data = { ...entry(origin), lot_id: made.lot_id, origem: from.lot_id, session_id };
  return [{ type: 'MakeUpTakenBack', data }];
}
