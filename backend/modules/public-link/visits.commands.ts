import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { ForgottenList } from '../../platform/event-store/forgotten-list.js';
import { Problem } from '../../platform/http/problem.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { cancel, change, loadSession, reschedule } from '../agenda/agenda.commands.js';
import { loadTerms } from '../agenda/session.loads.js';
import { loadPlaces, loadWays } from '../agenda/session-ways.loads.js';
import { decideBook, type KnownSession, session, single } from '../sessions/session.js';
import { availability } from '../availability/availability.js';
import { location } from '../locations/location.js';
import { seenFrom } from '../availability/ways.js';
import { decideRegister, type ExistingStudent, student } from '../students/student.js';
import { restore } from '../enrolment/enrolment.commands.js';
import { activeVacations, vacationCalendar } from '../away/vacation.js';
import { whoStays } from '../students/merged.loads.js';
import { forget } from '../privacy/privacy.commands.js';
import type { VisitConfirmation, VisitRefusal } from './public-link.api.js';
import { bookableStarts, type Limits, nearestStarts, periodOf, shownSpan } from './public.slots.js';
import { publicLink, type PublicLinkState, showsLocation } from './public-link.js';
import type { NewVisit } from './public-page.api.js';
import { ownersOf, strangersOf, unprojectedActs, type StrangerRow } from './strangers.loads.js';
import { visit, type VisitEvent } from './visit.js';
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
export const BookAsVisitor = defineCommand('BookAsVisitor', async (tx, booking: VisitorBooking) => {
  const { visit_id, location_id, inicio, nome, email, token_hash, consentimento } = booking;
  const { link } = await loadShown(tx, location_id);
  const [starts, who, [found]] = await Promise.all([
    freeStarts(tx, link, location_id),
    studentWithPhone(tx, booking),
    tx.lookUp(visitDemand),
  ]);
  const period = refuseTaken(
    starts,
    inicio,
    link,
    who.ids.some((id) => link.bloqueados.includes(id)),
  );
  refuseCrowd(starts, found!.demand, tx.now.getTime());
  openStudent(tx, who, booking);
  bookVisit(tx, {
    ...{ visit_id, token_hash, student_id: who.id, location_id, consentimento, ...period },
    ...{ nome, email, novo: who.novo },
  });
  return { id: visit_id, ...period };
});

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
  const period = refuseTaken(
    await freeStarts(tx, link, state.location_id, state.session_id),
    ...([inicio, link, isBlocked] as const),
  );
  const moved = await reschedule(tx, state, period, false);
  if (moved !== state) {
    const about = { visit_id: visitId, session_id: moved.session_id, student_id: moved.student_id };
    tx.append(visit, visitId, [{ type: 'VisitMoved', data: { ...about, vence_em: lapseOf(tx.now) } }]);
  }
  if (moved.confirmado && moved !== state) {
    const { session_id, student_id, location_id, observacoes, credito, valor } = moved;
    tx.append(session, session_id, [
      {
        type: 'SessionChanged',
        data: {
          ...{ session_id, student_id, ...period, location_id, observacoes, credito, valor },
          ...{ confirmado: false, antes: { confirmado: true } },
        },
      },
    ]);
  }
  return { id: visitId, ...period };
});

/** Costs no credit, also when late: a link does not prove that its holder is the student. */
export const CancelVisit = defineCommand('CancelVisit', async (tx, visitId: string) => {
  const { tenantId } = tx.context;
  const [link, state] = await Promise.all([tx.load(publicLink, tenantId), openVisit(tx, visitId)]);
  const { inicio, fim } = state;
  if (state.status === 'cancelada') return { id: visitId, inicio, fim };
  refuseLate(tx, link, state);
  const { cancel_limite_horas } = await loadTerms(tx, state);
  const isInTime = Date.parse(inicio) - tx.now.getTime() >= cancel_limite_horas * HOUR;
  await cancel(tx, state, { motivo: isInTime ? 'aluno_no_prazo' : 'aluno_fora_do_prazo' });
  return { id: visitId, inicio, fim };
});

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
    due.map(async ({ visit_id, session_id }) => ({
      known: await tx.load(visit, visit_id),
      state: await tx.load(session, session_id),
    })),
  );
  let vencidas = 0;
  for (const { known, state } of all) {
    if (!known?.vence_em || Date.parse(known.vence_em) > tx.now.getTime()) continue;
    const { visit_id, session_id, student_id } = known;
    if (!state || state.deleted || state.status !== 'agendada' || state.confirmado) continue;
    if (state.student_id !== student_id) continue;
    tx.append(visit, visit_id, [{ type: 'VisitLapsed', data: { visit_id, session_id, student_id } }]);
    await cancel(tx, state, { motivo: 'personal' });
    vencidas += 1;
  }
  return { vencidas };
});

const overdueVisits = defineLookUp<{ visit_id: string; session_id: string }, [now: Date]>(
  `select v.id as visit_id, v.session_id from visits v
    join sessions s on s.tenant_id = v.tenant_id and s.id = v.session_id and s.student_id = v.student_id
    where v.tenant_id = $1 and v.vence_em <= $2 and s.inicio > $2 and s.status = 'agendada' and not s.confirmado
      and not s.deleted
    order by v.vence_em, v.id limit 200`,
);

/**
 * Reactivates an inactive student. Whom a booking registered although others have the phone is somebody only if the trainer
 * says so: otherwise all that waits of theirs is given to the student that the trainer chose, and they are forgotten.
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
          ...{
            session_id,
            student_id: state.student_id,
            inicio,
            fim,
            location_id,
            observacoes,
            credito,
            valor,
          },
          ...{ confirmado: true, antes: { confirmado: false } },
        },
      },
    ]);
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
  strangersOf('$1', '$2', 'and v.student_id = $3'),
);
const waitsOf = defineLookUp<{ id: string }, [studentId: string]>(
  `select id from waitlist where tenant_id = $1 and student_id = $2 and status = 'esperando' limit 1`,
);

const visitDemand = defineLookUp<{ demand: Demand }, []>(`select ${demandOf('$1')} as demand`);

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** The page's settings, if it shows the location. */
export async function loadShown(
  tx: CommandTransaction,
  location_id: string,
): Promise<{ link: PublicLinkState }> {
  const [link, where] = await Promise.all([
    tx.load(publicLink, tx.context.tenantId),
    tx.load(location, location_id),
  ]);
  if (!link.ativo) throw new Problem('public.paused');
  const isShown =
    where.status === 'existing' && showsLocation(link, { id: location_id, is_active: where.is_active });
  if (!isShown) throw new Problem('public.location_gone');
  return { link };
}

/** Records an unconfirmed session and the visitor's booking. */
export function bookVisit(
  tx: CommandTransaction,
  {
    inicio,
    fim,
    location_id,
    ...about
  }: Omit<Extract<VisitEvent, { type: 'VisitorBooked' }>['data'], 'session_id' | 'vence_em'> & {
    inicio: string;
    fim: string;
    location_id: string;
  },
): void {
  const { timezone } = tx.context;
  const session_id = randomUUID();
  const { student_id, visit_id } = about;
  const booking = {
    ...{ session_id, student_id, location_id, timezone, observacoes: null, permitir_conflito: false },
    ...{ ...single, inicio, fim },
  };
  tx.append(session, session_id, decideBook(booking, false));
  tx.append(visit, visit_id, [
    { type: 'VisitorBooked', data: { ...about, session_id, vence_em: lapseOf(tx.now) } },
  ]);
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
    ...{ from: start, to: end },
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
