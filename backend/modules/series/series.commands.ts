import { randomUUID } from 'node:crypto';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { loadSession } from '../agenda/agenda.commands.js';
import { loadAgreed } from '../services/services.commands.js';
import { existingLocation, location } from '../locations/location.js';
import { activeStudent, student } from '../students/student.js';
import { hasNoSessionsOn, studentPause } from '../away/student-pause.js';
import { datesOf, daysAfter, firstOn, lastOf, type Pattern, termsOn } from './pattern.js';
import { timesOn, withRules } from './series.times.js';
import { MOST_SESSIONS, type NewSeries, type Recurrence } from './series.api.js';
import { bookDates, horizonOf, loadSeries } from './series.loads.js';
import { shareHours } from './series-members.commands.js';
import { existingSeries, series } from './series.js';

/** The pattern of a requested recurrence. */
export function patternOf({ data, dias, intervalo, ate, vezes }: Recurrence): Pattern {
  const pattern = {
    dias: dias.toSorted((one, other) => one - other),
    intervalo,
    inicio: firstOn(data, dias),
  };
  return { ...pattern, ate: vezes ? lastOf(pattern, vezes) : (ate ?? null) };
}

/** @throws Problem 422 if there is no date, or more than `MOST_SESSIONS` */
export function plannedDates(pattern: Pattern, now: Date, zone: string): { until: string; dates: string[] } {
  const until = horizonOf(pattern, now, zone);
  const end = pattern.ate ?? until;
  const dates = datesOf(pattern, pattern.inicio, end, MOST_SESSIONS + 1);
  if (dates.length === 0)
    throw new Problem('series.no_dates', {
      detail: 'Nenhum dos dias escolhidos cai antes do fim.',
      errors: [{ pointer: '/ate', detail: 'Nenhum dos dias escolhidos cai antes do fim' }],
    });
  if (dates.length > MOST_SESSIONS) {
    const detail = `Um horário fixo com fim tem no máximo ${MOST_SESSIONS} sessões. Escolha um fim mais próximo, ou nenhum.`;
    throw new Problem('series.too_long', { detail, errors: [{ pointer: '/ate', detail }] });
  }
  return { until: end, dates };
}

/**
 * Books all sessions of a series at once, also for the other students who share its hours. Dates with obstacles are skipped or
 * booked anyway, as requested.
 */
export const StartSeries = defineCommand('StartSeries', async (tx, wanted: NewSeries) => {
  const { student_id, outros_alunos, location_id = null, vezes = null, pular, mesmo_assim } = wanted;
  const { timezone } = tx.context;
  const [series_id, mudanca_id] = [randomUUID(), randomUUID()];
  const pattern = patternOf(wanted);
  const { until, dates } = plannedDates(pattern, tx.now, timezone);
  const { hora, duracao, observacoes = null, service_id } = wanted;
  const [servico, where, ...who] = await Promise.all([
    loadAgreed(tx, service_id),
    location_id === null ? undefined : tx.load(location, location_id),
    ...[student_id, ...outros_alunos].map((id) => tx.load(student, id)),
  ]);
  for (const one of who) activeStudent(one);
  if (outros_alunos.includes(student_id)) throw new Problem('agenda.already_in_group');
  if (where) existingLocation(where);
  const terms = { deslocamento: 0, hora, duracao, location_id, observacoes, ...(servico && { servico }) };
  const trechos = withRules(pattern, [{ desde: pattern.inicio, ...terms }], timezone);

  const undecided: string[] = [];
  const about = { series_id, student_id };
  const turma_id = outros_alunos.length > 0 ? randomUUID() : null;
  const fresh = { ...about, trechos, turma_id };
  const { sessoes, puladas } = await bookDates(tx, fresh, dates, (data, obstacles) => {
    if (pular.includes(data)) return 'skip';
    if (obstacles.length > 0 && !mesmo_assim.includes(data)) undecided.push(data);
    return 'book';
  });
  if (undecided.length > 0)
    throw new Problem('series.agenda_changed', {
      detail: 'Há datas com conflito que você ainda não viu. Confira a lista de novo.',
      datas: undecided,
    });
  if (sessoes.length === 0)
    throw new Problem('series.no_dates', {
      detail: 'Todas as datas foram puladas: não há nada para agendar.',
    });
  const filled = { preenchida_ate: until, sessoes, puladas };
  tx.append(series, series_id, [
    {
      type: 'SeriesStarted',
      data: { ...about, mudanca_id, ...pattern, trechos, ...filled, vezes, timezone },
    },
  ]);
  const own = { id: series_id, mudanca_id, sessoes: sessoes.length, puladas: puladas.length };
  if (turma_id === null) return own;
  tx.append(series, series_id, [{ type: 'SeriesJoined', data: { ...about, turma_id } }]);
  const state = existingSeries(await tx.load(series, series_id));
  const sessions = await Promise.all(
    sessoes.map(async ({ data, session_id }) => ({
      ...(await loadSession(tx, session_id)),
      ocorrencia: data,
    })),
  );
  const hours = { state, sessions, desde: pattern.inicio, mates: [], turma_id, trechos, mudanca_id, puladas };
  const others = await shareHours(tx, hours, outros_alunos);
  return { ...own, sessoes: own.sessoes + others.sessoes };
});

/**
 * Books the next sessions of a series without an end. Skips dates with obstacles, and leaves out past dates. Dates in a pause that
 * cancels the student's sessions are left out until the pause ends; if that is earlier, they are booked. Does nothing while the
 * student is inactive.
 */
export const FillSeries = defineCommand('FillSeries', async (tx, id: string) => {
  const state = await loadSeries(tx, id);
  if (!state || state.removida || state.ate !== null) return { id, sessoes: 0 };
  const { student_id, trechos, pausadas } = state;
  const { timezone } = tx.context;
  const horizon = horizonOf(state, tx.now, timezone);
  const preenchida_ate = horizon > state.preenchida_ate ? horizon : state.preenchida_ate;
  const [who, pause] = await Promise.all([tx.load(student, student_id), tx.load(studentPause, student_id)]);
  if (who.status !== 'active' || who.nome === null) return { id, sessoes: 0 };
  const startOn = (data: string) => new Date(timesOn(data, termsOn(trechos, data), timezone).inicio);
  const isPaused = (data: string) => hasNoSessionsOn(pause, dateOf(startOn(data), timezone));
  const again = pausadas.filter((data) => !isPaused(data) && datesOf(state, data, data).length > 0);
  const dates = [
    ...again.toSorted(),
    ...datesOf(state, daysAfter(state.preenchida_ate, 1), preenchida_ate),
  ].filter((data) => startOn(data) > tx.now);
  if (preenchida_ate === state.preenchida_ate && dates.length === 0) return { id, sessoes: 0 };
  const filled = await bookDates(tx, state, dates, (data, obstacles) => {
    if (isPaused(data)) return 'pausa';
    return obstacles.length === 0 ? 'book' : 'skip';
  });
  tx.append(series, id, [
    { type: 'SeriesExtended', data: { series_id: id, student_id, preenchida_ate, ...filled } },
  ]);
  return { id, sessoes: filled.sessoes.length };
});

/** Converts the stretches of series to the trainer's current time zone, so that they match the times of their sessions. */
export const FollowZone = defineCommand('FollowZone', async (tx, ids: readonly string[]) => {
  for (const id of ids) await loadSeries(tx, id);
  return { ids };
});
