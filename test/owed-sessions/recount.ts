import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns';
import { charge, type KnownCharge } from '../../backend/modules/charges/charge.js';
import type { CreditEvent } from '../../backend/modules/credits/credit-account.js';
import { session } from '../../backend/modules/sessions/session.js';
import type { Aggregate, DomainEvent } from '../../backend/platform/event-store/aggregate.js';
import { testDatabase } from '../support/database.js';

interface Stored {
  stream_id: string;
  position: number;
  type: string;
  data: Record<string, unknown>;
}

/** One credit, from its purchase to what became of it. */
interface Credit {
  purchase: string;
  lot: string;
  /** Where it was used: the session, or the day and place in the log of a use by hand. */
  used?: { session: string | null; at: string; position: number };
  removed?: { at: string; position: number };
  valor: number;
}

interface Lot {
  student: string;
  expires: string | null;
  position: number;
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** What is owed and earned, counted credit by credit and cent by cent from one tenant's log. */
export async function recountOwed(tenantId: string, now: Date, months: readonly string[]) {
  const database = await testDatabase();
  const events = await database.query<Stored>(
    'select stream_id, position::int as position, type, data from events where tenant_id = $1 order by position',
    [tenantId],
  );
  const folded = <State, Event extends DomainEvent>(aggregate: Aggregate<State, Event>) => {
    const states = new Map<string, State>();
    for (const { stream_id, type, data } of events) {
      const [name, id] = stream_id.split(':') as [string, string];
      if (name !== aggregate.name) continue;
      const event = { type, data } as unknown as Event;
      states.set(id, aggregate.evolve(states.get(id) ?? aggregate.initialState, event));
    }
    return states;
  };
  const dayOf = (at: string) => format(new TZDate(new Date(at), 'America/Sao_Paulo'), 'yyyy-MM-dd');
  const starts = new Map(
    [...folded(session)].flatMap(([id, each]) => (each === undefined ? [] : [[id, each.inicio] as const])),
  );
  const charges = [...folded(charge).values()].filter((each): each is KnownCharge => each !== undefined);

  const credits: Credit[] = [];
  const lots = new Map<string, Lot>();
  const lotDay = new Map<string, string | null>();
  for (const { position, ...stored } of events) {
    const { type, data } = stored as unknown as CreditEvent;
    const make = (lot: string, count: number, expires: string | null, day: string | null) => {
      lots.set(lot, { student: (data as { student_id: string }).student_id, expires, position });
      lotDay.set(lot, day);
      for (let n = 0; n < count; n += 1) credits.push({ purchase: lot, lot, valor: 0 });
    };
    const free = (lot: string, count = 1) =>
      credits.filter((each) => each.lot === lot && !each.used && !each.removed).slice(0, count);
    switch (type) {
      case 'CreditsGranted':
      case 'CreditsOpened':
        make(data.lot_id, data.quantidade, data.expires_at, data.expira_em);
        break;
      case 'CreditsAdjusted':
        for (const { lot_id, quantidade } of data.lotes) {
          if (quantidade > 0) make(lot_id, quantidade, null, null);
          else for (const each of free(lot_id, -quantidade)) each.removed = { at: data.at, position };
        }
        break;
      case 'CreditConsumed':
        free(data.lot_id)[0]!.used = { session: data.session_id, at: data.at, position };
        break;
      case 'CreditReturned':
        delete credits.find((each) => each.lot === data.lot_id && each.used?.session === data.session_id)!
          .used;
        break;
      case 'MakeUpGranted':
        make(data.lot_id, 0, data.expires_at, data.expira_em);
        free(data.origem)[0]!.lot = data.lot_id;
        break;
      case 'MakeUpTakenBack':
        free(data.lot_id)[0]!.lot = data.origem;
        break;
      case 'CreditsReceived':
        for (const { lot_id, origem, quantidade, expires_at, expira_em } of data.lotes) {
          if (data.desfaz === null) make(lot_id, 0, expires_at, expira_em);
          else {
            lots.get(lot_id)!.expires = expires_at;
            lotDay.set(lot_id, expira_em);
          }
          for (const each of free(origem, quantidade)) each.lot = lot_id;
        }
        break;
      case 'CreditsExtended':
        for (const { lot_id, expires_at, expira_em } of data.lotes) {
          lots.get(lot_id)!.expires = expires_at;
          lotDay.set(lot_id, expira_em);
        }
        break;
      case 'CreditsTakenOver':
        for (const lot of data.todos) lots.get(lot)!.student = data.student_id;
        break;
      case 'GrantWaived':
      case 'CreditsSent':
      case 'CreditsHandedOver':
        break;
    }
  }

  const isExpired = ({ lot }: Credit) => {
    const { expires } = lots.get(lot)!;
    return expires !== null && new Date(expires) <= now;
  };
  const turn = (each: Credit) => (each.used ? 0 : each.removed ? 3 : isExpired(each) ? 2 : 1);
  const place = (each: Credit) => (each.used ?? each.removed ?? lots.get(each.lot)!).position;
  const paid = ({ pagamentos }: KnownCharge) => pagamentos.reduce((sum, { valor }) => sum + valor, 0);

  /** Money for which there are credits. */
  let shared = 0;
  for (const [purchase] of lots) {
    const own = charges.filter(
      (each) => !each.cancelada && (each.lot_id ?? each.grant_id) === purchase && paid(each) > 0,
    );
    const cents = own.reduce((sum, each) => sum + paid(each), 0);
    const inIt = credits
      .filter((each) => each.purchase === purchase)
      .toSorted((a, b) => turn(a) - turn(b) || place(a) - place(b) || byText(a.lot, b.lot));
    const bought = Math.max(0, ...own.map((each) => (each.lot_id === null ? inIt.length : each.creditos)));
    const priced = inIt.slice(0, bought);
    if (priced.length > 0) shared += cents;
    // Cent by cent to one after the other, so that the first ones have one more.
    for (const [n, each] of priced.entries())
      each.valor = Math.floor(cents / bought) + (n < cents % bought ? 1 : 0);
  }

  const entries = charges.filter(
    (each) =>
      !each.cancelada &&
      each.creditos > 0 &&
      each.lot_id === null &&
      each.grant_id === null &&
      paid(each) > 0,
  );
  const sum = (of: readonly Credit[]) => ({
    sessoes: of.filter(({ valor }) => valor > 0).length,
    valor: of.reduce((all, { valor }) => all + valor, 0),
  });
  const owed = new Map<
    string,
    { sessoes: number; valor: number; lotes: { id: string; sessoes: number; valor: number }[] }
  >();
  const owe = (student: string, lot: { id: string; sessoes: number; valor: number }) => {
    const known = owed.get(student) ?? { sessoes: 0, valor: 0, lotes: [] };
    owed.set(student, {
      sessoes: known.sessoes + lot.sessoes,
      valor: known.valor + lot.valor,
      lotes: [...known.lotes, lot],
    });
  };
  const toGive = credits.filter((each) => turn(each) === 1);
  for (const [id, { student }] of lots) {
    const own = toGive.filter(({ lot }) => lot === id);
    const valor = own.reduce((sum, each) => sum + each.valor, 0);
    if (valor > 0) owe(student, { id, sessoes: sum(own).sessoes, valor });
  }
  for (const each of entries) owe(each.student_id, { id: each.charge_id, sessoes: 0, valor: paid(each) });

  const dayUsed = ({ used }: Credit) => dayOf(starts.get(used!.session ?? '') ?? used!.at);
  const dayKept = (each: Credit) => (each.removed ? dayOf(each.removed.at) : lotDay.get(each.lot)!);
  const inMonth = (mes: string) => ({
    dadas: sum(credits.filter((each) => each.used && dayUsed(each).startsWith(mes))),
    sem_sessao: sum(credits.filter((each) => turn(each) >= 2 && dayKept(each).startsWith(mes))),
  });
  const students = [...owed].map(([id, each]) => ({
    id,
    ...each,
    lotes: each.lotes.toSorted((a, b) => byText(a.id, b.id)),
  }));
  const sessoes = students.reduce((all, each) => all + each.sessoes, 0);
  return {
    shared: shared + entries.reduce((all, each) => all + paid(each), 0),
    students: students.toSorted((a, b) => b.valor - a.valor || byText(a.id, b.id)),
    valor: students.reduce((all, each) => all + each.valor, 0),
    sessoes,
    sem_valor: toGive.length - sessoes,
    months: Object.fromEntries(months.map((mes) => [mes, inMonth(mes)])),
  };
}
