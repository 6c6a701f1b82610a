import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { location } from '../locations/location.js';
import type { MinutesTo } from '../availability/ways.js';
import { student } from '../students/student.js';
import { nearestStarts, periodOf } from './public.slots.js';
import { isHeldAt, offered, service } from '../services/service.js';
import { plainClass, publicLink, showsLocation } from './public-link.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { freshLink } from '../charges/charges.commands.js';
import { PAID_CONSENT_VERSION } from './public-page.api.js';
import {
  bookVisit,
  freeStarts,
  isThere,
  loadDoor,
  loadShown,
  minutesOf,
  openStudent,
  refuseOtherTerms,
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
import { decideRound, type Queued, suiting } from './waiting.rounds.js';
import type { OfferTaken, SentChange, SkipChange, NewWaiting } from './waitlist.api.js';

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
  const { link } = await loadShown(tx, wish);
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
        wait_id,
        student_id,
        location_id,
        de,
        ate,
        periodos: [...periodos],
        nome,
        email,
        token_hash,
        ...(wish.service_id && { service_id: wish.service_id }),
        em: tx.now.toISOString(),
        consentimento,
        novo: who.novo,
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
  { tokens: LinkTokens },
  async (
    tx,
    { tokens },
    waitId: string,
    { oferta, porta: agreed }: Pick<OfferTaken, 'oferta' | 'porta'>,
    { visit_id, token_hash }: Record<'visit_id' | 'token_hash', string>,
  ) => {
    const state = await known(tx, waitId);
    const offer = openOffer(state, oferta, tx.now);
    const { student_id, location_id, novo } = state;
    const { link, servico } = await loadShown(tx, state);
    const [starts, porta] = await Promise.all([
      freeStarts(tx, link, location_id, waitId),
      loadDoor(tx, link, location_id),
    ]);
    // Who takes an offer with terms agrees to these by taking it.
    const consentimento = porta ? PAID_CONSENT_VERSION : state.consentimento;
    refuseOtherTerms(porta, { porta: agreed, consentimento });
    const period = refuseTaken(starts, offer.inicio, link, link.bloqueados.includes(student_id));
    const [told] = await tx.lookUp(whatWasTyped, waitId);
    const who = await tx.load(student, student_id);
    if (!isThere(who)) throw new Problem('public.offer_over');
    const nome = told?.nome ?? who.nome;
    await bookVisit(tx, porta, freshLink(tokens), {
      visit_id,
      token_hash,
      student_id,
      location_id,
      servico,
      consentimento,
      ...period,
      nome,
      email: told?.email ?? null,
      novo,
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
  const limits = { ...link, duracao_min: minutesOf(offer) };
  const start = Date.parse(offer.inicio);
  const isLate = Date.parse(offer.ate) <= tx.now.getTime();
  // Its time was free for everybody meanwhile.
  if (isLate && !(await freeStarts(tx, limits, state.location_id, waitId)).includes(start))
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
  const [people, places, services] = await Promise.all([
    Promise.all(entries.map(({ student_id }) => tx.load(student, student_id))),
    Promise.all(entries.map(({ location_id }) => tx.load(location, location_id))),
    Promise.all(
      entries.map(async ({ service_id }) => (service_id ? tx.load(service, service_id) : undefined)),
    ),
  ]);
  const offers = ids.map(({ wait_id }) => wait_id);
  const startsAt = (place: string | null, minutes: number) =>
    link.ativo ? freeStarts(tx, { ...link, duracao_min: minutes }, place, ...offers) : [];
  const { duracao_min, intervalo_min, antecedencia_min } = link;
  const starts = await startsAt(null, duracao_min);
  const ways = new Map<string, MinutesTo>();
  /** Where and for how long others are free than without a location and a service. */
  const own = new Map<string, readonly number[]>();
  const queue: Queued[] = [];
  for (const [at, entry] of entries.entries()) {
    const [who, where, what] = [people[at]!, places[at]!, services[at]];
    const chosen = what ? offered(what, 'na_pagina') : plainClass(link);
    const minutes = chosen?.duracao_min ?? duracao_min;
    const isFar = where.status !== 'unknown' && Object.keys(where.deslocamentos).length > 0;
    if (isFar) ways.set(where.location_id, where.deslocamentos);
    const key = `${isFar ? where.location_id : ''} ${minutes}`;
    if (!own.has(key) && (isFar || minutes !== duracao_min))
      own.set(key, await startsAt(isFar ? where.location_id : null, minutes));
    const isShown =
      where.status === 'existing' &&
      showsLocation(link, { id: entry.location_id, is_active: where.is_active }) &&
      chosen !== undefined &&
      isHeldAt(chosen, entry.location_id);
    queue.push({
      entry,
      minutes,
      starts: own.get(key),
      isThere: isThere(who),
      isWelcome: isShown && !link.bloqueados.includes(entry.student_id),
    });
  }
  const away = (one: string, other: string) => ways.get(one)?.[other] ?? 0;
  const now = tx.now.getTime();
  const limits = { duracao_min, intervalo_min, antecedencia_min };
  const asked = { starts, away, now, zone: timezone, ...limits };
  for (const [waitId, events] of decideRound(queue, asked)) tx.append(waiting, waitId, events);
}
