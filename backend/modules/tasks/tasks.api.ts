import * as z from 'zod/mini';
import { colour } from '../../platform/colours.api.js';
import { get, post, patch, remove } from '../../platform/http/calls.api.js';
import {
  created,
  calendarDate,
  type ErrorTable,
  id,
  instant,
  name,
  optionalText,
  page,
  pageQuery,
  momentQuery,
  rule,
  text,
  undoable,
} from '../../platform/http/common.api.js';

export const taskErrors = {
  'tasks.not_found': { status: 404, title: 'Tarefa não encontrada' },
  'tasks.list_not_found': { status: 404, title: 'Lista não encontrada' },
  'tasks.needs_date': { status: 422, title: 'Informe a data da tarefa' },
  'tasks.too_many_lists': { status: 409, title: 'Você já tem 50 listas. Exclua uma para criar outra' },
  'tasks.list_too_long': {
    status: 409,
    title: 'A lista tem mais de 2.000 tarefas. Exclua as concluídas antes',
  },
} as const satisfies ErrorTable;

/** Most lists of one trainer. */
export const MOST_LISTS = 50;

export const repetition = z.enum(
  ['nao_se_repete', 'diariamente', 'semanalmente', 'mensalmente'],
  'Escolha se a tarefa se repete',
);
export type Repetition = z.infer<typeof repetition>;

/** `hh:mm` in the trainer's zone. */
const timeOfDay = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'Informe o horário como 07:30' }));

const fields = {
  titulo: text(1, 200, 'Informe o título'),
  descricao: optionalText(2000),
  data_vencimento: z.nullable(calendarDate),
  /** Null for the whole day. */
  hora: z.nullable(timeOfDay),
  /** Null for a task without a list, which only "Todas as tarefas" shows. */
  list_id: z.nullable(id),
  repeticao: repetition,
};

const DATE_FOR_TIME = 'Informe a data para marcar a hora';
const DATE_TO_REPEAT = 'Informe a data para repetir a tarefa';

export const newTask = z
  .strictObject({
    titulo: fields.titulo,
    descricao: z._default(fields.descricao, null),
    data_vencimento: z._default(fields.data_vencimento, null),
    hora: z._default(fields.hora, null),
    list_id: z._default(fields.list_id, null),
    repeticao: z._default(fields.repeticao, 'nao_se_repete'),
  })
  .check(
    rule(({ data_vencimento, hora }) => data_vencimento !== null || hora === null, DATE_FOR_TIME, [
      'data_vencimento',
    ]),
    rule(
      ({ data_vencimento, repeticao }) => data_vencimento !== null || repeticao === 'nao_se_repete',
      DATE_TO_REPEAT,
      ['data_vencimento'],
    ),
  );
export type NewTask = z.infer<typeof newTask>;

const someFields = z.partial(z.strictObject(fields));

/** Absent fields stay unchanged. Without a date there is neither a time nor a repetition. */
export const taskChanges = z
  .strictObject(undoable(someFields.shape))
  .check(z.refine((changes) => Object.keys(changes).length > 0, 'Nada para alterar'));
export type TaskChanges = z.infer<typeof taskChanges>;

/** Directly after another task, or directly before it. All lists share one order. */
export const taskPlace = z.union([z.strictObject({ depois_de: id }), z.strictObject({ antes_de: id })]);
export type TaskPlace = z.infer<typeof taskPlace>;

/** Tasks of one list, those without a list (`sem_lista`), or all. */
const listChoice = z.union([z.literal('sem_lista'), id], 'Identificador inválido');

/** Deletes the completed tasks of a list, at most 1,000 in one request. */
export const completedTasks = z.strictObject({ list_id: z.optional(listChoice) });
export type CompletedTasks = z.infer<typeof completedTasks>;

export const severalTasks = z.strictObject({ ids: z.array(id).check(z.minLength(1), z.maxLength(1000)) });
export type SeveralTasks = z.infer<typeof severalTasks>;

/** The tasks that were deleted or restored. */
export const taskIds = z.object({ ids: z.array(id) });
export type TaskIds = z.infer<typeof taskIds>;

/** `proxima`: the task that completing a repeated task created. */
export const completedTask = z.object({ id, proxima: z.nullable(id) });
export type CompletedTask = z.infer<typeof completedTask>;

/**
 * `situacao`: open tasks in their order, completed ones latest first; without it, both in their order. With `from` or
 * `to`: those due on the days `[from, to)`, by date. `q`: part of title or description; accents and case are ignored.
 */
export const tasksQuery = z.strictObject({
  ...pageQuery,
  ...momentQuery,
  list_id: z.optional(listChoice),
  situacao: z.optional(z.enum(['abertas', 'concluidas'])),
  from: z.optional(calendarDate),
  to: z.optional(calendarDate),
  q: z.optional(text(0, 100)),
});
export type TasksQuery = z.infer<typeof tasksQuery>;

export const task = z.object({
  id,
  titulo: z.string(),
  descricao: z.nullable(z.string()),
  data_vencimento: z.nullable(calendarDate),
  /** `hh:mm` in the trainer's zone; null for the whole day. */
  hora: z.nullable(z.string()),
  list_id: z.nullable(id),
  list_nome: z.nullable(z.string()),
  list_cor: z.nullable(colour),
  repeticao: repetition,
  concluida: z.boolean(),
  concluida_em: z.nullable(instant),
});
export type Task = z.infer<typeof task>;
export const taskPage = z.extend(page(task), momentQuery);
export type TaskPage = z.infer<typeof taskPage>;

const listFields = { nome: name(1, 60, 'Informe o nome da lista'), cor: colour };

export const newTaskList = z.strictObject({ nome: listFields.nome, cor: z._default(listFields.cor, 'azul') });
export type NewTaskList = z.infer<typeof newTaskList>;

const someListFields = z.partial(z.strictObject(listFields));

/** Absent fields stay unchanged. */
export const taskListChanges = z
  .strictObject(undoable(someListFields.shape))
  .check(z.refine((changes) => Object.keys(changes).length > 0, 'Nada para alterar'));
export type TaskListChanges = z.infer<typeof taskListChanges>;

/** What happens to its tasks: they are deleted too, moved to another list (`para`), or have no list afterwards (null). */
export const taskListDeletion = z.union([
  z.strictObject({ tarefas: z.literal('excluir') }),
  z.strictObject({ tarefas: z.literal('mover'), para: z.nullable(id) }),
]);
export type TaskListDeletion = z.infer<typeof taskListDeletion>;

const counts = { abertas: z.int(), concluidas: z.int() };

const taskList = z.object({ id, nome: z.string(), cor: colour, ...counts });

/** All lists (at most 50) in their order, with the number of tasks in each, without a list, and in all. */
export const taskLists = z.object({
  items: z.array(taskList),
  todas: z.object({ ...counts, vencidas: z.int() }),
  sem_lista: z.object(counts),
});
export type TaskLists = z.infer<typeof taskLists>;

export const taskListsApi = {
  list: get('/task-lists', {
    summary: 'Mostra as listas de tarefas com suas quantidades',
    answer: taskLists,
  }),
  create: post('/task-lists', {
    summary: 'Cria uma lista de tarefas',
    body: newTaskList,
    answer: created,
    status: 201,
  }),
  change: patch('/task-lists/:id', {
    summary: 'Muda o nome ou a cor de uma lista',
    body: taskListChanges,
    answer: created,
  }),
  move: post('/task-lists/:id/move', {
    summary: 'Põe uma lista atrás ou antes de outra',
    body: taskPlace,
    answer: created,
  }),
  remove: post('/task-lists/:id/delete', {
    summary: 'Exclui uma lista, com suas tarefas ou depois de movê-las',
    body: taskListDeletion,
    answer: created,
  }),
  restore: post('/task-lists/:id/restore', {
    summary: 'Desfaz a exclusão de uma lista e do que foi feito com suas tarefas',
    answer: created,
  }),
};

export const tasksApi = {
  list: get('/tasks', { summary: 'Lista tarefas', query: tasksQuery, answer: taskPage }),
  create: post('/tasks', { summary: 'Cria uma tarefa', body: newTask, answer: created, status: 201 }),
  deleteCompleted: post('/tasks/delete-completed', {
    summary: 'Exclui as tarefas concluídas de uma lista, ou de todas',
    body: completedTasks,
    answer: taskIds,
  }),
  restore: post('/tasks/restore', {
    summary: 'Desfaz a exclusão de tarefas',
    body: severalTasks,
    answer: taskIds,
  }),
  get: get('/tasks/:id', { summary: 'Mostra uma tarefa', answer: task }),
  update: patch('/tasks/:id', { summary: 'Altera uma tarefa', body: taskChanges, answer: created }),
  remove: remove('/tasks/:id', { summary: 'Exclui uma tarefa', answer: created }),
  complete: post('/tasks/:id/complete', {
    summary: 'Conclui uma tarefa; a que se repete cria a próxima',
    answer: completedTask,
  }),
  reopen: post('/tasks/:id/reopen', { summary: 'Reabre uma tarefa concluída', answer: created }),
  move: post('/tasks/:id/move', {
    summary: 'Põe uma tarefa atrás ou antes de outra',
    body: taskPlace,
    answer: created,
  }),
};
