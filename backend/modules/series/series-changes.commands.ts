import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { shortDate } from '../../platform/portuguese.js';
import { cancel, change, loadSession, remove, reschedule } from '../agenda/agenda.commands.js';
import type { KnownSession, Period, SessionDetails } from '../agenda/session.js';
import type { Obstacle } from '../agenda/obstacles.api.js';
import { isTaken, obstaclesAt } from '../agenda/obstacles.queries.js';
import { existingLocation, location } from '../locations/location.js';
import { ordered, type Move } from './moves.js';
import { changedFrom, dayNumber, type Terms, termsOn } from './pattern.js';
import { localOf, placeOf, withRules } from './series.places.js';
import type { SeriesCancellation, SeriesChanges, SeriesDeletion, SeriesScope } from './series.api.js';
import { loadKnown, loadScope, type Scope } from './series.loads.js';
import { type ChangedSession, endedBefore, series, type SeriesEvent } from './series.js';

const MOST_DAYS = 6;
const MINUTE = 60_000;

/** Changes a session and the others of its series that are to come, but what was changed in one of them alone. */
export const ChangeSeries = defineCommand(
  'ChangeSeries',
  async (tx, sessionId: string, { escopo, impedidas, inicio, fim, ...details }: SeriesChanges) => {
    const scope = await loadScope(tx, sessionId, escopo);
    const { state, chosen, sessions, desde } = scope;
    const { series_id, student_id, ate } = state;
    const zone = tx.context.timezone;
    if (details.location_id) existingLocation(await tx.load(location, details.location_id));
    const to = { inicio: inicio ?? chosen.inicio, fim: fim ?? chosen.fim };
    const moves = to.inicio !== chosen.inicio || to.fim !== chosen.fim;
    const changed: Partial<Terms> = { ...details, ...(moves && timesOf(chosen, to, zone)) };
    const stretches = changedFrom(state.trechos, desde, changed);
    const trechos = withRules(state, stretches, zone);

    const wanted = moves ? movesOf(scope, stretches, to, zone) : [];
    const going = await fitting(tx, wanted, impedidas);
    for (const { session_id, permitted, ...period } of ordered(going))
      await reschedule(tx, await loadSession(tx, session_id), period, permitted);
    const before = new Map(sessions.map((one) => [one.session_id, one]));
    for (const one of sessions)
      await change(tx, await loadSession(tx, one.session_id), wishedOf(one, scope, details));

    const changes = await Promise.all(
      [...before.values()].map(async (one) => differenceOf(one, await loadSession(tx, one.session_id))),
    );
    const sessoes = changes.filter((one) => one !== null);
    const mudanca_id = randomUUID();
    const mantidas = wanted.length - going.length;
    const data = { series_id, student_id, mudanca_id, ate, trechos, escopo, desde, sessoes, mantidas };
    tx.append(series, series_id, [{ type: 'SeriesChanged', data }]);
    return { id: series_id, mudanca_id, sessoes: sessoes.length, puladas: mantidas };
  },
);

/** The terms that put the session there. @throws Problem 422 where that is another week's day */
function timesOf({ ocorrencia }: Scope['chosen'], { inicio, fim }: Period, zone: string) {
  const { data, hora } = localOf(inicio, zone);
  const deslocamento = dayNumber(data) - dayNumber(ocorrencia);
  if (Math.abs(deslocamento) > MOST_DAYS) {
    const detail = 'Uma série muda de dia em até 6 dias. Mais longe, mude só esta sessão.';
    throw new Problem('series.too_far', { detail, errors: [{ pointer: '/inicio', detail }] });
  }
  return { deslocamento, hora, duracao: Math.round((Date.parse(fim) - Date.parse(inicio)) / MINUTE) };
}

/** Where the sessions go: the chosen one, and those that stand where their terms put them. */
function movesOf(
  { state, chosen, sessions }: Scope,
  stretches: Parameters<typeof termsOn>[0],
  to: Period,
  zone: string,
): Move[] {
  return sessions.flatMap((one) => {
    const { session_id, inicio, fim, ocorrencia } = one;
    if (session_id === chosen.session_id) return [{ session_id, ...to, from: { inicio, fim } }];
    const place = placeOf(ocorrencia, termsOn(state.trechos, ocorrencia), zone);
    if (place.inicio !== inicio || place.fim !== fim) return [];
    const next = placeOf(ocorrencia, termsOn(stretches, ocorrencia), zone);
    return next.inicio === inicio && next.fim === fim ? [] : [{ session_id, ...next, from: { inicio, fim } }];
  });
}

/** What of the details a session gets: where it was changed alone, it keeps its own. */
function wishedOf(
  one: Scope['sessions'][number],
  { state, chosen }: Scope,
  details: Pick<SessionDetails, 'location_id' | 'observacoes'>,
): SessionDetails {
  if (one.session_id === chosen.session_id) return details;
  const terms = termsOn(state.trechos, one.ocorrencia);
  return {
    ...('location_id' in details &&
      one.location_id === terms.location_id && { location_id: details.location_id }),
    ...('observacoes' in details &&
      one.observacoes === terms.observacoes && { observacoes: details.observacoes }),
  };
}

/** The moves that can be made: all, but those that are impeded where these stay. @throws Problem 409 where that was not decided */
async function fitting(
  tx: CommandTransaction,
  moves: readonly Move[],
  impedidas: SeriesChanges['impedidas'],
): Promise<(Move & { permitted: boolean })[]> {
  if (moves.length === 0) return [];
  const times = moves.flatMap(({ inicio, fim, from }) =>
    [inicio, fim, from.inicio].map((at) => Date.parse(at)),
  );
  const known = await loadKnown(tx, Math.min(...times), Math.max(...times));
  const zone = tx.context.timezone;
  let going = [...moves];
  const staying: { move: Move; obstacles: Obstacle[] }[] = [];
  // One that stays may be in the way of another.
  for (;;) {
    const ids = new Set(going.map(({ session_id }) => session_id));
    const others = known.busy.filter(({ session_id }) => session_id === undefined || !ids.has(session_id));
    const found = going.map((move) => {
      const siblings = going.filter((one) => one !== move);
      const busy = [...others, ...siblings.map(spanOf)];
      const isOtherDay = localOf(move.inicio, zone).data !== localOf(move.from.inicio, zone).data;
      const obstacles = obstaclesAt(move, { ...known, busy }).filter(
        ({ tipo }) => tipo !== 'feriado' || isOtherDay,
      );
      return { move, obstacles };
    });
    if (impedidas === 'mudar')
      return found.map(({ move, obstacles }) => ({ ...move, permitted: isTaken(obstacles) }));
    const stuck = found.filter(({ obstacles }) => obstacles.length > 0);
    if (stuck.length === 0) break;
    staying.push(...stuck);
    going = found.filter(({ obstacles }) => obstacles.length === 0).map(({ move }) => move);
  }
  if (staying.length > 0 && impedidas === undefined)
    throw timesTaken(
      staying.map(({ move, obstacles }) => ({ inicio: move.inicio, obstacles })),
      `${staying.length} de ${moves.length} não cabem no novo horário`,
      zone,
    );
  return going.map((move) => ({ ...move, permitted: false }));
}

const spanOf = ({ inicio, fim }: Period) => ({ from: Date.parse(inicio), to: Date.parse(fim) });

const NAMED = 3;

/** 409 that names the first of them, with what is in the way. */
export function timesTaken(
  staying: readonly { inicio: string; obstacles: readonly Obstacle[] }[],
  words: string,
  zone: string,
): Problem {
  const named = staying
    .slice(0, NAMED)
    .map(
      ({ inicio, obstacles }) =>
        `${shortDate(localOf(inicio, zone).data)} (${obstacles.map(({ texto }) => texto).join(', ')})`,
    );
  const more = staying.length > NAMED ? ` e mais ${staying.length - NAMED}` : '';
  return new Problem('series.times_taken', {
    detail: `${words}: ${named.join('; ')}${more}.`,
  });
}

/** What changed; null where nothing did. */
function differenceOf(before: KnownSession, after: KnownSession): ChangedSession | null {
  const { session_id, inicio, fim } = after;
  const isMoved = before.inicio !== inicio || before.fim !== fim;
  const antes = {
    ...(before.location_id !== after.location_id && { location_id: before.location_id }),
    ...(before.observacoes !== after.observacoes && { observacoes: before.observacoes }),
  };
  if (!isMoved && Object.keys(antes).length === 0) return null;
  return { session_id, inicio, fim, inicio_antes: before.inicio, fim_antes: before.fim, antes };
}

/** Cancels a session as told, and the others of its series that are to come at no cost; the series ends before them. */
export const CancelSeries = defineCommand(
  'CancelSeries',
  async (tx, sessionId: string, { escopo, ...cancellation }: SeriesCancellation) => {
    const scope = await loadScope(tx, sessionId, escopo);
    const motivo = cancellation.motivo === 'personal' ? 'personal' : 'aluno_no_prazo';
    for (const one of scope.sessions)
      await cancel(tx, one, one.session_id === sessionId ? cancellation : { motivo });
    return end(tx, scope, escopo, 'cancelada');
  },
);

/** Deletes a session and the others of its series that are to come; the series ends before them. */
export const DeleteSeries = defineCommand(
  'DeleteSeries',
  async (tx, sessionId: string, { escopo }: SeriesDeletion) => {
    const scope = await loadScope(tx, sessionId, escopo);
    for (const one of scope.sessions) await remove(tx, one);
    return end(tx, scope, escopo, 'excluida');
  },
);

function end(
  tx: CommandTransaction,
  { state, sessions, desde }: Scope,
  escopo: SeriesScope,
  como: Extract<SeriesEvent, { type: 'SeriesEnded' }>['data']['como'],
) {
  const { series_id, student_id } = state;
  const ended = endedBefore(state, desde);
  const trechos = withRules({ ...state, ate: ended.ate }, ended.trechos, tx.context.timezone);
  const mudanca_id = randomUUID();
  const sessoes = sessions.map(({ session_id }) => session_id);
  const data = { series_id, student_id, mudanca_id, ate: ended.ate, trechos, escopo, desde, como, sessoes };
  tx.append(series, series_id, [{ type: 'SeriesEnded', data }]);
  return { id: series_id, mudanca_id, sessoes: sessoes.length, puladas: 0 };
}
