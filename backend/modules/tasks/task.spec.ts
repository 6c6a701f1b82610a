import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  decideComplete,
  decideCreate,
  decideDelete,
  decideMove,
  decideReopen,
  decideRestore,
  decideUpdate,
  type KnownTask,
  task,
  type TaskEvent,
} from './task.js';

const task_id = '4d0e1c2a-7b6f-4f5e-8a21-90b1c2d3e4f5';
const next_id = '6a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d';
const list_id = '9c8b7a65-4321-4fed-8cba-0123456789ab';

const created = (fields: object = {}): TaskEvent => ({
  type: 'TaskCreated',
  data: {
    task_id,
    titulo: 'Comprar elásticos',
    descricao: null,
    data_vencimento: '2026-11-30',
    hora: '07:30',
    list_id,
    rrule: null,
    ordem: 'a1',
    anterior: null,
    ...fields,
  },
});
const repeated = created({ rrule: 'FREQ=DAILY' });
const nextCreated = created({ task_id: next_id, anterior: task_id, rrule: 'FREQ=DAILY', ordem: 'a2' });
const completed: TaskEvent = {
  type: 'TaskCompleted',
  data: { task_id, concluida_em: '2026-11-30T14:00:00.000Z', proxima: next_id },
};
const deleted: TaskEvent = { type: 'TaskDeleted', data: { task_id } };
const known = (...events: TaskEvent[]) => given(task, ...events) as KnownTask;
const refusal = (code: string) => expect.objectContaining({ code });

const now = { at: '2026-11-30T14:00:00.000Z', today: '2026-11-30' };
const next = { task_id: next_id, ordem: 'a2' };

describe('a task', () => {
  it('is created with the recurrence rule of its repetition and date', () => {
    const fields = { titulo: 'Pagar academia', descricao: null, hora: null, list_id: null };
    expect(
      decideCreate(task_id, { ...fields, data_vencimento: '2026-12-10', repeticao: 'mensalmente' }, 'a0'),
    ).toEqual([
      {
        type: 'TaskCreated',
        data: {
          task_id,
          ...fields,
          data_vencimento: '2026-12-10',
          rrule: 'FREQ=MONTHLY;BYMONTHDAY=10',
          ordem: 'a0',
          anterior: null,
        },
      },
    ]);
  });

  it('records only changed fields, and adapts its recurrence rule to a new date', () => {
    expect(decideUpdate(known(created()), { titulo: 'Comprar elásticos', hora: null })).toEqual([
      { type: 'TaskUpdated', data: { task_id, hora: null } },
    ]);
    expect(decideUpdate(known(created()), { titulo: 'Comprar elásticos' })).toEqual([]);
    expect(decideUpdate(known(created()), { repeticao: 'semanalmente' })).toEqual([
      { type: 'TaskUpdated', data: { task_id, rrule: 'FREQ=WEEKLY;BYDAY=MO' } },
    ]);
    const weekly = known(created({ rrule: 'FREQ=WEEKLY;BYDAY=MO' }));
    expect(decideUpdate(weekly, { data_vencimento: '2026-12-01' })).toEqual([
      {
        type: 'TaskUpdated',
        data: { task_id, data_vencimento: '2026-12-01', rrule: 'FREQ=WEEKLY;BYDAY=TU' },
      },
    ]);
  });

  it('stays on the 31st after a shorter month, unless its date is changed', () => {
    const rrule = 'FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1';
    const february = known(created({ data_vencimento: '2027-02-28', rrule }));
    expect(decideUpdate(february, { titulo: 'Fechar o mês', repeticao: 'mensalmente' })).toEqual([
      { type: 'TaskUpdated', data: { task_id, titulo: 'Fechar o mês' } },
    ]);
  });

  it('is changed back if it is unchanged since it was read, and not over a newer change of the same field', () => {
    const edited = [
      created(),
      ...decideUpdate(known(created()), { titulo: 'Faixas', repeticao: 'diariamente' }),
    ];
    const back = {
      titulo: 'Comprar elásticos',
      repeticao: 'nao_se_repete',
      se_ainda: { titulo: 'Faixas', repeticao: 'diariamente' },
    } as const;
    const beside = decideUpdate(known(...edited), { descricao: 'Leves' });
    expect(decideUpdate(known(...edited, ...beside), back)).toEqual([
      { type: 'TaskUpdated', data: { task_id, titulo: 'Comprar elásticos', rrule: null } },
    ]);
    for (const newer of [{ titulo: 'Halteres' }, { repeticao: 'semanalmente' } as const]) {
      const state = known(...edited, ...decideUpdate(known(...edited), newer));
      expect(() => decideUpdate(state, back)).toThrow(refusal('changed_since'));
    }
  });

  it('has exactly its former rule again if date and repetition are restored', () => {
    const rrule = 'FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1';
    const february = created({ data_vencimento: '2027-02-28', rrule });
    const undone = (
      changes: Parameters<typeof decideUpdate>[1],
      former: Parameters<typeof decideUpdate>[1],
    ) => decideUpdate(known(february, ...decideUpdate(known(february), changes)), former)[0]!.data;
    const date = { data_vencimento: '2027-02-28', repeticao: 'mensalmente' } as const;
    expect(undone({ data_vencimento: '2027-03-05' }, date)).toMatchObject({ rrule });
    expect(undone({ data_vencimento: null }, { ...date, hora: '07:30' })).toMatchObject({ rrule });
    expect(undone({ repeticao: 'diariamente' }, { repeticao: 'mensalmente' })).toMatchObject({ rrule });
    expect(undone({ data_vencimento: '2027-03-05' }, { data_vencimento: '2027-03-31' })).toMatchObject({
      rrule: 'FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1',
    });
    expect(undone({ data_vencimento: '2027-03-05' }, { data_vencimento: '2027-03-28' })).toMatchObject({
      rrule: 'FREQ=MONTHLY;BYMONTHDAY=28',
    });
  });

  it('has neither time nor repetition without a date', () => {
    expect(decideUpdate(known(repeated), { data_vencimento: null })).toEqual([
      { type: 'TaskUpdated', data: { task_id, data_vencimento: null, hora: null, rrule: null } },
    ]);
    for (const wanted of [{ hora: '08:00' }, { repeticao: 'diariamente' as const }])
      expect(() => decideUpdate(known(repeated), { data_vencimento: null, ...wanted })).toThrow(
        refusal('tasks.needs_date'),
      );
  });

  it('is moved once', () => {
    expect(decideMove(known(created()), 'a4')).toEqual([
      { type: 'TaskMoved', data: { task_id, ordem: 'a4' } },
    ]);
    expect(decideMove(known(created()), 'a1')).toEqual([]);
  });

  it('is completed once; a repeated one creates the next', () => {
    expect(decideComplete(known(created()), now, null)).toEqual({
      completed: [{ type: 'TaskCompleted', data: { task_id, concluida_em: now.at, proxima: null } }],
      created: [],
    });
    const { completed: done, created: made } = decideComplete(known(repeated), now, next);
    expect(done).toEqual([completed]);
    expect(made).toEqual([
      created({
        task_id: next_id,
        anterior: task_id,
        ordem: 'a2',
        data_vencimento: '2026-12-01',
        rrule: 'FREQ=DAILY',
      }),
    ]);
    expect(decideComplete(known(repeated, completed), now, next)).toEqual({ completed: [], created: [] });
  });

  it('creates no next one after the last supported date', () => {
    const last = known(created({ rrule: 'FREQ=DAILY', data_vencimento: '2100-12-31' }));
    expect(decideComplete(last, now, next).created).toEqual([]);
    expect(decideComplete(last, now, next).completed).toMatchObject([{ data: { proxima: null } }]);
  });

  it('is reopened, which deletes the next one if it is unchanged', () => {
    const done = known(repeated, completed);
    expect(decideReopen(done, known(nextCreated))).toEqual({
      reopened: [{ type: 'TaskReopened', data: { task_id, proxima: 'removida' } }],
      removed: [{ type: 'TaskDeleted', data: { task_id: next_id } }],
    });
    const touched = known(nextCreated, { type: 'TaskMoved', data: { task_id: next_id, ordem: 'a9' } });
    const { reopened, removed } = decideReopen(done, touched);
    expect(removed).toEqual([]);
    expect(known(repeated, completed, ...reopened)).toMatchObject({ concluida_em: null, rrule: null });
    expect(decideReopen(known(repeated), undefined)).toEqual({ reopened: [], removed: [] });
  });

  it('repeats again when the next one was deleted before it was reopened', () => {
    const gone = known(nextCreated, { type: 'TaskDeleted', data: { task_id: next_id } });
    const { reopened } = decideReopen(known(repeated, completed), gone);
    expect(known(repeated, completed, ...reopened)).toMatchObject({ rrule: 'FREQ=DAILY', proxima: null });
  });

  it('is deleted and restored unchanged, without its list if that was deleted', () => {
    expect(decideDelete(known(created()))).toEqual([deleted]);
    const restored = decideRestore(known(created(), deleted), true);
    expect(known(created(), deleted, ...restored)).toEqual({ ...known(created()), mexida: true });
    expect(decideRestore(known(created(), deleted), false)).toMatchObject([{ data: { list_id: null } }]);
    expect(decideRestore(known(created()), true)).toEqual([]);
  });

  it('is not found before it was created or after it was deleted', () => {
    for (const state of [undefined, known(created(), deleted)]) {
      expect(() => decideUpdate(state, { titulo: 'x' })).toThrow(refusal('tasks.not_found'));
      expect(() => decideDelete(state)).toThrow(refusal('tasks.not_found'));
      expect(() => decideMove(state, 'a3')).toThrow(refusal('tasks.not_found'));
    }
    expect(() => decideRestore(undefined, true)).toThrow(refusal('tasks.not_found'));
  });
});
