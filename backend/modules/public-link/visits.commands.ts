import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { ForgottenList } from '../../platform/event-store/forgotten-list.js';
import { Problem } from '../../platform/http/problem.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { cancel, change, loadSession, reopen, reschedule } from '../agenda/agenda.commands.js';
import { loadTerms } from '../agenda/session.loads.js';
import { loadPlaces, loadWays } from '../agenda/session-ways.loads.js';
import { agreedTo, type Agreed, isHeldAt, offered, service } from '../services/service.js';
import { serviceName } from '../services/services.loads.js';
import { decideBook, type KnownSession, type Period, session, single } from '../sessions/session.js';
import { addMinutes } from 'date-fns';
import { changedFields } from '../../platform/event-store/aggregate.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { dateOf } from '../../platform/local-time.js';
import { arrivedPix } from '../charges/arrived-pix.js';
import {
  charge,
  type ChargeLink,
  decideChange,
  dueOf,
  isHeldByPayment,
  type KnownCharge,
  waitsForPayment,
} from '../charges/charge.js';
import { decideByPaying } from '../charges/pix-notices.commands.js';
import { issue } from '../charges/charge-terms.commands.js';
import { freshLink } from '../charges/charges.commands.js';
import { pixAccountStream } from '../charges/pix-account.js';
import { connectionOf, providerConnection } from '../charges/provider-connection.js';
import { chargeOfBooking, standBooking } from '../charges/session-charge.commands.js';
import { cancellationPolicy } from '../policies/cancellation-policy.js';
import { doorOf } from './door.js';
import { availability } from '../availability/availability.js';
import { location } from '../locations/location.js';
import { seenFrom } from '../availability/ways.js';
import { decideRegister, type ExistingStudent, student, type StudentState } from '../students/student.js';
import { restore } from '../enrolment/enrolment.commands.js';
import { activeVacations, vacationCalendar } from '../away/vacation.js';
import { whoStays } from '../students/merged.loads.js';
import { forget } from '../privacy/privacy.commands.js';
import type { VisitConfirmation, VisitRefusal } from './public-link.api.js';
import { bookableStarts, type Limits, nearestStarts, periodOf, shownSpan } from './public.slots.js';
import { plainClass, publicLink, type PublicLinkState, showsLocation } from './public-link.js';
import { type DoorTerms, type NewVisit, PAID_CONSENT_VERSION } from './public-page.api.js';
import { ownersOf, strangersOf, unprojectedActs, type StrangerRow } from './strangers.loads.js';
import { visit, type VisitEvent, type VisitState } from './visit.js';
import { namedBy } from './visitors-name.js';
import { type Demand, demandOf, lapseOf, refuseCrowd } from './visitor-demand.js';

/** A visitor's request, with what is derived from it and the master key. */
export interface VisitorBooking extends Omit<NewVisit, 'slug' | 'site' | 'prova'> {
  visit_id: string;
  token_hash: string;
  /** Ids for a student with this phone and name, in the order in which they are tried. */
  student_ids: readonly string[];
}

/**
 * Books a session that the trainer has yet to confirm, for the student with that phone and name, who is registered if there
 * is none. The answer does not reveal whether there was one.
 */
export const BookAsVisitor = defineCommand(
  'BookAsVisitor',
  { tokens: LinkTokens },
  async (tx, { tokens }, booking: VisitorBooking) => {
    const { visit_id, location_id, inicio, nome, email, token_hash, consentimento } = booking;
    const { link, servico } = await loadShown(tx, booking);
    const [starts, who, [found], porta] = await Promise.all([
      freeStarts(tx, link, location_id),
      studentWithPhone(tx, booking),
      tx.lookUp(visitDemand),
      loadDoor(tx, link, location_id),
    ]);
    refuseOtherTerms(porta, booking);
    const period = refuseTaken(
      starts,
      inicio,
      link,
      who.ids.some((id) => link.bloqueados.includes(id)),
    );
    refuseCrowd(starts, found!.demand, tx.now.getTime());
    openStudent(tx, who, booking);
    await bookVisit(tx, porta, freshLink(tokens), {
      visit_id,
      token_hash,
      student_id: who.id,
      location_id,
      servico,
      consentimento,
      ...period,
      nome,
      email,
      novo: who.novo,
    });
    return { id: visit_id, ...period };
  },
);

/**
 * Moves a booking to a free time, within the notice period and while the page is switched on. The trainer has to confirm it
 * again.
 */
export const MoveVisit = defineCommand('MoveVisit', async (tx, visitId: string, inicio: string) => {
  const { tenantId } = tx.context;
  const [link, state] = await Promise.all([tx.load(publicLink, tenantId), openVisit(tx, visitId)]);
  refuseLate(tx, link, state);
  if (!link.ativo) throw overProblem();
  const isBlocked = link.bloqueados.includes(state.student_id);
  const limits = { ...link, duracao_min: minutesOf(state) };
  const period = refuseTaken(
    await freeStarts(tx, limits, state.location_id, state.session_id),
    ...([inicio, limits, isBlocked] as const),
  );
  const [known, booked] = await Promise.all([tx.load(visit, visitId), chargeOfBooking(tx, state)]);
  // Otherwise who pays for a late cancellation would move it, and cancel then.
  const isBound = state.confirmado && booked !== undefined && booked.pagamentos.length > 0;
  if (isBound && state.porta!.fora_percent > 0 && !(await isBeforeLimit(tx, state))) throw overProblem();
  const moved = await reschedule(tx, state, period, false);
  if (moved !== state) {
    const about = { visit_id: visitId, session_id: moved.session_id, student_id: moved.student_id };
    // Moving it gives nobody more time to pay.
    const isUnpaid = booked !== undefined && waitsForPayment(booked);
    const vence_em = (isUnpaid && known?.vence_em) || lapseOf(tx.now);
    tx.append(visit, visitId, [{ type: 'VisitMoved', data: { ...about, vence_em } }]);
    if (booked && dueOf(booked) > 0)
      tx.append(
        charge,
        booked.charge_id,
        decideChange(booked, { vencimento: dateOf(period.inicio, tx.context.timezone) }),
      );
  }
  if (moved.confirmado && moved !== state) {
    const { session_id, student_id, location_id, observacoes, credito, valor } = moved;
    tx.append(session, session_id, [
      {
        type: 'SessionChanged',
        data: {
          session_id,
          student_id,
          ...period,
          location_id,
          observacoes,
          credito,
          valor,
          confirmado: false,
          antes: { confirmado: true },
        },
      },
    ]);
  }
  return { id: visitId, ...period };
});

/**
 * Costs no credit, also when late: a link does not prove that its holder is the student. Where something was paid it costs what was
 * agreed with the booking.
 */
export const CancelVisit = defineCommand('CancelVisit', async (tx, visitId: string, custo: number) => {
  const { tenantId } = tx.context;
  const [link, state] = await Promise.all([tx.load(publicLink, tenantId), openVisit(tx, visitId)]);
  const { inicio, fim } = state;
  if (state.status === 'cancelada') return { id: visitId, inicio, fim };
  refuseLate(tx, link, state);
  const isInTime = await isBeforeLimit(tx, state);
  const booked = await chargeOfBooking(tx, state);
  await cancel(tx, state, {
    motivo: isInTime ? 'aluno_no_prazo' : 'aluno_fora_do_prazo',
    aplicar_politica: !isInTime && booked !== undefined && booked.pagamentos.length > 0,
    previsto: { usou_credito: false, sem_credito: false, taxa: custo },
  });
  return { id: visitId, inicio, fim };
});

async function isBeforeLimit(tx: CommandTransaction, state: KnownSession): Promise<boolean> {
  const { cancel_limite_horas } = await loadTerms(tx, state);
  return Date.parse(state.inicio) - tx.now.getTime() >= cancel_limite_horas * HOUR;
}

/** The trainer declines a booking: it costs nothing. */
export const DeclineVisit = defineCommand(
  'DeclineVisit',
  async (tx, visit_id: string, { mensagem }: VisitRefusal) => {
    const state = await knownVisit(tx, visit_id);
    if (state.status === 'cancelada') return { id: visit_id, status: state.status };
    const { session_id, student_id } = state;
    tx.append(visit, visit_id, [
      { type: 'VisitDeclined', data: { visit_id, session_id, student_id, mensagem } },
    ]);
    const { status } = await cancel(tx, state, { motivo: 'personal' });
    return { id: visit_id, status };
  },
);

/** Cancels the bookings that nobody confirmed in time. */
export const LapseVisits = defineCommand('LapseVisits', async (tx) => {
  const due = await tx.lookUp(overdueVisits, tx.now);
  const all = await Promise.all(
    due.map(async ({ visit_id, session_id }) => {
      const [known, state] = await Promise.all([tx.load(visit, visit_id), tx.load(session, session_id)]);
      return { known, state, booked: state && (await chargeOfBooking(tx, state)) };
    }),
  );
  let vencidas = 0;
  for (const { known, state, booked } of all) {
    if (!known?.vence_em || Date.parse(known.vence_em) > tx.now.getTime()) continue;
    const { visit_id, session_id, student_id } = known;
    if (!state || state.deleted || state.status !== 'agendada' || state.confirmado) continue;
    if (state.student_id !== student_id) continue;
    // Paid a moment ago: `FollowPayment` is about to give the trainer the time to confirm it.
    if (booked && isHeldByPayment(booked) && !known.paga) continue;
    const sem_pagamento = booked && waitsForPayment(booked) ? { sem_pagamento: true as const } : {};
    const data = { visit_id, session_id, student_id, ...sem_pagamento };
    tx.append(visit, visit_id, [{ type: 'VisitLapsed', data }]);
    await cancel(tx, state, { motivo: 'personal' });
    vencidas += 1;
  }
  return { vencidas };
});

const visitOf = defineLookUp<{ id: string }, [sessionId: string]>(
  'select id from visits where tenant_id = $1 and session_id = $2 order by criado_em desc limit 1',
);

/**
 * Gives the trainer the usual time to confirm a booking that is paid. One that had lapsed unpaid is booked again by its late Pix while
 * its time is free; otherwise the Pix stays to be decided.
 */
export const FollowPayment = defineCommand(
  'FollowPayment',
  async (tx, charge_id: string, pix_id: string | null) => {
    const done = { id: charge_id };
    const booked = await tx.load(charge, charge_id);
    if (!booked?.session_id) return done;
    const [state, [found]] = await Promise.all([
      tx.load(session, booked.session_id),
      tx.lookUp(visitOf, booked.session_id),
    ]);
    const known = found && (await tx.load(visit, found.id));
    if (!known || !state || state.deleted || known.paga) return done;
    const { visit_id, session_id, student_id } = known;
    const voltou = booked.cancelada;
    if (voltou && !(await comeBack(tx, booked, state, known, pix_id))) return done;
    if (!voltou && (!isHeldByPayment(booked) || state.status !== 'agendada')) return done;
    tx.append(visit, visit_id, [
      {
        type: 'VisitPaid',
        data: { visit_id, session_id, student_id, vence_em: lapseOf(tx.now), voltou },
      },
    ]);
    return done;
  },
);

/** Books a lapsed booking again and pays it by the Pix that came late, if all that is still possible. */
async function comeBack(
  tx: CommandTransaction,
  booked: KnownCharge,
  state: KnownSession,
  { venceu, student_id }: NonNullable<VisitState>,
  pix_id: string | null,
): Promise<boolean> {
  const pix = pix_id === null ? undefined : await tx.load(arrivedPix, pix_id);
  if (!venceu || state.status !== 'cancelada' || state.student_id !== student_id) return false;
  if (!booked.com_sessao || !pix || pix.falta < booked.entrada!) return false;
  const [link, who] = await Promise.all([
    tx.load(publicLink, tx.context.tenantId),
    tx.load(student, student_id),
  ]);
  if (!isThere(who)) return false;
  const limits = { ...link, duracao_min: minutesOf(state) };
  const starts = await freeStarts(tx, limits, state.location_id);
  if (!starts.includes(Date.parse(state.inicio))) return false;
  await reopen(tx, state, false);
  await decideByPaying(tx, pix);
  return true;
}

const overdueVisits = defineLookUp<{ visit_id: string; session_id: string }, [now: Date]>(
  `select v.id as visit_id, v.session_id from visits v
    join sessions s on s.tenant_id = v.tenant_id and s.id = v.session_id and s.student_id = v.student_id
    where v.tenant_id = $1 and v.vence_em <= $2 and s.inicio > $2 and s.status = 'agendada' and not s.confirmado
      and not s.deleted
    order by v.vence_em, v.id limit 200`,
);

/**
 * Reactivates an inactive student, and asks for nothing first any more. Whom a booking registered although others have the phone is
 * somebody only if the trainer says so: otherwise all that waits of theirs is given to the student that the trainer chose, and they are
 * forgotten.
 */
export const ConfirmVisit = defineCommand(
  'ConfirmVisit',
  { outbox: Outbox, list: ForgottenList, hints: HintBus },
  async (tx, services, visitId: string, { student_id: chosen }: VisitConfirmation) => {
    const [known, before] = await Promise.all([tx.load(visit, visitId), knownVisit(tx, visitId)]);
    if (before.status === 'cancelada') throw new Problem('agenda.already_cancelled');
    const booker = before.student_id;
    const isGiven = chosen !== undefined && chosen !== booker;
    if (before.confirmado) {
      if (isGiven) throw new Problem('public_link.confirmed_for_other');
      return { id: visitId, status: before.status };
    }
    // The trainer may have given the session to another student before.
    const owners = known!.student_id === booker ? await tx.lookUp(ownersOfVisit, booker) : [];
    if (owners.length > 0 && chosen === undefined)
      throw new Problem('public_link.whose', { detail: 'Escolha de quem é antes de confirmar.' });
    if (isGiven && !owners.some(({ student_id }) => student_id === chosen))
      throw new Problem('students.not_found');
    const student_id = chosen ?? booker;
    if ((await tx.load(student, student_id)).status === 'archived') await restore(tx, student_id);
    if (isGiven) await give(tx, booker, chosen, services);
    const state = await loadSession(tx, before.session_id);
    const { session_id, inicio, fim, location_id, observacoes, credito, valor } = state;
    // It has begun, or its row was not there yet.
    if (isGiven && state.student_id !== chosen)
      throw Date.parse(inicio) > tx.now.getTime() ? new Problem('busy') : new Problem('public.visit_over');
    tx.append(session, session_id, [
      {
        type: 'SessionChanged',
        data: {
          session_id,
          student_id: state.student_id,
          inicio,
          fim,
          location_id,
          observacoes,
          credito,
          valor,
          confirmado: true,
          antes: { confirmado: false },
        },
      },
    ]);
    await standBooking(tx, state);
    return { id: visitId, status: state.status };
  },
);

/** Gives all that waits of somebody whom a booking registered to a student. Nothing else of theirs is kept, if there is nothing else. */
async function give(
  tx: CommandTransaction,
  from: string,
  student_id: string,
  { outbox, list, hints }: { outbox: Outbox; list: ForgottenList; hints: HintBus },
): Promise<void> {
  const [waiting, strangers, waits, unprojected] = await Promise.all([
    tx.lookUp(waitingVisits, from, tx.now),
    tx.lookUp(strangerCalled, tx.now, from),
    tx.lookUp(waitsOf, from),
    tx.lookUp(unprojectedActs),
  ]);
  const sessions = await Promise.all(waiting.map(({ session_id }) => tx.load(session, session_id)));
  await Promise.all(waiting.map(({ visit_id }) => tx.load(visit, visit_id)));
  for (const [at, { visit_id, session_id, nome, email }] of waiting.entries()) {
    const state = sessions[at];
    if (!state || state.deleted || state.status !== 'agendada' || state.student_id !== from) continue;
    await change(tx, state, { student_id });
    tx.append(visit, visit_id, [
      { type: 'VisitAssigned', data: { visit_id, session_id, student_id, de: from, nome, email } },
    ]);
  }
  if (strangers.length === 0 || waits.length > 0 || unprojected.length > 0) return;
  await forget(tx, from, outbox, hints);
  tx.inTransaction(() => list.add(from, tx.now, tx.context));
}

const ownersOfVisit = defineLookUp<{ student_id: string }, [booker: string]>(ownersOf('$1', '$2'));

/** What was typed is read here, since the folded streams contain none. */
const waitingVisits = defineLookUp<
  { visit_id: string; session_id: string; nome: string | null; email: string | null },
  [studentId: string, now: Date]
>(
  `select v.id as visit_id, v.session_id, v.nome, v.email from visits v
    join sessions s on s.tenant_id = v.tenant_id and s.id = v.session_id and s.student_id = v.student_id
    where v.tenant_id = $1 and v.student_id = $2 and s.status = 'agendada' and not s.confirmado and not s.deleted
      and s.inicio > $3
    order by s.inicio, v.id`,
);
const strangerCalled = defineLookUp<StrangerRow, [now: Date, studentId: string]>(
  strangersOf('and v.student_id = $3'),
);
const waitsOf = defineLookUp<{ id: string }, [studentId: string]>(
  `select id from waitlist where tenant_id = $1 and student_id = $2 and status = 'esperando' limit 1`,
);

const visitDemand = defineLookUp<{ demand: Demand }, []>(`select ${demandOf('$1')} as demand`);

const HOUR = 3_600_000;
const MINUTE = 60_000;

export const minutesOf = ({ inicio, fim }: Period): number => (Date.parse(fim) - Date.parse(inicio)) / MINUTE;

interface Chosen {
  location_id: string;
  service_id?: string | null | undefined;
}

/** The page's settings with duration and price of what was chosen, if the page offers it and shows the location. */
export async function loadShown(
  tx: CommandTransaction,
  { location_id, service_id }: Chosen,
): Promise<{ link: PublicLinkState; servico: Agreed | null }> {
  const [link, where, state] = await Promise.all([
    tx.load(publicLink, tx.context.tenantId),
    tx.load(location, location_id),
    service_id ? tx.load(service, service_id) : undefined,
  ]);
  if (!link.ativo) throw new Problem('public.paused');
  const chosen = state ? offered(state, 'na_pagina') : plainClass(link);
  if (!chosen) throw new Problem('public.service_gone');
  const isShown =
    where.status === 'existing' &&
    showsLocation(link, { id: location_id, is_active: where.is_active }) &&
    isHeldAt(chosen, location_id);
  if (!isShown) throw new Problem('public.location_gone');
  const { duracao_min, valor: primeira_aula } = chosen;
  return { link: { ...link, duracao_min, primeira_aula }, servico: agreedTo(chosen) };
}

/** What a booking at the location costs now. */
export async function loadDoor(
  tx: CommandTransaction,
  link: PublicLinkState,
  location_id: string,
): Promise<DoorTerms | null> {
  const { tenantId } = tx.context;
  const [account, provider, policy] = await Promise.all([
    tx.load(pixAccountStream, tenantId),
    tx.load(providerConnection, tenantId),
    tx.load(cancellationPolicy, location_id),
  ]);
  const temChave = account !== null && account.chave !== null;
  return doorOf(link, { temChave, automatico: connectionOf(provider) !== null, policy });
}

/** @throws Problem 409 where the page that the visitor agreed to has said something else */
export function refuseOtherTerms(
  porta: DoorTerms | null,
  agreed: { porta?: DoorTerms | undefined; consentimento: number },
): void {
  const isSame =
    porta === null
      ? agreed.porta === undefined
      : agreed.porta !== undefined &&
        agreed.consentimento === PAID_CONSENT_VERSION &&
        Object.keys(changedFields<DoorTerms>(porta, agreed.porta)).length === 0;
  if (!isSame)
    throw new Problem('public.terms_changed', { detail: 'Recarregue a página e confira antes de agendar.' });
}

/** Records an unconfirmed session and the visitor's booking, with the charge of what is asked first. */
export async function bookVisit(
  tx: CommandTransaction,
  porta: DoorTerms | null,
  link: ChargeLink,
  {
    inicio,
    fim,
    location_id,
    servico,
    ...about
  }: Omit<Extract<VisitEvent, { type: 'VisitorBooked' }>['data'], 'session_id' | 'vence_em'> & {
    inicio: string;
    fim: string;
    location_id: string;
    servico: Agreed | null;
  },
): Promise<void> {
  const { timezone } = tx.context;
  const session_id = randomUUID();
  const charge_id = porta && porta.entrada > 0 ? randomUUID() : null;
  const { student_id, visit_id } = about;
  const booking = {
    session_id,
    student_id,
    location_id,
    timezone,
    observacoes: null,
    permitir_conflito: false,
    ...single,
    inicio,
    fim,
    servico,
    ...(porta && { porta: { ...porta, charge_id } }),
  };
  tx.append(session, session_id, decideBook(booking, false));
  const minutes = porta?.espera_min ?? null;
  const vence_em = minutes === null ? lapseOf(tx.now) : addMinutes(tx.now, minutes).toISOString();
  tx.append(visit, visit_id, [{ type: 'VisitorBooked', data: { ...about, session_id, vence_em } }]);
  if (!porta || charge_id === null) return;
  const { preco: valor, entrada } = porta;
  const nome = await serviceName(tx, servico);
  const descricao = nome === null ? 'Aula agendada pelo link' : `${nome} pelo link`;
  await issue(tx, {
    charge_id,
    student_id,
    session_id,
    origem: 'sessao',
    plano_id: null,
    mes: null,
    descricao,
    valor,
    entrada,
    vencimento: dateOf(inicio, timezone),
    creditos: 0,
    validade_dias: null,
    ...link,
  });
}

/** Registers a new student. An existing student is not changed: anybody can type their phone. */
export function openStudent(
  tx: CommandTransaction,
  { id, novo }: FoundStudent,
  { nome, whatsapp, email }: Pick<NewVisit, 'nome' | 'whatsapp' | 'email'>,
): void {
  if (!novo) return;
  const made = { nome, whatsapp, email, plano_id: null, observacoes: null };
  tx.append(student, id, decideRegister(id, made));
}

/** Inactive students may book and wait too: the trainer confirms each booking. */
export const isThere = (who: StudentState): who is ExistingStudent =>
  (who.status === 'active' || who.status === 'archived') && who.nome !== null;

async function knownVisit(tx: CommandTransaction, visitId: string): Promise<KnownSession> {
  const known = await tx.load(visit, visitId);
  if (!known) throw new Problem('public_link.visit_not_found');
  return loadSession(tx, known.session_id);
}

/** The booking that a private link points to. */
async function openVisit(tx: CommandTransaction, visitId: string): Promise<KnownSession> {
  const known = await tx.load(visit, visitId);
  const state = known && (await tx.load(session, known.session_id));
  // A session that the trainer gave to another student no longer belongs to the visitor.
  if (!state || state.deleted || state.student_id !== known.student_id)
    throw new Problem('public.visit_not_found');
  return state;
}

function refuseLate(
  tx: CommandTransaction,
  { antecedencia_min }: PublicLinkState,
  { status, inicio }: KnownSession,
): void {
  if (status !== 'agendada' || Date.parse(inicio) - tx.now.getTime() < antecedencia_min * MINUTE)
    throw overProblem();
}

const overProblem = () =>
  new Problem('public.visit_over', { detail: 'Fale com o personal pelo WhatsApp para mudar este horário.' });

const takenTimes = defineLookUp<
  { busy: [id: string | null, from: number, to: number, place: string | null][] | null },
  [from: Date, to: Date, now: Date]
>(
  `select (select json_agg(json_build_array(session_id, (extract(epoch from inicio) * 1000)::bigint,
    (extract(epoch from fim) * 1000)::bigint, location_id)) from (
      select session_id, inicio, fim, null::uuid as location_id from session_slot_members where tenant_id = $1
        and inicio > $2::timestamptz - interval '1 day' and inicio < $3::timestamptz + interval '1 day'
      union all
      select null, inicio, fim, null from other_calendar_busy where tenant_id = $1 and fim > $2 and inicio < $3
      union all
      select o.wait_id, o.inicio, o.fim, w.location_id from waitlist_offers o
      left join waitlist w on w.tenant_id = o.tenant_id and w.id = o.wait_id
      where o.tenant_id = $1 and o.ate > $4
    ) as taken) as busy`,
);

/**
 * Free starts at the location, or without one, with enough time to travel from and to sessions at other locations. `own`, a
 * session or an offer, is ignored.
 */
export async function freeStarts(
  tx: CommandTransaction,
  settings: Limits,
  place: string | null,
  ...own: readonly string[]
): Promise<number[]> {
  const { tenantId, timezone } = tx.context;
  const now = tx.now.getTime();
  const { from, to } = shownSpan(settings, now, timezone);
  const [[row], { horarios, excecoes }, calendar, minutes] = await Promise.all([
    tx.lookUp(takenTimes, new Date(from), new Date(to), tx.now),
    tx.load(availability, tenantId),
    tx.load(vacationCalendar, tenantId),
    loadWays(tx, place),
  ]);
  const others = (row?.busy ?? []).filter(([id]) => id === null || !own.includes(id));
  const sessions = minutes ? others.flatMap(([id, , , where]) => (id !== null && !where ? [id] : [])) : [];
  const places = sessions.length > 0 ? await loadPlaces(tx, sessions) : new Map<string, string>();
  const taken = others.map(([id, start, end, where]) => ({
    from: start,
    to: end,
    place: where ?? places.get(id ?? '') ?? null,
  }));
  const vacations = activeVacations(calendar);
  const rules = { rules: horarios, exceptions: excecoes, vacations, zone: timezone };
  return bookableStarts({ settings, rules, busy: seenFrom(taken, minutes), now });
}

/** 409 with the nearest free times. Blocked visitors get the same answer as everybody else. */
export function refuseTaken(starts: readonly number[], inicio: string, link: Limits, isBlocked: boolean) {
  const start = Date.parse(inicio);
  if (starts.includes(start) && !isBlocked) return periodOf(start, link);
  throw takenProblem(nearestStarts(starts, start).map((free) => periodOf(free, link)));
}

/** `livres`: the nearest free times. */
export function takenProblem(livres: readonly { inicio: string; fim: string }[]): Problem {
  return new Problem('public.taken', {
    detail: livres.length > 0 ? 'Escolha outro horário.' : 'Não há outro horário livre nestes dias.',
    livres,
  });
}

interface FoundStudent {
  id: string;
  /** All students who have the phone. */
  ids: string[];
  novo: boolean;
}

/** The most recently registered or changed students are also searched while the projection is behind, up to this number. */
const MOST_UNPROJECTED = 500;

/** Students who may have the phone: those projected, and all with events that are not projected yet. */
const studentsByPhone = defineLookUp<{ id: string }, [phone: string]>(
  `(select id from students where tenant_id = $1 and (status in ('active', 'archived') or juntado_em is not null)
      and (whatsapp = $2 or telefone = $2)
    order by status, criado_em, id limit 10)
  union all
  (select substring(stream_id from 9)::uuid from events
    where tenant_id = $1 and type in ('StudentRegistered', 'StudentUpdated', 'StudentRestored')
      and position > (select min(position) from projection_checkpoint
        where tenant_id = $1 and projection in ('shared', 'students'))
    order by position desc limit ${MOST_UNPROJECTED})`,
);

/**
 * The student who has the phone and the name, and all who have the phone; otherwise the id for a new one. Reads the same
 * number of streams for a known phone as for an unknown one.
 */
export async function studentWithPhone(
  tx: CommandTransaction,
  { whatsapp, nome, student_ids }: Pick<VisitorBooking, 'whatsapp' | 'nome' | 'student_ids'>,
): Promise<FoundStudent> {
  const found = await tx.lookUp(studentsByPhone, whatsapp);
  const ids = [...new Set([...found.map(({ id }) => id), ...student_ids])];
  const states = await Promise.all(ids.map((id) => tx.load(student, id)));
  const having = states.filter(
    (state): state is ExistingStudent =>
      state.status !== 'unknown' && (state.whatsapp === whatsapp || state.telefone === whatsapp),
  );
  const theirs = having.filter(({ status }) => status !== 'removed');
  const merged = having.filter(({ juntado_em }) => juntado_em !== null);
  const named = namedBy(theirs, nome, student_ids) ?? namedBy(merged, nome, student_ids);
  const stays = named && (await whoStays(tx, named));
  const all = [...new Set([...theirs, ...(stays ? [stays] : [])].map(({ student_id }) => student_id))];
  if (stays) return { id: stays.student_id, ids: all, novo: false };
  const unused = student_ids.find((_, n) => states[ids.indexOf(student_ids[n]!)]!.status === 'unknown');
  // All were given to other students, or forgotten.
  return { id: unused ?? randomUUID(), ids: all, novo: true };
}
