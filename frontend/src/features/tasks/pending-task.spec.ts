import { describe, expect, it } from '@jest/globals';
import type { Task } from '../../../../backend/modules/tasks/tasks.api.js';
import type { Waiting } from '../../lib/outbox.js';
import {
  byDate,
  editNewTask,
  editTask,
  formerOf,
  isOverdue,
  moved,
  placeAt,
  placeOf,
  tasksWithPending,
} from './pending-task.js';

const task = (id: string, fields: Partial<Task> = {}): Task => ({
  id,
  titulo: id,
  descricao: null,
  data_vencimento: null,
  hora: null,
  list_id: null,
  list_nome: null,
  list_cor: null,
  repeticao: 'nao_se_repete',
  concluida: false,
  concluida_em: null,
  ...fields,
});
const write = (effect: string, subject: string, body?: object, more: Partial<Waiting> = {}): Waiting => ({
  key: `${effect} ${subject}`,
  method: 'POST',
  path: '/tasks',
  title: '',
  subject,
  effect,
  userId: 'u',
  tenantId: 't',
  at: Date.parse('2026-11-24T15:00:00Z'),
  ...(body && { body }),
  ...more,
});
const tasks = ['a', 'b', 'c'].map((id) => task(id));
const ids = (shown: readonly { id: string }[]) => shown.map(({ id }) => id).join('');

describe('tasks with the changes in the outbox', () => {
  it('are completed, edited and deleted before the server answers', () => {
    const shown = tasksWithPending(tasks, [
      write('complete-task', 'a'),
      write(
        'edit-task',
        'b',
        { titulo: 'B', list_id: 'l' },
        { shows: { list_nome: 'Casa', list_cor: 'rosa' } },
      ),
      write('delete-task', 'c', undefined, { sending: true }),
    ]);
    expect(shown).toMatchObject([
      { id: 'a', concluida: true, concluida_em: '2026-11-24T15:00:00.000Z', pendente: true },
      { id: 'b', titulo: 'B', list_id: 'l', list_nome: 'Casa', list_cor: 'rosa', pendente: true },
    ]);
  });

  it('end with the created tasks, and moved tasks are in their new place', () => {
    const body = { ...task('x'), titulo: 'Nova' };
    const made = write('create-task', 'local-1', body, { makes: true });
    const shown = tasksWithPending(tasks, [made, write('move-task', 'c', { antes_de: 'a' })]);
    expect(shown.map(({ titulo }) => titulo)).toEqual(['c', 'a', 'b', 'Nova']);
    expect(shown.at(-1)).toMatchObject({ id: 'local-1', concluida: false, pendente: true });
  });

  it('are not affected by refused changes that the user has not decided on', () => {
    const held = { held: { why: 'doubt' } as const };
    expect(tasksWithPending(tasks, [write('delete-task', 'a', undefined, held)])).toEqual(tasks);
  });
});

describe('a place in the order', () => {
  it.each([
    ['a', 2, 'bca'],
    ['c', 0, 'cab'],
    ['b', 0, 'bac'],
    ['b', 2, 'acb'],
  ])('of %s at %i gives %s', (id, index, order) => {
    expect(ids(moved(tasks, id, placeAt(tasks, id, index)!))).toBe(order);
  });

  it.each(['a', 'b', 'c'])('of %s can be restored from its old neighbour', (id) => {
    const former = placeOf(tasks, id)!;
    for (const index of [0, 1, 2]) {
      const place = placeAt(tasks, id, index);
      if (place) expect(ids(moved(moved(tasks, id, place), id, former))).toBe('abc');
    }
  });

  it('is never beside a task that was not sent yet', () => {
    expect(placeOf([task('a'), task('local-1'), task('c')], 'c')).toEqual({ depois_de: 'a' });
    expect(placeOf([task('local-1'), task('c')], 'c')).toBeNull();
  });

  it('is null for the task’s current place, and for a single task', () => {
    expect(placeAt(tasks, 'b', 1)).toBeNull();
    expect(placeAt([task('a')], 'a', 0)).toBeNull();
  });
});

it('undoing an edit restores what was removed with the date', () => {
  const dated = task('a', { data_vencimento: '2026-11-24', hora: '12:00', repeticao: 'mensalmente' });
  expect(formerOf(dated, { titulo: 'A' })).toEqual({ titulo: 'a', se_ainda: { titulo: 'A' } });
  expect(formerOf(dated, { data_vencimento: '2026-11-25' })).toEqual({
    data_vencimento: '2026-11-24',
    se_ainda: { data_vencimento: '2026-11-25' },
  });
  const undated = { data_vencimento: null, list_id: 'l' };
  expect(formerOf(dated, undated)).toEqual({
    data_vencimento: '2026-11-24',
    hora: '12:00',
    repeticao: 'mensalmente',
    list_id: null,
    se_ainda: undated,
  });
});

it.each([
  [{ data_vencimento: '2026-11-23' }, true],
  [{ data_vencimento: '2026-11-24' }, false],
  [{ data_vencimento: '2026-11-24', hora: '11:59' }, true],
  [{ data_vencimento: '2026-11-24', hora: '12:00' }, false],
  [{ data_vencimento: '2026-11-23', concluida: true }, false],
  [{}, false],
])('%j is overdue: %s', (fields, overdue) => {
  expect(isOverdue(task('a', fields), '2026-11-24', '12:00')).toBe(overdue);
});

it('a refused task opens in the form with its values', () => {
  const body = { ...task('x', { data_vencimento: '2026-11-30', hora: '07:30' }), titulo: 'Nova' };
  expect(editNewTask(write('create-task', 'local-1', body))).toMatchObject({
    to: '/agenda?ver=tarefas&novo=tarefa',
    values: { titulo: 'Nova', data_vencimento: '30/11/2026', dia_inteiro: false, hora: '07:30' },
  });
  expect(editTask(write('edit-task', 'a', { hora: null, descricao: null }))).toEqual({
    to: '/agenda?ver=tarefas&tarefa=a',
    draft: 'tarefa.a',
    values: { descricao: '', dia_inteiro: true, hora: '' },
  });
});

it('stand under the days that they are due, soonest first', () => {
  const due = (id: string, data_vencimento: string | null, hora: string | null = null) =>
    task(id, { data_vencimento, hora });
  const groups = byDate(
    [
      due('a', null),
      due('b', '2026-12-20'),
      due('c', '2026-11-25', '09:00'),
      due('d', '2026-11-25'),
      due('e', '2026-11-26'),
      due('f', '2026-11-28'),
      due('g', '2026-11-29'),
      due('h', '2026-11-01'),
      due('i', '2026-11-25', '07:30'),
    ],
    '2026-11-25',
  );
  expect(groups.map(([title, tasks]) => [title, ids(tasks)])).toEqual([
    ['Vencidas', 'h'],
    ['Hoje', 'dic'],
    ['Amanhã', 'e'],
    ['Esta semana', 'f'],
    ['Depois', 'gb'],
    ['Sem data', 'a'],
  ]);
});
