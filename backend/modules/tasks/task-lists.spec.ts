import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  decideChangeList,
  decideCreateList,
  decideDeleteList,
  decideMoveList,
  deletedList,
  isList,
  listsInOrder,
  taskLists,
  type TaskListEvent,
} from './task-lists.js';
import { MOST_LISTS } from './tasks.api.js';

const [one, other] = ['9c8b7a65-4321-4fed-8cba-0123456789ab', '1b2c3d4e-5f60-4718-92a3-b4c5d6e7f809'];
const created = (list_id: string, ordem: string, nome = 'Compras'): TaskListEvent => ({
  type: 'TaskListCreated',
  data: { list_id, nome, cor: 'azul', ordem },
});
const both = [created(one, 'a1'), created(other, 'a0', 'Alunos')];
const ids = ['4d0e1c2a-7b6f-4f5e-8a21-90b1c2d3e4f5'];
const deleted: TaskListEvent = {
  type: 'TaskListDeleted',
  data: { list_id: one, tarefas: 'movidas', para: other, ids },
};
const refusal = (code: string) => expect.objectContaining({ code });

describe('the lists of a trainer', () => {
  it('are sorted by their sort key, then by id', () => {
    const tied = created('ffffffff-0000-4000-8000-000000000000', 'a1');
    expect(listsInOrder(given(taskLists, tied, ...both)).map(({ list_id }) => list_id)).toEqual([
      other,
      one,
      'ffffffff-0000-4000-8000-000000000000',
    ]);
  });

  it('are renamed, recoloured and moved, recording only changed fields', () => {
    const lists = given(taskLists, ...both);
    expect(decideChangeList(lists, one, { nome: 'Compras', cor: 'verde' })).toEqual([
      { type: 'TaskListChanged', data: { list_id: one, cor: 'verde' } },
    ]);
    expect(decideChangeList(lists, one, { cor: 'azul' })).toEqual([]);
    expect(decideMoveList(lists, one, 'Zz')).toEqual([
      { type: 'TaskListMoved', data: { list_id: one, ordem: 'Zz' } },
    ]);
    expect(decideMoveList(lists, one, 'a1')).toEqual([]);
  });

  it('get a former name or colour back only if the changed value was not changed again', () => {
    const changed: TaskListEvent = { type: 'TaskListChanged', data: { list_id: one, cor: 'verde' } };
    const back = { cor: 'azul' as const, se_ainda: { cor: 'verde' as const } };
    expect(decideChangeList(given(taskLists, ...both, changed), one, back)).toEqual([
      { type: 'TaskListChanged', data: { list_id: one, cor: 'azul' } },
    ]);
    const renamed: TaskListEvent = { type: 'TaskListChanged', data: { list_id: one, nome: 'Mercado' } };
    expect(decideChangeList(given(taskLists, ...both, changed, renamed), one, back)).toHaveLength(1);
    const recoloured: TaskListEvent = { type: 'TaskListChanged', data: { list_id: one, cor: 'rosa' } };
    expect(() => decideChangeList(given(taskLists, ...both, changed, recoloured), one, back)).toThrow(
      refusal('changed_since'),
    );
  });

  it('are deleted, recording what happened to their tasks, and restored', () => {
    const lists = given(taskLists, ...both);
    const tasks = { tarefas: 'movidas' as const, para: other, ids };
    expect(decideDeleteList(lists, one, tasks)).toEqual([deleted]);
    const after = given(taskLists, ...both, deleted);
    expect([isList(after, one), isList(after, other), isList(after, null)]).toEqual([false, true, true]);
    expect(deletedList(after, one)).toEqual(tasks);
    expect(deletedList(after, other)).toBeNull();
    const restored: TaskListEvent = { type: 'TaskListRestored', data: { list_id: one, tarefas: 1 } };
    expect(given(taskLists, ...both, deleted, restored)).toEqual(lists);
  });

  it('are not found once deleted, and no task can be moved to them', () => {
    const after = given(taskLists, ...both, deleted);
    expect(() => decideChangeList(after, one, { nome: 'x' })).toThrow(refusal('tasks.list_not_found'));
    expect(() => decideMoveList(after, one, 'a5')).toThrow(refusal('tasks.list_not_found'));
    expect(() => decideDeleteList(after, other, { tarefas: 'movidas', para: one, ids })).toThrow(
      refusal('tasks.list_not_found'),
    );
    expect(() => deletedList(after, 'ffffffff-0000-4000-8000-000000000000')).toThrow(
      refusal('tasks.list_not_found'),
    );
  });

  it('are at most 50, restored ones included', () => {
    const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    const many = Array.from({ length: MOST_LISTS }, (_, n) => created(id(n), `a${n}`));
    const full = given(taskLists, ...both, deleted, ...many.slice(1));
    const another = { nome: 'Mais uma', cor: 'rosa' as const };
    expect(() => decideCreateList(full, id(99), another, 'b1')).toThrow(refusal('tasks.too_many_lists'));
    expect(() => deletedList(full, one)).toThrow(refusal('tasks.too_many_lists'));
  });
});
