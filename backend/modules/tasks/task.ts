import {
  type Aggregate,
  changedFields,
  type PersonalFields,
  refuseChanged,
} from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { nextDate, repetitionOf, ruleOf } from './repetition.js';
import type { NewTask, TaskChanges } from './tasks.api.js';

export interface TaskFields {
  /** Null once the trainer is forgotten. */
  titulo: string | null;
  descricao: string | null;
  /** Calendar date in the trainer's zone. */
  data_vencimento: string | null;
  /** `hh:mm` in the trainer's zone; null for the whole day. */
  hora: string | null;
  list_id: string | null;
  /** Recurrence rule (RFC 5545); null for a task that does not repeat. */
  rrule: string | null;
}

export type TaskEvent =
  /** `anterior`: the repeated task whose completion created this one. */
  | { type: 'TaskCreated'; data: { task_id: string; ordem: string; anterior: string | null } & TaskFields }
  /** Only the fields that changed. */
  | { type: 'TaskUpdated'; data: { task_id: string } & Partial<TaskFields> }
  | { type: 'TaskMoved'; data: { task_id: string; ordem: string } }
  | { type: 'TaskCompleted'; data: { task_id: string; concluida_em: string; proxima: string | null } }
  /** `proxima`: what happened to the task that the completion had created. If that task stays, it keeps the repetition. */
  | { type: 'TaskReopened'; data: { task_id: string; proxima: 'removida' | 'mantida' | null } }
  | { type: 'TaskDeleted'; data: { task_id: string } }
  | {
      type: 'TaskRestored';
      data: { task_id: string; ordem: string; list_id: string | null; concluida: boolean };
    };

export interface KnownTask extends TaskFields {
  task_id: string;
  /** Sort key among all tasks: a text compared byte by byte, so that another one always fits between two. */
  ordem: string;
  /** Null while it is open. */
  concluida_em: string | null;
  /** The task that its completion created. */
  proxima: string | null;
  /** It was changed since it was created. */
  mexida: boolean;
  /** Date and rule before their last change: an undo that sets both again restores exactly this rule. */
  antes?: Pick<TaskFields, 'data_vencimento' | 'rrule'>;
  deleted: boolean;
}

/** Undefined before it is created. */
export type TaskState = KnownTask | undefined;

const personal: PersonalFields<Partial<TaskFields>> = {
  person: (_data, tenantId) => tenantId,
  fields: ['titulo', 'descricao'],
};

export const task: Aggregate<TaskState, TaskEvent> = {
  name: 'task',
  initialState: undefined,
  evolve(state, { type, data }) {
    if (type === 'TaskCreated') {
      const { anterior: _, ...fields } = data;
      return { ...fields, concluida_em: null, proxima: null, mexida: false, deleted: false };
    }
    if (!state) return undefined;
    switch (type) {
      case 'TaskUpdated': {
        const { data_vencimento, rrule } = state;
        const isOther = data.data_vencimento !== undefined || data.rrule !== undefined;
        return { ...state, ...data, mexida: true, ...(isOther && { antes: { data_vencimento, rrule } }) };
      }
      case 'TaskMoved':
        return { ...state, ...data, mexida: true };
      case 'TaskCompleted':
        return { ...state, concluida_em: data.concluida_em, proxima: data.proxima, mexida: true };
      case 'TaskReopened': {
        const rrule = data.proxima === 'mantida' ? null : state.rrule;
        return { ...state, rrule, concluida_em: null, proxima: null, mexida: true };
      }
      case 'TaskDeleted':
        return { ...state, deleted: true, mexida: true };
      case 'TaskRestored':
        return { ...state, list_id: data.list_id, deleted: false, mexida: true };
    }
  },
  events: {
    TaskCreated: { schemaVersion: 1, personal },
    TaskUpdated: { schemaVersion: 1, personal },
    TaskMoved: { schemaVersion: 1 },
    TaskCompleted: { schemaVersion: 1 },
    TaskReopened: { schemaVersion: 1 },
    TaskDeleted: { schemaVersion: 1 },
    TaskRestored: { schemaVersion: 1 },
  },
};

/** The task. @throws Problem 404 where it does not exist or was deleted */
export function existingTask(state: TaskState): KnownTask {
  if (!state || state.deleted) throw new Problem('tasks.not_found');
  return state;
}

export function decideCreate(task_id: string, { repeticao, ...fields }: NewTask, ordem: string): TaskEvent[] {
  const rrule = fields.data_vencimento === null ? null : ruleOf(repeticao, fields.data_vencimento);
  return [{ type: 'TaskCreated', data: { task_id, ...fields, rrule, ordem, anterior: null } }];
}

/** A new date changes the recurrence rule to match. Without a date there is neither a time nor a recurrence rule. */
export function decideUpdate(state: TaskState, { repeticao, se_ainda, ...wanted }: TaskChanges): TaskEvent[] {
  const current = existingTask(state);
  const shown = { ...current, repeticao: repetitionOf(current.rrule) };
  refuseChanged('A tarefa', shown, se_ainda);
  const { data_vencimento: date = current.data_vencimento } = wanted;
  const repeats = repeticao ?? repetitionOf(current.rrule);
  const known = [current, current.antes].find(
    (one) => one?.data_vencimento === date && repetitionOf(one.rrule) === repeats,
  );
  if (date === null) {
    const detail = wanted.hora
      ? 'Informe a data para marcar a hora'
      : repeticao && repeticao !== 'nao_se_repete'
        ? 'Informe a data para repetir a tarefa'
        : undefined;
    if (detail)
      throw new Problem('tasks.needs_date', { detail, errors: [{ pointer: '/data_vencimento', detail }] });
  }
  const changes = changedFields<TaskFields>(current, {
    ...wanted,
    ...(date === null && { hora: null }),
    rrule: date === null ? null : known ? known.rrule : ruleOf(repeats, date),
  });
  if (Object.keys(changes).length === 0) return [];
  return [{ type: 'TaskUpdated', data: { task_id: current.task_id, ...changes } }];
}

export function decideMove(state: TaskState, ordem: string): TaskEvent[] {
  const current = existingTask(state);
  if (current.ordem === ordem) return [];
  return [{ type: 'TaskMoved', data: { task_id: current.task_id, ordem } }];
}

/** Whether completing the task creates the next one. */
export function hasNext(state: KnownTask): boolean {
  return state.concluida_em === null && state.rrule !== null && state.data_vencimento !== null;
}

/**
 * Completes the task, once. A repeated task is followed by another: `next` is its id and sort key. `now` is the instant and
 * the trainer's date at which this is decided.
 */
export function decideComplete(
  state: KnownTask,
  now: { at: string; today: string },
  next: { task_id: string; ordem: string } | null,
): { completed: TaskEvent[]; created: TaskEvent[] } {
  if (state.concluida_em !== null) return { completed: [], created: [] };
  const date =
    next === null || !hasNext(state) ? null : nextDate(state.rrule!, state.data_vencimento!, now.today);
  const proxima = date === null ? null : next!.task_id;
  const { task_id, titulo, descricao, hora, list_id, rrule } = state;
  return {
    completed: [{ type: 'TaskCompleted', data: { task_id, concluida_em: now.at, proxima } }],
    created:
      date === null
        ? []
        : [
            {
              type: 'TaskCreated',
              data: {
                titulo,
                descricao,
                hora,
                list_id,
                rrule,
                data_vencimento: date,
                task_id: next!.task_id,
                ordem: next!.ordem,
                anterior: task_id,
              },
            },
          ],
  };
}

/** Undoes the completion. The task that it created is deleted, unless it was changed since. */
export function decideReopen(
  state: KnownTask,
  next: TaskState,
): { reopened: TaskEvent[]; removed: TaskEvent[] } {
  if (state.concluida_em === null) return { reopened: [], removed: [] };
  const isThere = next !== undefined && !next.deleted;
  const isUntouched = isThere && !next.mexida;
  const proxima = isUntouched ? 'removida' : isThere ? 'mantida' : null;
  return {
    reopened: [{ type: 'TaskReopened', data: { task_id: state.task_id, proxima } }],
    removed: isUntouched ? decideDelete(next) : [],
  };
}

export function decideDelete(state: TaskState): TaskEvent[] {
  const { task_id } = existingTask(state);
  return [{ type: 'TaskDeleted', data: { task_id } }];
}

/** Undoes a deletion. If the task's list was deleted meanwhile (`listExists` false), the task has no list afterwards. */
export function decideRestore(state: TaskState, listExists: boolean): TaskEvent[] {
  if (!state) throw new Problem('tasks.not_found');
  if (!state.deleted) return [];
  const { task_id, ordem, concluida_em } = state;
  const list_id = listExists ? state.list_id : null;
  return [{ type: 'TaskRestored', data: { task_id, ordem, list_id, concluida: concluida_em !== null } }];
}
