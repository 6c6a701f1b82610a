import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Session } from '../../backend/modules/agenda/agenda.api.js';
import { caughtUp } from '../proof/read-tables.js';
import { seriesOf } from '../series/trainer.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { rounds } from '../support/rounds.js';
import { sharedApp } from '../support/shared.js';
import { expectSlotsToFollowFromTheLog } from './slots.js';
import { agendaOf } from './trainer.js';

/** Tuesday 5 January 2027, midnight in São Paulo, three hours behind UTC all year. Everything takes place on that day. */
const TUESDAY = Date.UTC(2027, 0, 5, 3);
const instant = (hour: number, from = TUESDAY) => new Date(from + hour * 3_600_000).toISOString();
const times = (hour: number, length = 1) => ({ inicio: instant(hour), fim: instant(hour + length) });

const app = await sharedApp(new SetClock(new Date(TUESDAY)));

async function newTrainer() {
  const { api, tenantId } = await signUp(app);
  const agenda = agendaOf(api);
  const students = await Promise.all(['Ana', 'Bia', 'Caio', 'Davi'].map((nome) => agenda.student(nome)));
  return { api, tenantId, agenda, series: seriesOf(api), students };
}

async function expectRebuilds(...names: string[]): Promise<void> {
  await caughtUp(await testDatabase());
  for (const name of names) await expectRebuildToEqualLive(app, name);
}

/** A session in the model. */
interface Noted {
  id: string;
  student: string;
  start: string;
  end: string;
  status: Session['status'];
  group: string | null;
  place: string | null;
  deleted: boolean;
}

const step = fc.record({
  do: fc.constantFrom(
    ...(['book', 'group', 'group', 'add', 'add', 'move', 'move', 'place', 'complete', 'complete'] as const),
    ...(['reopen', 'cancel', 'remove', 'restore', 'completeAll', 'undo'] as const),
  ),
  nth: fc.nat(50),
  who: fc.nat(3),
  hour: fc.integer({ min: 7, max: 12 }),
  length: fc.constantFrom(0.5, 1, 1.5),
  anyway: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
});

const occupies = ({ status, deleted }: Noted) => !deleted && status !== 'cancelada';
const isOf = (one: Noted, other: Noted) => one === other || (one.group !== null && one.group === other.group);
/** Scheduled sessions of the same hour move together. */
const isMate = (one: Noted, other: Noted) =>
  isOf(one, other) &&
  [one, other].every(({ status, deleted }) => status === 'agendada' && !deleted) &&
  one.start === other.start &&
  one.end === other.end;

it('random edits of shared hours give the same result as a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 22 }), async (steps) => {
      const { api, tenantId, agenda, series, students } = await newTrainer();
      const gym = await agenda.location();
      const noted: Noted[] = [];
      let last: string[] = [];
      const isTaken = (at: Pick<Noted, 'start' | 'end'>, own: (other: Noted) => boolean) =>
        noted.some((one) => occupies(one) && !own(one) && one.start < at.end && at.start < one.end);
      const nobody = () => false;

      for (const one of steps) {
        const at = times(one.hour, one.length);
        const period = { start: at.inicio, end: at.fim };
        const conflict = { permitir_conflito: one.anyway };
        const student_id = students[one.who]!;
        const present = noted.filter(({ deleted }) => deleted === (one.do === 'restore'));
        const chosen = present[one.nth % (present.length || 1)];
        const note = (
          answer: { id: string; session_ids?: string[] },
          who: string[],
          more: Partial<Noted> = {},
        ) => {
          last = answer.session_ids ?? [answer.id];
          for (const [n, student] of who.entries())
            noted.push({
              id: last[n]!,
              student,
              ...period,
              status: 'agendada',
              group: null,
              place: null,
              deleted: false,
              ...more,
            });
        };
        /** Sends a request; `isFine` tells whether it has to succeed. */
        const asks = async (method: string, path: string, body: object, isFine: boolean) => {
          const answer = await api.request<{ id: string; session_ids?: string[] }>(method, `/api/v1${path}`, {
            body,
          });
          expect([one.do, path, answer.status < 300]).toEqual([one.do, path, isFine]);
          return isFine ? answer.body : null;
        };
        const isFree = (own: (other: Noted) => boolean, where = period) => one.anyway || !isTaken(where, own);

        if (one.do === 'book') {
          const done = await asks('POST', '/sessions', { student_id, ...at, ...conflict }, isFree(nobody));
          if (done) note(done, [student_id]);
        } else if (one.do === 'group') {
          const student_ids = [student_id, students[(one.who + 1) % students.length]!];
          const done = await asks(
            'POST',
            '/sessions/groups',
            { student_ids, ...at, ...conflict },
            isFree(nobody),
          );
          if (done) note(done, student_ids, { group: done.id });
        } else if (one.do === 'undo') {
          if (last.length === 0) continue;
          const there = noted.filter(({ id, deleted }) => last.includes(id) && !deleted);
          // Refused if all of them were settled meanwhile.
          const isFine = there.length === 0 || there.some(({ status }) => status === 'agendada');
          await asks('POST', '/sessions/undo-bookings', { session_ids: last }, isFine);
          for (const gone of noted)
            if (last.includes(gone.id) && gone.status === 'agendada') gone.deleted = true;
        } else if (chosen) {
          const { id, start, end, status, group } = chosen;
          const own = (other: Noted) => isOf(chosen, other);
          const here = { start, end };
          /** The sessions that do not conflict with it: itself, and those of its group's other students that begin at the same time. */
          const sharing = (from: string) => (other: Noted) =>
            other === chosen || (own(other) && other.start === from && other.student !== chosen.student);
          const hour = noted.filter((other) => own(other) && !other.deleted);
          if (one.do === 'add') {
            const there = hour.filter((other) => occupies(other) && other.start === start);
            const isNew = there.every(({ student }) => student !== student_id) && there.length < 6;
            const isFine = status !== 'cancelada' && isNew && isFree(sharing(start), here);
            const done = await asks(
              'POST',
              `/sessions/${id}/students`,
              { student_ids: [student_id], ...conflict },
              isFine,
            );
            if (!done) continue;
            chosen.group = done.id;
            note(done, [student_id], { ...here, group: done.id, place: chosen.place });
          } else if (one.do === 'move') {
            const isMoved = period.start !== start || period.end !== end;
            const stays = (other: Noted) => !isMate(chosen, other) && !sharing(period.start)(other);
            const isFine = !isMoved || status === 'cancelada' || isFree((other) => !stays(other));
            const done = await asks('PATCH', `/sessions/${id}`, { ...at, ...conflict }, isFine);
            if (!done) continue;
            const mates = hour.filter((other) => other === chosen || isMate(chosen, other));
            for (const each of mates) Object.assign(each, period);
          } else if (one.do === 'place') {
            await asks('PATCH', `/sessions/${id}`, { location_id: gym }, true);
            for (const each of hour) if (each === chosen || isMate(chosen, each)) each.place = gym;
          } else if (one.do === 'complete') {
            const isFine = status !== 'feita' && (status === 'agendada' || isFree(sharing(start), here));
            if (await asks('POST', `/sessions/${id}/complete`, conflict, isFine)) chosen.status = 'feita';
          } else if (one.do === 'reopen') {
            const isFine = status === 'feita' || (status === 'cancelada' && isFree(sharing(start), here));
            if (await asks('POST', `/sessions/${id}/reopen`, conflict, isFine)) chosen.status = 'agendada';
          } else if (one.do === 'cancel') {
            const done = await asks(
              'POST',
              `/sessions/${id}/cancel`,
              { motivo: 'personal' },
              status !== 'cancelada',
            );
            if (done) chosen.status = 'cancelada';
          } else if (one.do === 'remove') {
            await agenda.remove(id);
            chosen.deleted = true;
          } else if (one.do === 'restore') {
            const isFine = status === 'cancelada' || isFree(sharing(start), here);
            if (await asks('POST', `/sessions/${id}/restore`, conflict, isFine)) chosen.deleted = false;
          } else if (group !== null) {
            const open = hour.filter((other) => other.status === 'agendada');
            if (await asks('POST', `/sessions/groups/${group}/complete`, {}, open.length > 0))
              for (const each of open) each.status = 'feita';
          }
        }
        expect(
          (await series.sessions())
            .map((each) => [
              each.id,
              each.student_id,
              each.inicio,
              each.fim,
              each.status,
              each.grupo_id,
              each.location_id,
            ])
            .toSorted(),
        ).toEqual(
          noted
            .filter(({ deleted }) => !deleted)
            .map((each) => [each.id, each.student, each.start, each.end, each.status, each.group, each.place])
            .toSorted(),
        );
      }
      await expectSlotsToFollowFromTheLog(app, tenantId);
    }),
    { numRuns: rounds(4, 40) },
  );
  // Random edits may book nothing.
  const { agenda, students } = await newTrainer();
  await agenda.book({ student_id: students[0], ...times(7) });
  await expectRebuilds('sessions');
});

const racer = fc.record({
  do: fc.constantFrom(
    ...(['book', 'group', 'add', 'move', 'moveDuo', 'moveSeries', 'startSeries'] as const),
    ...(['joinSeries', 'startShared', 'undoSeries', 'reopen', 'restore', 'copyWeek'] as const),
  ),
  who: fc.nat(3),
  nth: fc.nat(7),
  hour: fc.integer({ min: 7, max: 13 }),
});

it('no two sessions overlap without permission, whatever is done concurrently', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(racer, { minLength: 20, maxLength: 30 }), async (racers) => {
      const { api, tenantId, agenda, series, students } = await newTrainer();
      const [ana, bia, caio, davi] = students;
      const plan = (student_id: string | undefined, hour: number, more: object = {}) => ({
        student_id,
        data: '2027-01-05',
        hora: `${String(hour).padStart(2, '0')}:00`,
        duracao: 60,
        dias: [2],
        intervalo: 1,
        vezes: 4,
        ...more,
      });
      await series.start(plan(ana, 7, { dias: [2, 4], vezes: 8 }));
      const fixed = (await series.sessions()).map(({ id }) => id);
      await series.start(plan(davi, 13));
      const [gone] = (await series.sessions()).filter(({ student_id }) => student_id === davi);
      const deleted = await series.remove(gone!.id, 'todas');
      const { body: duo } = await api.post<{ session_ids: string[] }>('/sessions/groups', {
        student_ids: [bia, caio],
        ...times(9),
      });
      const single = await agenda.book({ student_id: caio, ...times(10) });
      const cancelled = await agenda.book({ student_id: bia, ...times(11) });
      await agenda.cancel(cancelled);
      const removed = await agenda.book({ student_id: bia, ...times(12) });
      await agenda.remove(removed);

      const send = (method: string, path: string, body: object) =>
        api.request<{ code?: string }>(method, `/api/v1${path}`, { body });
      const answers = await Promise.all(
        racers.map(({ do: what, who, nth, hour }) => {
          const at = times(hour);
          const student_id = students[who]!;
          const session = fixed[nth]!;
          switch (what) {
            case 'book':
              return send('POST', '/sessions', { student_id, ...at });
            case 'group':
              return send('POST', '/sessions/groups', { student_ids: [ana, bia], ...at });
            case 'add':
              return send('POST', `/sessions/${single}/students`, { student_ids: [student_id] });
            case 'move':
              return send('PATCH', `/sessions/${nth % 2 ? single : session}`, at);
            case 'moveDuo':
              return send('PATCH', `/sessions/${duo.session_ids[nth % 2]}`, at);
            case 'moveSeries':
              return send('PATCH', `/sessions/${fixed[0]}/series`, { escopo: 'todas', ...at });
            case 'startSeries':
              return send('POST', '/series', plan(student_id, hour));
            case 'joinSeries':
              return send('POST', `/sessions/${session}/series/students`, {
                escopo: nth % 2 ? 'todas' : 'proximas',
                student_ids: [students[1 + (who % 3)]],
              });
            case 'startShared':
              return send(
                'POST',
                '/series',
                plan(student_id, hour, { outros_alunos: [students[(who + 1) % 4]] }),
              );
            case 'undoSeries':
              return send('POST', `/series/${deleted.id}/undo`, { mudanca_id: deleted.mudanca_id });
            case 'reopen':
              return send('POST', `/sessions/${cancelled}/reopen`, {});
            case 'restore':
              return send('POST', `/sessions/${removed}/restore`, {});
            case 'copyWeek':
              return send('POST', '/sessions/week-copy', { session_ids: [single, ...duo.session_ids] });
          }
        }),
      );
      expect(answers.filter(({ status }) => ![200, 201, 409].includes(status))).toEqual([]);

      const taking = (await series.sessions()).filter(({ status }) => status !== 'cancelada');
      for (const one of taking)
        for (const other of taking) {
          const isHour = one.grupo_id !== null && one.grupo_id === other.grupo_id;
          const isShared = one.id === other.id || (isHour && one.inicio === other.inicio);
          if (!isShared && one.inicio < other.fim && other.inicio < one.fim)
            throw new Error(`${one.inicio}–${one.fim} meets ${other.inicio}–${other.fim}`);
        }
      await expectSlotsToFollowFromTheLog(app, tenantId);
    }),
    { numRuns: rounds(3, 30) },
  );
  await expectRebuilds('sessions', 'series');
});
