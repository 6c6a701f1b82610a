import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MOST_SESSIONS, type SeriesDone, type SeriesScope } from '../../backend/modules/series/series.api.js';
import { agendaOf } from '../agenda/trainer.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';
import { rounds } from '../support/rounds.js';
import { sharedApp } from '../support/shared.js';
import { seriesOf } from './trainer.js';

/**
 * Compares a series of a year under random edits with a model without rules: it stores each session, and for each date
 * of the pattern the session that would be there, in lists.
 */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Monday 4 January 2027, midnight in São Paulo, three hours behind UTC all year. */
const START = Date.UTC(2027, 0, 4, 3);
const WEEKS = 52;

interface Terms {
  shift: number;
  hour: number;
  length: number;
  place: number | null;
}
interface Session extends Terms {
  /** Days from START. */
  base: number;
  at: number;
  end: number;
  status: 'agendada' | 'feita' | 'cancelada';
}
interface World {
  now: number;
  sessions: Session[];
  /** The wanted number of dates; null once it was ended. */
  times: number | null;
  /** By day; none after the end of the series. `isIn`: a day of the pattern. */
  plan: Map<number, Terms & { isIn: boolean }>;
}

const nth = fc.nat(200);
const scope = fc.constantFrom<SeriesScope[]>('proximas', 'todas');
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('move' as const),
      nth,
      scope,
      days: fc.integer({ min: -2, max: 2 }),
      hour: fc.integer({ min: 5, max: 20 }),
      length: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('place' as const), nth, scope, place: fc.option(fc.nat(1)) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('one' as const),
      nth,
      days: fc.integer({ min: -3, max: 3 }),
      hour: fc.integer({ min: 5, max: 20 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('placeOne' as const), nth, place: fc.option(fc.nat(1)) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('complete' as const), nth }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('end' as const),
      nth,
      scope,
      by: fc.constantFrom('cancel' as const, 'remove' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('days' as const),
      nth,
      scope,
      dias: fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('undo' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }),
  },
);

const atTerms = (base: number, { shift, hour }: Terms) => START + (base + shift) * DAY + hour * HOUR;
const endTerms = (base: number, terms: Terms) => atTerms(base, terms) + terms.length * HOUR;
const isComing = (world: World, { status, at }: Session) => status === 'agendada' && at > world.now;

function scoped(world: World, chosen: Session, wide: SeriesScope): Session[] {
  return world.sessions.filter(
    (one) => isComing(world, one) && (wide === 'todas' || one.base >= chosen.base),
  );
}

/** The expected result; false if the system has to refuse. */
function apply(
  world: World,
  chosen: Session,
  wide: SeriesScope,
  change: Partial<Terms> & { moved: boolean },
): boolean {
  const meant = scoped(world, chosen, wide);
  const from = firstOf(chosen, meant);
  const { moved, ...terms } = change;
  for (const one of meant) {
    const before = world.plan.get(one.base);
    const stands = before && one.at === atTerms(one.base, before) && one.end === endTerms(one.base, before);
    if (moved && (one === chosen || stands)) {
      one.at = atTerms(one.base, { ...before!, ...terms });
      one.end = endTerms(one.base, { ...before!, ...terms });
    }
    if ('place' in terms && (one === chosen || one.place === before?.place)) one.place = terms.place ?? null;
  }
  for (const [base, before] of world.plan) if (base >= from) world.plan.set(base, { ...before, ...terms });
  return true;
}

/** The first day that a change of these sessions affects. */
const firstOf = (chosen: Session, meant: readonly Session[]) =>
  Math.min(chosen.base, ...meant.map(({ base }) => base));

/** The expected result of other weekdays; null if the system has to refuse. */
function changeDays(world: World, chosen: Session, wide: SeriesScope, dias: readonly number[]): World | null {
  const next = structuredClone(world);
  const meant = scoped(
    next,
    next.sessions.find(({ base }) => base === chosen.base)!,
    wide,
  );
  const from = firstOf(chosen, meant);
  const fresh: Session[] = [];
  const last = Math.max(...next.plan.keys());
  for (let more = last + 1; next.times !== null && more <= last + 7 * next.times; more += 1)
    next.plan.set(more, { ...next.plan.get(last)!, isIn: false });
  let count = [...next.plan].filter(([base, { isIn }]) => base < from && isIn).length;
  for (const [base, terms] of [...next.plan].sort(([one], [other]) => one - other)) {
    if (base < from) continue;
    // START is a Monday.
    const isDay = dias.includes((((1 + base + terms.shift) % 7) + 7) % 7);
    const isIn = isDay && (next.times === null || count < next.times);
    if (isIn) count += 1;
    const { shift, hour, length, place } = terms;
    const its = { base, shift, hour, length, place, at: atTerms(base, terms), end: endTerms(base, terms) };
    const isThere = next.sessions.some((one) => one.base === base);
    if (isIn && !terms.isIn && !isThere && its.at > next.now) fresh.push({ ...its, status: 'agendada' });
    next.plan.set(base, { ...terms, isIn });
  }
  const staying = meant.filter(({ base }) => next.plan.get(base)!.isIn);
  if (fresh.length > MOST_SESSIONS || staying.length + fresh.length === 0) return null;
  const kept = next.sessions.filter((one) => !meant.includes(one) || staying.includes(one));
  next.sessions = [...kept, ...fresh];
  return next;
}

const clock = new SetClock(new Date(START));

const app = await sharedApp(clock);

it('a series of a year equals the list of its sessions after any edits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 6, maxLength: 14 }), async (commands) => {
      clock.at = new Date(START);
      const { api, tenantId } = await signUp(app);
      const agenda = agendaOf(api);
      const series = seriesOf(api);
      const places = [await agenda.location('Parque'), await agenda.location('Academia')];
      const placeOf = (place: number | null) => (place === null ? null : places[place]!);
      const first = { shift: 0, hour: 7, length: 1, place: 0 };
      const bases = Array.from({ length: WEEKS }, (_, week) => [week * 7 + 1, week * 7 + 3]).flat();
      const world: World = {
        now: START,
        times: bases.length,
        sessions: bases.map((base) => ({
          base,
          ...first,
          at: atTerms(base, first),
          end: endTerms(base, first),
          status: 'agendada',
        })),
        plan: new Map(
          Array.from({ length: bases.at(-1)! + 1 }, (_, base) => [
            base,
            { ...first, isIn: bases.includes(base) },
          ]),
        ),
      };
      const dates = bases.map((base) => new Date(START + base * DAY).toISOString().slice(0, 10));
      await series.start({
        student_id: await agenda.student('Ana'),
        location_id: places[0],
        data: dates[0],
        hora: '07:00',
        duracao: 60,
        dias: [2, 4],
        intervalo: 1,
        vezes: bases.length,
        mesmo_assim: dates,
      });
      let undoable: { done: SeriesDone; before: World } | null = null;

      for (const one of commands) {
        const live = world.sessions;
        const found = await series.sessions();
        const ids = new Map(found.map(({ ocorrencia, id }) => [ocorrencia, id]));
        const held = live.filter(({ at }) => at < world.now + DAY);
        const among = one.type === 'complete' && held.length > 0 ? held : live;
        const chosen = 'nth' in one ? among[one.nth % among.length] : undefined;
        const idOf = ({ base }: Session) => ids.get(new Date(START + base * DAY).toISOString().slice(0, 10))!;
        const times = ({ at, end }: { at: number; end: number }) => ({
          inicio: new Date(at).toISOString(),
          fim: new Date(end).toISOString(),
        });
        const before = structuredClone(world);
        let done: SeriesDone | null = null;
        if (one.type === 'wait') {
          world.now += one.days * DAY;
          clock.at = new Date(world.now);
        } else if (one.type === 'undo') {
          if (!undoable) continue;
          await series.undo(undoable.done, { permitir_conflito: true });
          Object.assign(world, undoable.before);
        } else if (!chosen) continue;
        else if (one.type === 'complete') {
          if (chosen.status !== 'agendada') continue;
          if (held.includes(chosen)) {
            await agenda.complete(idOf(chosen));
            chosen.status = 'feita';
          } else await agenda.refused(422, 'POST', `/sessions/${idOf(chosen)}/complete`);
        } else if (!isComing(world, chosen)) {
          if (!('scope' in one)) continue;
          const body = { escopo: one.scope, observacoes: 'x' };
          expect((await agenda.refused(409, 'PATCH', `/sessions/${idOf(chosen)}/series`, body)).code).toBe(
            'series.settled',
          );
        } else if (one.type === 'one') {
          const at = START + (chosen.base + one.days) * DAY + one.hour * HOUR;
          Object.assign(chosen, { at, end: at + HOUR });
          await agenda.patch(idOf(chosen), { ...times(chosen), permitir_conflito: true });
        } else if (one.type === 'placeOne') {
          await agenda.patch(idOf(chosen), { location_id: placeOf(one.place) });
          chosen.place = one.place;
        } else if (one.type === 'place') {
          const body = { location_id: placeOf(one.place) };
          done = await series.change(idOf(chosen), one.scope, body);
          apply(world, chosen, one.scope, { place: one.place, moved: false });
        } else if (one.type === 'days') {
          const body = { escopo: one.scope, dias: one.dias, impedidas: 'mudar' };
          const next = changeDays(world, chosen, one.scope, one.dias);
          if (next) {
            done = await series.change(idOf(chosen), one.scope, body);
            Object.assign(world, next);
          } else await agenda.refused(422, 'PATCH', `/sessions/${idOf(chosen)}/series`, body);
        } else if (one.type === 'move') {
          const terms = { shift: one.days, hour: one.hour, length: one.length };
          const to = {
            at: atTerms(chosen.base, { ...first, ...terms }),
            end: endTerms(chosen.base, { ...first, ...terms }),
          };
          if (to.at === chosen.at && to.end === chosen.end) continue;
          done = await series.change(idOf(chosen), one.scope, { ...times(to), impedidas: 'mudar' });
          apply(world, chosen, one.scope, { ...terms, moved: true });
        } else {
          done = await series[one.by](idOf(chosen), one.scope);
          const meant = scoped(world, chosen, one.scope);
          const from = firstOf(chosen, meant);
          if (one.by === 'cancel') for (const each of meant) each.status = 'cancelada';
          else world.sessions = world.sessions.filter((each) => !meant.includes(each));
          for (const base of world.plan.keys()) if (base >= from) world.plan.delete(base);
          world.times = null;
        }
        undoable = done ? { done, before } : null;
        const shown = await series.sessions();
        expect(
          shown
            .map(({ ocorrencia, inicio, fim, status, location_id }) => [
              ocorrencia,
              inicio,
              fim,
              status,
              location_id,
            ])
            .sort(),
        ).toEqual(
          world.sessions
            .map((each) => [
              new Date(START + each.base * DAY).toISOString().slice(0, 10),
              times(each).inicio,
              times(each).fim,
              each.status,
              placeOf(each.place),
            ])
            .sort(),
        );
        if (world.sessions.length === 0) break;
      }
      const [slots] = await (
        await testDatabase()
      ).query<{ same: boolean }>(
        `select (select range_agg(during) from session_slots where tenant_id = $1) is not distinct from
          (select range_agg(during) from session_slot_members where tenant_id = $1) as same`,
        [tenantId],
      );
      expect(slots).toEqual({ same: true });
    }),
    { numRuns: rounds(3, 30) },
  );
});
