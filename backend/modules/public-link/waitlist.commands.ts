import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { location } from '../locations/location.js';
import type { MinutesTo } from '../availability/ways.js';
import { type ExistingStudent, student, type StudentState } from '../students/student.js';
import { nearestStarts, periodOf } from './public.slots.js';
import { publicLink, showsLocation } from './public-link.js';
import {
  bookVisit,
  freeStarts,
  loadShown,
  openStudent,
  refuseTaken,
  studentWithPhone,
} from './visits.commands.js';
import {
  decideEnd,
  decideLeave,
  decideNotMailed,
  decideSent,
  decideSkip,
  decideTake,
  offerToSend,
  openOffer,
  stillWaiting,
  type Waiting,
  waiting,
} from './waiting.js';
import { heldUntil } from './held-until.js';
import { decideRound, suiting } from './waiting.rounds.js';
import type { SentChange, SkipChange, NewWaiting } from './waitlist.api.js';

/** The most free times that a wish can leave aside; it is stored in one event. */
const MOST_REFUSED = 500;

/** A visitor's request to wait, with what is derived from it and the master key. */
export interface VisitorWish extends Omit<NewWaiting, 'slug' | 'site' | 'prova'> {
  wait_id: string;
  token_hash: string;
  /** Ids for a student with this phone and name, in the order in which they are tried. */
  student_ids: readonly string[];
}

const MOST_WAITING = 200;
export const MOST_DAYS_AHEAD = 90;
const DAY_MS = 86_400_000;

/** Refused while a suitable time is free, which can be booked instead, unless the visitor says that none of them suits. */
export const JoinWaitlist = defineCommand('JoinWaitlist', async (tx, wish: VisitorWish) => {
  const { wait_id, location_id, periodos, nome, email, token_hash, consentimento } = wish;
  const { timezone } = tx.context;
  const now = tx.now.getTime();
  const { link } = await loadShown(tx, location_id);
  const de = [wish.de, dateOf(now, timezone)].toSorted().at(-1)!;
  const ate = [wish.ate, dateOf(now + MOST_DAYS_AHEAD * DAY_MS, timezone)].toSorted()[0]!;
  if (ate < de)
    throw new Problem('public.days_over', {
      errors: [{ pointer: '/ate', detail: 'Escolha dias a partir de hoje' }],
    });
  const starts = await freeStarts(tx, link, location_id);
  const free = starts.filter((start) => suiting(start, timezone)({ de, ate, periodos }));
  if (free.length > 0 && !wish.nenhum_serve)
    throw new Problem('public.times_free', {
      detail: 'Escolha um deles em vez de esperar.',
      livres: nearestStarts(free, free[0]! - 1).map((start) => periodOf(start, link)),
    });
  const entries = await tx.lookUp(liveEntries);
  if (entries.length >= MOST_WAITING)
    throw new Problem('public.waitlist_full', { detail: 'Fale com o personal pelo WhatsApp.' });
  const found = await studentWithPhone(tx, wish);
  // A blocked phone stays blocked under another name.
  const blocked = found.ids.find((id) => link.bloqueados.includes(id));
  const who = blocked === undefined ? found : { ...found, id: blocked, novo: false };
  openStudent(tx, who, wish);
  const student_id = who.id;
  tx.append(waiting, wait_id, [
    {
      type: 'WaitlistJoined',
      data: {
        ...{ wait_id, student_id, location_id, de, ate, periodos: [...periodos], nome, email, token_hash },
        ...{ em: tx.now.toISOString(), consentimento, novo: who.novo },
        ...(free.length > 0 && {
          recusados: free.slice(0, MOST_REFUSED).map((start) => new Date(start).toISOString()),
        }),
      },
    },
  ]);
  return { id: wait_id };
});

/** Books the offered time; only the first answer to an offer counts. The trainer confirms the booking. */
export const TakeOffer = defineCommand(
  'TakeOffer',
  async (
    tx,
    waitId: string,
    oferta: number,
    { visit_id, token_hash }: Record<'visit_id' | 'token_hash', string>,
  ) => {
    const state = await known(tx, waitId);
    const offer = openOffer(state, oferta, tx.now);
    const { student_id, location_id, consentimento, novo } = state;
    const { link } = await loadShown(tx, location_id);
    const starts = await freeStarts(tx, link, location_id, waitId);
    const period = refuseTaken(starts, offer.inicio, link, link.bloqueados.includes(student_id));
    const [told] = await tx.lookUp(whatWasTyped, waitId);
    const who = await tx.load(student, student_id);
    if (!isThere(who)) throw new Problem('public.offer_over');
    const nome = told?.nome ?? who.nome;
    bookVisit(tx, {
      ...{ visit_id, token_hash, student_id, location_id, consentimento, ...period },
      ...{ nome, email: told?.email ?? null, novo },
    });
    tx.append(waiting, waitId, decideTake(state, offer, visit_id));
    return { id: visit_id, ...period };
  },
);

/** The time is offered to the next person; the one who declined keeps waiting for others. */
export const RefuseOffer = defineCommand('RefuseOffer', async (tx, waitId: string, oferta: number) => {
  const state = await known(tx, waitId);
  tx.append(waiting, waitId, decideEnd(state, openOffer(state, oferta, tx.now), 'recusada'));
  await playRound(tx);
  return { id: waitId };
});

/** Does nothing the second time. */
export const LeaveWaitlist = defineCommand('LeaveWaitlist', async (tx, waitId: string) => {
  const state = await known(tx, waitId);
  if (state.status === 'esperando') {
    tx.append(waiting, waitId, decideLeave(state));
    await playRound(tx);
  }
  return { id: waitId };
});

/** The trainer excludes a person from offers, or includes them again. */
export const SkipWaiting = defineCommand(
  'SkipWaiting',
  async (tx, waitId: string, { pulado }: SkipChange) => {
    const state = stillWaiting(await tx.load(waiting, waitId));
    tx.append(waiting, waitId, decideSkip(state, pulado));
    await playRound(tx);
    return { id: waitId };
  },
);

/** Marks an offer as sent by WhatsApp, or removes the mark. */
export async function markOffer(
  tx: CommandTransaction,
  waitId: string,
  { oferta, enviada }: SentChange,
): Promise<void> {
  const [state, link] = await Promise.all([
    tx.load(waiting, waitId).then(stillWaiting),
    tx.load(publicLink, tx.context.tenantId),
  ]);
  const offer = offerToSend(state, oferta, tx.now);
  const start = Date.parse(offer.inicio);
  const isLate = Date.parse(offer.ate) <= tx.now.getTime();
  // Its time was free for everybody meanwhile.
  if (isLate && !(await freeStarts(tx, link, state.location_id, waitId)).includes(start))
    throw new Problem('public.offer_over');
  const until = heldUntil(start, tx.now.getTime(), tx.context.timezone, link.antecedencia_min);
  tx.append(waiting, waitId, decideSent(state, offer, enviada, until));
}

export const MarkOffer = defineCommand('MarkOffer', async (tx, waitId: string, change: SentChange) => {
  await markOffer(tx, waitId, change);
  return { id: waitId };
});

/** Records that a mail is not sent, so that the trainer tells the person. */
export const NoteOfferNotMailed = defineCommand(
  'NoteOfferNotMailed',
  async (tx, waitId: string, oferta: number) => {
    tx.append(waiting, waitId, decideNotMailed(await tx.load(waiting, waitId), oferta));
    return { id: waitId };
  },
);

/** Makes the changes that are due by the time and the agenda. */
export const PlayWaitlist = defineCommand('PlayWaitlist', async (tx) => {
  await playRound(tx);
  return { id: tx.context.tenantId };
});

const liveEntries = defineLookUp<{ wait_id: string }, []>(
  'select wait_id from waitlist_entries where tenant_id = $1 order by em, wait_id',
);
/** Names and addresses are read here, since the folded streams contain none. */
const whatWasTyped = defineLookUp<{ nome: string | null; email: string | null }, [waitId: string]>(
  'select nome, email from waitlist where tenant_id = $1 and id = $2',
);

/** Inactive students may wait too: the trainer confirms each booking. */
const isThere = (who: StudentState): who is ExistingStudent =>
  (who.status === 'active' || who.status === 'archived') && who.nome !== null;

async function known(tx: CommandTransaction, waitId: string): Promise<Waiting> {
  const state = await tx.load(waiting, waitId);
  if (!state) throw new Problem('public.waiting_not_found');
  return state;
}

async function playRound(tx: CommandTransaction): Promise<void> {
  const { tenantId, timezone } = tx.context;
  const [link, ids] = await Promise.all([tx.load(publicLink, tenantId), tx.lookUp(liveEntries)]);
  const states = await Promise.all(ids.map(({ wait_id }) => tx.load(waiting, wait_id)));
  const entries = states.filter((state) => state?.status === 'esperando') as Waiting[];
  if (entries.length === 0) return;
  const [people, places] = await Promise.all([
    Promise.all(entries.map(({ student_id }) => tx.load(student, student_id))),
    Promise.all(entries.map(({ location_id }) => tx.load(location, location_id))),
  ]);
  const offers = ids.map(({ wait_id }) => wait_id);
  const startsAt = (place: string | null) => (link.ativo ? freeStarts(tx, link, place, ...offers) : []);
  const starts = await startsAt(null);
  const ways = new Map<string, MinutesTo>();
  const near = new Map<string, readonly number[]>();
  for (const where of places) {
    if (where.status === 'unknown' || Object.keys(where.deslocamentos).length === 0) continue;
    ways.set(where.location_id, where.deslocamentos);
    if (!near.has(where.location_id)) near.set(where.location_id, await startsAt(where.location_id));
  }
  const away = (one: string, other: string) => ways.get(one)?.[other] ?? 0;
  const queue = entries.map((entry, at) => {
    const [who, where] = [people[at]!, places[at]!];
    const isShown =
      where.status === 'existing' &&
      showsLocation(link, { id: entry.location_id, is_active: where.is_active });
    return {
      entry,
      starts: near.get(entry.location_id),
      isThere: isThere(who),
      isWelcome: isShown && !link.bloqueados.includes(entry.student_id),
    };
  });
  const { duracao_min, intervalo_min, antecedencia_min } = link;
  const now = tx.now.getTime();
  const limits = { duracao_min, intervalo_min, antecedencia_min };
  const asked = { starts, away, now, zone: timezone, ...limits };
  for (const [waitId, events] of decideRound(queue, asked)) tx.append(waiting, waitId, events);
}
