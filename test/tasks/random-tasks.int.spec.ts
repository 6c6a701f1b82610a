import * as fc from 'fast-check';
import { expect, it } from '@jest/globals';
import { addDays, addMonths, formatISO, parseISO } from 'date-fns';
import type { CompletedTask, Task, TaskPage } from '../../backend/modules/tasks/tasks.api.js';
import { SetClock } from '../support/clock.js';
import { signUp } from '../support/people.js';
import { rounds } from '../support/rounds.js';
import { sharedApp } from '../support/shared.js';

/** 15:00 UTC is noon in São Paulo. */
const TODAY = '2026-11-24';

const app = await sharedApp(new SetClock(new Date(`${TODAY}T15:00:00Z`)));

type Repetition = Task['repeticao'];

/** A task in the simple model that the results are compared with. */
interface Noted {
  id: string;
  titulo: string;
  data: string | null;
  repeticao: Repetition;
  /** The first date of a monthly task. */
  since: string | null;
  /** The values that its last change of date or repetition replaced. */
  was?: Pick<Noted, 'data' | 'repeticao' | 'since'> | undefined;
  done: boolean;
  next: string | null;
  touched: boolean;
}

/** The next date of a repetition, found by going through all dates from the first one on. */
function nextOf({ data, repeticao, since }: Noted): string {
  const at = (n: number) => {
    if (repeticao === 'diariamente') return addDays(parseISO(data!), n);
    if (repeticao === 'semanalmente') return addDays(parseISO(data!), 7 * n);
    return addMonths(parseISO(since!), n);
  };
  for (let n = 1; ; n += 1) {
    const date = formatISO(at(n), { representation: 'date' });
    if (date > data! && date >= TODAY) return date;
  }
}

/** Changes date or repetition; restoring the former ones also restores the date from which they count. */
function change(task: Noted, to: Partial<Pick<Noted, 'data' | 'repeticao'>>): void {
  const { data, repeticao, since, was } = task;
  const wanted = { data, repeticao, ...to };
  if (wanted.data === data && wanted.repeticao === repeticao) return;
  const isFormer = was?.data === wanted.data && was.repeticao === wanted.repeticao;
  const from = isFormer ? was.since : wanted.data;
  Object.assign(task, wanted, { since: from, was: { data, repeticao, since }, touched: true });
}

const step = fc.record({
  do: fc.constantFrom('create', 'complete', 'reopen', 'move', 'delete', 'restore', 'date', 'repeat'),
  which: fc.nat(),
  beside: fc.nat(),
  before: fc.boolean(),
  day: fc.integer({ min: 1, max: 31 }),
  month: fc.constantFrom('2026-08', '2026-10', '2026-12', '2027-01'),
  repeticao: fc.constantFrom<Repetition>('nao_se_repete', 'diariamente', 'semanalmente', 'mensalmente'),
});

it('after random edits, completions and moves the tasks equal those of a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const { api } = await signUp(app);
      /** Tasks in their order; separately, those that were deleted since the order last changed, with their former index. */
      let tasks: Noted[] = [];
      let made = 0;
      const gone: { task: Noted; at: number }[] = [];
      const dateOf = ({ month, day }: { month: string; day: number }) =>
        `${month}-${String(day).padStart(2, '0')}`;
      const remove = (task: Noted) => {
        gone.push({ task, at: tasks.indexOf(task) });
        tasks = tasks.filter((each) => each !== task);
        task.touched = true;
      };

      for (const { do: what, which, beside, before, repeticao, ...date } of steps) {
        const task = tasks[which % tasks.length];
        if (what === 'create' || !task) {
          const data = dateOf(date);
          made += 1;
          const titulo = `T${made}`;
          const { body } = await api.post('/tasks', { titulo, data_vencimento: data, repeticao });
          gone.length = 0;
          tasks.push({
            id: body.id,
            titulo,
            data,
            repeticao,
            since: data,
            done: false,
            next: null,
            touched: false,
          });
          continue;
        }
        const { id } = task;
        switch (what) {
          case 'complete': {
            const { proxima } = (await api.post<CompletedTask>(`/tasks/${id}/complete`)).body;
            if (!task.done && task.repeticao !== 'nao_se_repete') {
              const next = {
                ...task,
                id: proxima!,
                data: nextOf(task),
                done: false,
                next: null,
                was: undefined,
                touched: false,
              };
              tasks.splice(tasks.indexOf(task) + 1, 0, next);
              task.next = proxima;
              gone.length = 0;
            }
            expect(proxima).toBe(task.next);
            Object.assign(task, { done: true, touched: true });
            break;
          }
          case 'reopen': {
            await api.post(`/tasks/${id}/reopen`);
            if (!task.done) break;
            const next = tasks.find((each) => each.id === task.next);
            if (next && next.touched) task.repeticao = 'nao_se_repete';
            else if (next) remove(next);
            Object.assign(task, { done: false, next: null, touched: true });
            break;
          }
          case 'move': {
            const other = tasks[beside % tasks.length]!;
            await api.post(`/tasks/${id}/move`, before ? { antes_de: other.id } : { depois_de: other.id });
            if (other === task) break;
            gone.length = 0;
            const order = tasks.map((each) => each.id).join();
            tasks = tasks.filter((each) => each !== task);
            tasks.splice(tasks.indexOf(other) + (before ? 0 : 1), 0, task);
            // A move to the same place records nothing.
            if (tasks.map((each) => each.id).join() !== order) task.touched = true;
            break;
          }
          case 'delete':
            await api.delete(`/tasks/${id}`);
            remove(task);
            break;
          case 'restore': {
            const last = gone.pop();
            if (!last) break;
            await api.post('/tasks/restore', { ids: [last.task.id] });
            tasks.splice(last.at, 0, last.task);
            break;
          }
          case 'date': {
            const data = dateOf(date);
            await api.patch(`/tasks/${id}`, { data_vencimento: data });
            change(task, { data });
            break;
          }
          case 'repeat':
            await api.patch(`/tasks/${id}`, { repeticao });
            change(task, { repeticao });
            break;
        }
      }
      const { items } = (await api.get<TaskPage>('/tasks', { query: { limit: 100 } })).body;
      expect(
        items.map(({ id, titulo, data_vencimento, repeticao, concluida }) => ({
          id,
          titulo,
          data: data_vencimento,
          repeticao,
          done: concluida,
        })),
      ).toEqual(
        tasks.map(({ id, titulo, data, repeticao, done }) => ({ id, titulo, data, repeticao, done })),
      );
    }),
    { numRuns: rounds(8, 100) },
  );
});
