import { TZDate } from '@date-fns/tz';
import { addDays, format, subDays } from 'date-fns';
import { type KnownSession, session } from '../../backend/modules/sessions/session.js';
import { charge, type KnownCharge } from '../../backend/modules/charges/charge.js';
import { monthlyPlan } from '../../backend/modules/charges/monthly-plan.js';
import { creditAccount } from '../../backend/modules/credits/credit-account.js';
import { creditSharing } from '../../backend/modules/credits/credit-sharing.js';
import { studentPause } from '../../backend/modules/away/student-pause.js';
import {
  EXPIRY_NOTICE_DAYS,
  FADING_FROM,
  LOW_BALANCE,
  MISSED_AFTER_DAYS,
  PRESENCE_DAYS,
} from '../../backend/modules/students/students.api.js';
import { allocate } from '../../backend/modules/finance/allocation.js';
import { monthsOf } from '../../backend/modules/advisor/period.js';
import type { AllocationKind } from '../../backend/modules/finance/finance.api.js';
import type { TransactionEvent } from '../../backend/modules/finance/transaction.js';
import { plan } from '../../backend/modules/plans/plan.js';
import { periodOf } from '../../backend/modules/plans/plans.api.js';
import { dayOfMonth } from '../../backend/platform/local-time.js';
import { financialSettings } from '../../backend/modules/settings/financial-settings.js';
import type { Aggregate, DomainEvent } from '../../backend/platform/event-store/aggregate.js';
import type { TestDatabase } from '../support/database.js';

type Entry = Exclude<TransactionEvent, { type: 'TransactionReassigned' }>;

interface Stored {
  stream_id: string;
  type: string;
  data: Record<string, unknown>;
  recorded_at: Date;
}

interface Person {
  id: string;
  status: string;
  plano_id: string | null;
  since: Date;
}

/** All data that answers are about, computed from one tenant's log alone, without read tables and queries. */
export async function recount(database: TestDatabase, tenantId: string, now: Date) {
  const events = await database.query<Stored>(
    'select stream_id, type, data, recorded_at from events where tenant_id = $1 order by position',
    [tenantId],
  );
  const folded = <State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
  ): Map<string, State> => {
    const states = new Map<string, State>();
    for (const { stream_id, type, data } of events) {
      if (!stream_id.startsWith(`${aggregate.name}:`)) continue;
      const id = stream_id.slice(aggregate.name.length + 1);
      const event = { type, data } as unknown as Event;
      states.set(id, aggregate.evolve(states.get(id) ?? aggregate.initialState, event));
    }
    return states;
  };

  const zoned = (at: Date | string) => new TZDate(new Date(at), 'America/Sao_Paulo');
  const dayOf = (at: Date | string) => format(zoned(at), 'yyyy-MM-dd');
  const today = dayOf(now);
  const plans = folded(plan);
  const monthly = folded(monthlyPlan);
  const settings = [...folded(financialSettings).values()][0]!;
  const charges = [...folded(charge).values()].filter((each): each is KnownCharge => each !== undefined);
  const sessions = [...folded(session).values()].filter(
    (each): each is KnownSession => each !== undefined && !each.deleted,
  );
  const accounts = folded(creditAccount);
  const entries = events.filter(({ type }) =>
    /^Transaction(Recorded|Reversed)$/.test(type),
  ) as unknown as Entry[];
  const people = peopleOf(events);
  const active = people.filter(({ status }) => status === 'active');

  const left = (each: KnownCharge) =>
    each.cancelada ? 0 : each.valor - each.pagamentos.reduce((sum, { valor }) => sum + valor, 0);
  const planOf = (id: string | null) => {
    const known = id === null ? undefined : plans.get(id);
    return known?.status === 'existing' ? known : undefined;
  };
  const due = (mes: string) => charges.filter((each) => !each.cancelada && each.vencimento.startsWith(mes));

  const monthsIn = (id: string) => periodOf(planOf(id)?.tipo ?? 'pacote')?.meses ?? 1;

  /** The amount that is still to be billed to a student in a month. */
  const toBill = ({ id }: Person, mes: string): number => {
    const agreed = monthly.get(id);
    const first = `${mes}-01`;
    const isDue =
      agreed?.ativo &&
      agreed.primeiro_mes <= first &&
      (agreed.ate === null || agreed.ate >= first) &&
      monthsOf({ de: agreed.primeiro_mes.slice(0, 7), ate: mes }).length % monthsIn(agreed.plano_id) ===
        1 % monthsIn(agreed.plano_id);
    return isDue ? agreed.valor : 0;
  };

  const total = (of: readonly Entry[], amount: (data: Entry['data']) => number) =>
    of.reduce(
      (sum, { type, data }) => sum + (type === 'TransactionRecorded' ? amount(data) : -amount(data)),
      0,
    );

  const month = (mes: string) => {
    const own = entries.filter(({ data }) => data.data.startsWith(mes));
    const income = own.filter(({ data }) => data.tipo === 'receita');
    const recebido = total(income, ({ valor }) => valor);
    const despesas = total(
      own.filter(({ data }) => data.tipo === 'despesa'),
      ({ valor }) => valor,
    );
    const receitas = total(income, () => 1);
    const part = (kind: AllocationKind) =>
      total(income, ({ alocacoes }) => alocacoes.find(({ tipo }) => tipo === kind)!.valor);
    const charged = due(mes).reduce((sum, { valor }) => sum + valor, 0);
    const billed = mes < today.slice(0, 7) ? 0 : active.reduce((sum, each) => sum + toBill(each, mes), 0);
    const { imposto, reserva, operacional, retirada } = settings;
    const shares = { imposto, reserva, operacional, retirada };
    return {
      recebido,
      despesas,
      receitas,
      lucro: recebido - despesas,
      previsto: charged + billed,
      partes: {
        imposto: part('imposto'),
        reserva: part('reserva'),
        operacional: part('operacional'),
        retirada: part('retirada'),
      },
      guardar: allocate(recebido, shares).find(({ tipo }) => tipo === 'reserva')!.valor,
      ticket: Math.round(recebido / receitas),
    };
  };

  /** What came in and went out on some days, and what was or is due on them. */
  const days = (de: string, ate: string) => {
    const isIn = (day: string) => de <= day && day <= ate;
    const own = entries.filter(({ data }) => isIn(data.data));
    const of = (tipo: string) =>
      total(
        own.filter(({ data }) => data.tipo === tipo),
        ({ valor }) => valor,
      );
    const due = charges.filter((each) => !each.cancelada && isIn(each.vencimento));
    const billed = active.map((each) => {
      const agreed = monthly.get(each.id);
      const day = agreed?.vence_dia ?? 1;
      return monthsOf({ de: de.slice(0, 7), ate: ate.slice(0, 7) })
        .filter((mes) => mes >= today.slice(0, 7) && isIn(dayOfMonth(`${mes}-01`, day)))
        .reduce((sum, mes) => sum + toBill(each, mes), 0);
    });
    const [recebido, despesas] = [of('receita'), of('despesa')];
    return {
      recebido,
      despesas,
      lucro: recebido - despesas,
      previsto: [...due.map(({ valor }) => valor), ...billed].reduce((sum, valor) => sum + valor, 0),
    };
  };

  /** The payer of a receita: its own student, or that of the charge that it pays. */
  const payerOf = new Map(
    charges.flatMap(({ student_id, pagamentos }) =>
      pagamentos.map(({ transaction_id }) => [transaction_id, student_id] as const),
    ),
  );
  const paidBy = (id: string, mes: string) =>
    total(
      entries.filter(
        ({ data }) =>
          data.tipo === 'receita' &&
          data.data.startsWith(mes) &&
          (data.student_id ?? payerOf.get(data.transaction_id)) === id,
      ),
      ({ valor }) => valor,
    );

  const spentOn = (categoria: string, mes: string) =>
    total(
      entries.filter(
        ({ data }) => data.tipo === 'despesa' && data.categoria === categoria && data.data.startsWith(mes),
      ),
      ({ valor }) => valor,
    );

  const byMethod = (tipo: 'receita' | 'despesa', metodo: string, mes: string) =>
    total(
      entries.filter(
        ({ data }) => data.tipo === tipo && data.metodo_pagamento === metodo && data.data.startsWith(mes),
      ),
      ({ valor }) => valor,
    );

  const open = (id?: string) =>
    charges
      .filter((each) => left(each) > 0 && (id === undefined || each.student_id === id))
      .toSorted((a, b) => a.vencimento.localeCompare(b.vencimento));
  const owed = (of: readonly KnownCharge[]) => of.reduce((sum, each) => sum + left(each), 0);
  const late = (of: readonly KnownCharge[]) => of.filter(({ vencimento }) => vencimento < today);

  const lotsOf = (id: string) =>
    (accounts.get(id)?.lots ?? []).filter(
      ({ remaining, expires_at }) => remaining > 0 && (expires_at === null || new Date(expires_at) > now),
    );
  const sum = (lots: ReturnType<typeof lotsOf>) => lots.reduce((all, { remaining }) => all + remaining, 0);
  const credits = (id: string) => sum(lotsOf(id));
  const sharings = folded(creditSharing);
  /** With those of whose credits the student uses. */
  const usable = (id: string) => credits(id) + credits(sharings.get(id)?.dono_id ?? '');
  const soon = addDays(now, EXPIRY_NOTICE_DAYS);
  const expiring = (id: string) =>
    lotsOf(id).filter(({ expires_at }) => expires_at !== null && new Date(expires_at) <= soon);
  const low = active.filter(({ id, plano_id }) => {
    const known = planOf(plano_id);
    const renews = known && known.creditos > 0 && !sharings.get(id)?.dono_id;
    return (renews && credits(id) <= LOW_BALANCE) || expiring(id).length > 0;
  });

  const pauses = folded(studentPause);
  const since = subDays(now, MISSED_AFTER_DAYS);
  const fading = active.filter(({ id, since: begun }) => {
    const own = sessions.filter(({ student_id }) => student_id === id);
    const done = (from: number, to: number) =>
      own.filter(
        ({ status, inicio }) =>
          status === 'feita' && new Date(inicio) >= subDays(now, from) && new Date(inicio) < subDays(now, to),
      ).length;
    if ((pauses.get(id)?.ate ?? '') >= dayOf(subDays(now, PRESENCE_DAYS))) return false;
    const isNew = begun >= since && done(2 * PRESENCE_DAYS, MISSED_AFTER_DAYS) === 0;
    const isGone =
      done(MISSED_AFTER_DAYS, 0) === 0 &&
      !own.some(({ status, fim }) => status === 'agendada' && new Date(fim) >= now);
    const [last, before] = [done(PRESENCE_DAYS, 0), done(2 * PRESENCE_DAYS, PRESENCE_DAYS)];
    return !isNew && (isGone || (before >= FADING_FROM && last * 2 <= before));
  });

  /** Day of the last session that was done. */
  const lastDone = (id: string) =>
    sessions
      .filter(({ student_id, status }) => student_id === id && status === 'feita')
      .map(({ fim }) => dayOf(fim))
      .toSorted()
      .at(-1);

  /** The hours that begin on these days: a shared hour counts once, and is scheduled while one of its sessions is. */
  const hours = (de: string, ate: string) => {
    const byHour = new Map<string, KnownSession[]>();
    for (const each of sessions.filter(({ inicio }) => dayOf(inicio) >= de && dayOf(inicio) <= ate)) {
      const key = `${each.inicio} ${each.grupo_id ?? each.session_id}`;
      byHour.set(key, [...(byHour.get(key) ?? []), each]);
    }
    return [...byHour.values()].map((all) => ({
      dia: dayOf(all[0]!.inicio),
      status: (['agendada', 'feita', 'cancelada'] as const).find((status) =>
        all.some((each) => each.status === status),
      )!,
    }));
  };

  return {
    today,
    people,
    active,
    month,
    days,
    paidBy,
    spentOn,
    byMethod,
    open,
    owed,
    late,
    credits,
    usable,
    expiring,
    low,
    fading,
    lastDone,
    hours,
    meta: settings.meta_mensal || 1_000_000,
    share: settings.reserva,
  };
}

export type Recount = Awaited<ReturnType<typeof recount>>;

/** The log encrypts texts about people, but not their ids, nor whether they are active. */
function peopleOf(events: readonly Stored[]): Person[] {
  const people = new Map<string, Person>();
  const statuses: Record<string, string> = {
    StudentArchived: 'archived',
    StudentRemoved: 'removed',
    StudentRestored: 'active',
    StudentMerged: 'removed',
  };
  for (const { type, data, recorded_at } of events) {
    const id = data.student_id as string;
    const known = people.get(id);
    if (type === 'StudentRegistered') {
      const plano_id = (data.plano_id ?? null) as string | null;
      people.set(id, { id, status: 'active', plano_id, since: recorded_at });
    } else if (known && /^Student(Updated|Archived|Removed|Restored|Merged)$/.test(type)) {
      known.status = statuses[type] ?? known.status;
      if (data.plano_id !== undefined) known.plano_id = data.plano_id as string | null;
    }
  }
  return [...people.values()];
}
