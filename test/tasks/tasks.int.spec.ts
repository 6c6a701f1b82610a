import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SearchResults } from '../../backend/modules/search/search.api.js';
import type {
  CompletedTask,
  Task,
  TaskIds,
  TaskLists,
  TaskPage,
} from '../../backend/modules/tasks/tasks.api.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { toldOf } from '../support/history.js';

let trainer: Trainer;
const NOON = '2026-11-24T15:00:00.000Z';
const clock = new SetClock(new Date(NOON));
const setClock = (at: string) => {
  clock.at = new Date(at);
};

const database = await testDatabase();
const app = await sharedApp(clock);
beforeEach(async () => {
  setClock(NOON);
  trainer = await signUp(app);
});

const create = async (fields: string | object) =>
  (await trainer.api.post('/tasks', typeof fields === 'string' ? { titulo: fields } : fields)).body.id;
const read = async (id: string) => (await trainer.api.get<Task>(`/tasks/${id}`)).body;
const list = async (query: Record<string, string | number> = {}) =>
  (await trainer.api.get<TaskPage>('/tasks', { query })).body;
const titles = async (query: Record<string, string | number> = {}) =>
  (await list(query)).items.map(({ titulo }) => titulo);
const lists = async () => (await trainer.api.get<TaskLists>('/task-lists')).body;
const newList = async (nome: string, cor = 'azul') =>
  (await trainer.api.post('/task-lists', { nome, cor })).body.id;
const complete = async (id: string) => (await trainer.api.post<CompletedTask>(`/tasks/${id}/complete`)).body;
const events = async () =>
  (
    await database.query<{ type: string }>(
      `select type from events where tenant_id = $1 and stream_id like 'task%' order by position`,
      [trainer.tenantId],
    )
  ).map(({ type }) => type);
const history = (subject: string) => toldOf(trainer.api, subject);

describe('a task', () => {
  it('only needs a title', async () => {
    const id = await create('  Comprar elásticos ');
    expect(await read(id)).toEqual({
      id,
      titulo: 'Comprar elásticos',
      descricao: null,
      data_vencimento: null,
      hora: null,
      repeticao: 'nao_se_repete',
      list_id: null,
      list_nome: null,
      list_cor: null,
      concluida: false,
      concluida_em: null,
    });
  });

  it('has a list, a date and a time, all of which can be changed', async () => {
    const list_id = await newList('Compras', 'verde');
    const due = { data_vencimento: '2026-11-30', hora: '07:30', repeticao: 'semanalmente' };
    const id = await create({ titulo: 'Elásticos', descricao: 'Dois médios', list_id, ...due });
    expect(await read(id)).toMatchObject({ ...due, list_id, list_nome: 'Compras', list_cor: 'verde' });
    await trainer.api.patch(`/tasks/${id}`, { titulo: 'Elásticos novos', hora: null });
    expect(await read(id)).toMatchObject({ ...due, titulo: 'Elásticos novos', hora: null });
    await trainer.api.patch(`/tasks/${id}`, { data_vencimento: null, list_id: null });
    expect(await read(id)).toMatchObject({
      data_vencimento: null,
      repeticao: 'nao_se_repete',
      list_id: null,
    });
    expect(await history(`task:${id}`)).toEqual([
      'Alterou a tarefa: sem data, sem lista, não se repete',
      'Alterou a tarefa: título (Elásticos novos), dia inteiro',
      'Criou a tarefa “Elásticos” para 30/11/2026, 7:30: toda semana',
    ]);
  });

  it('can be completed and reopened repeatedly', async () => {
    const id = await create('Ligar para a academia');
    expect(await complete(id)).toEqual({ id, proxima: null });
    expect(await complete(id)).toEqual({ id, proxima: null });
    expect(await read(id)).toMatchObject({ concluida: true, concluida_em: NOON });
    await trainer.api.post(`/tasks/${id}/reopen`);
    await trainer.api.post(`/tasks/${id}/reopen`);
    expect(await read(id)).toMatchObject({ concluida: false, concluida_em: null });
    expect(await events()).toEqual(['TaskCreated', 'TaskCompleted', 'TaskReopened']);
  });

  it('that repeats creates the next one directly after it, with its list and time', async () => {
    const list_id = await newList('Rotina');
    const fields = { descricao: 'Das 7', list_id, hora: '07:00', repeticao: 'diariamente' };
    const id = await create({ titulo: 'Alongar', data_vencimento: '2026-11-24', ...fields });
    await create('Outra');
    const { proxima } = await complete(id);
    expect(await read(proxima!)).toMatchObject({
      ...fields,
      titulo: 'Alongar',
      data_vencimento: '2026-11-25',
      concluida: false,
    });
    expect(await titles()).toEqual(['Alongar', 'Alongar', 'Outra']);
    expect((await history(`task:${id}`))[0]).toBe('Criou a próxima tarefa “Alongar” para 25/11/2026, 7:00');
  });

  it("skips missed days, in the trainer's time zone", async () => {
    const id = await create({ titulo: 'Alongar', data_vencimento: '2026-11-10', repeticao: 'diariamente' });
    // 23:30 of the 23rd in São Paulo.
    setClock('2026-11-24T02:30:00Z');
    expect(await read((await complete(id)).proxima!)).toMatchObject({ data_vencimento: '2026-11-23' });
  });

  it('deletes the next one when it is reopened, unless that one was changed', async () => {
    const repeated = { titulo: 'Alongar', data_vencimento: '2026-11-30', repeticao: 'diariamente' };
    const [id, kept] = [await create(repeated), await create(repeated)];
    const { proxima } = await complete(id);
    await trainer.api.post(`/tasks/${id}/reopen`);
    await trainer.api.get(`/tasks/${proxima}`, { status: 404 });
    expect(await read(id)).toMatchObject({ concluida: false, repeticao: 'diariamente' });

    const { proxima: touched } = await complete(kept);
    await trainer.api.patch(`/tasks/${touched}`, { titulo: 'Alongar mais' });
    await trainer.api.post(`/tasks/${kept}/reopen`);
    expect(await read(touched!)).toMatchObject({ titulo: 'Alongar mais', repeticao: 'diariamente' });
    expect(await read(kept)).toMatchObject({ concluida: false, repeticao: 'nao_se_repete' });
  });

  it('is deleted and restored, with others', async () => {
    const ids = [await create('Uma'), await create('Duas')];
    for (const id of ids) await trainer.api.delete(`/tasks/${id}`);
    expect(await titles()).toEqual([]);
    await trainer.api.get(`/tasks/${ids[0]}`, { status: 404 });
    await trainer.api.post<TaskIds>('/tasks/restore', { ids });
    await trainer.api.post<TaskIds>('/tasks/restore', { ids });
    expect(await titles()).toEqual(['Uma', 'Duas']);
    await trainer.api.post('/tasks/restore', { ids: [randomUUID()] }, { status: 404 });
  });

  it('is created once for one Idempotency-Key', async () => {
    const idempotencyKey = randomUUID();
    const [first, again] = [
      await trainer.api.post('/tasks', { titulo: 'Uma' }, { idempotencyKey }),
      await trainer.api.post('/tasks', { titulo: 'Uma' }, { idempotencyKey }),
    ];
    expect(again.body).toEqual(first.body);
    expect(await titles()).toEqual(['Uma']);
  });

  it('is not readable in the log', async () => {
    const list_id = await newList('Presentes da Zilda');
    await create({ titulo: 'Ligar para Zilda', descricao: 'Joelho da Zilda', list_id });
    expect(JSON.stringify(await database.query('select data from events'))).not.toContain('Zilda');
  });
});

describe('the order of tasks', () => {
  it('is changed by one event, and is the same in every list', async () => {
    const list_id = await newList('Compras');
    const ids: Record<string, string> = {};
    for (const titulo of ['A', 'B', 'C', 'D'])
      ids[titulo] = await create({ titulo, list_id: titulo === 'B' ? null : list_id });
    const before = (await events()).length;
    await trainer.api.post(`/tasks/${ids.D}/move`, { antes_de: ids.A });
    expect(await titles()).toEqual(['D', 'A', 'B', 'C']);
    await trainer.api.post(`/tasks/${ids.A}/move`, { depois_de: ids.C });
    expect(await titles()).toEqual(['D', 'B', 'C', 'A']);
    expect(await titles({ list_id })).toEqual(['D', 'C', 'A']);
    expect((await events()).slice(before)).toEqual(['TaskMoved', 'TaskMoved']);
    // A move to the same place records nothing.
    await trainer.api.post(`/tasks/${ids.A}/move`, { depois_de: ids.C });
    await trainer.api.post(`/tasks/${ids.A}/move`, { depois_de: ids.A });
    expect((await events()).slice(before)).toHaveLength(2);
  });

  it('lets tasks be inserted between two others any number of times', async () => {
    const [first, last] = [await create('primeira'), await create('última')];
    const expected = ['primeira', 'última'];
    for (let n = 0; n < 30; n += 1) {
      const id = await create(`${n}`);
      await trainer.api.post(`/tasks/${id}/move`, n % 2 ? { depois_de: first } : { antes_de: last });
      expected.splice(n % 2 ? 1 : expected.length - 1, 0, `${n}`);
    }
    expect(await titles()).toEqual(expected);
  });

  it('allows a move beside a restored task that has the same sort key as another', async () => {
    const [a, b, c] = [await create('A'), await create('B'), await create('C')];
    await trainer.api.delete(`/tasks/${b}`);
    const d = await create('D');
    await trainer.api.post(`/tasks/${d}/move`, { depois_de: a });
    await trainer.api.post('/tasks/restore', { ids: [b] });
    const e = await create('E');
    await trainer.api.post(`/tasks/${e}/move`, { antes_de: c });
    expect((await titles()).slice(-2)).toEqual(['E', 'C']);
  });
});

describe('the tasks of a trainer', () => {
  it('are listed in pages: open ones in their order, completed ones latest first', async () => {
    for (const titulo of ['A', 'B', 'C', 'D', 'E']) await create(titulo);
    const [a, b, c] = (await list()).items.map(({ id }) => id);
    for (const [n, id] of [b, a, c].entries()) {
      setClock(`2026-11-24T15:0${n}:00Z`);
      await complete(id!);
    }
    expect(await titles({ situacao: 'abertas' })).toEqual(['D', 'E']);
    const pages = async (query: Record<string, string | number>) => {
      const first = await list({ ...query, limit: 2 });
      const second = await list({ ...query, limit: 2, cursor: first.next! });
      return [...first.items, ...second.items].map(({ titulo }) => titulo);
    };
    expect(await pages({ situacao: 'concluidas' })).toEqual(['C', 'A', 'B']);
    expect(await pages({})).toEqual(['A', 'B', 'C', 'D']);
    const { body } = await trainer.api.get<ProblemBody>('/tasks', { query: { cursor: 'x' }, status: 400 });
    expect(body).toMatchObject({ errors: [{ pointer: '/cursor' }] });
  });

  it('are found by date, those without a time first', async () => {
    const on = (data_vencimento: string, hora: string | null, titulo: string) =>
      create({ titulo, data_vencimento, hora });
    await on('2026-11-25', '09:00', 'nove');
    await on('2026-11-25', null, 'dia inteiro');
    await on('2026-11-24', '18:00', 'antes');
    await on('2026-11-26', null, 'depois');
    await create('sem data');
    expect(await titles({ from: '2026-11-25', to: '2026-11-26' })).toEqual(['dia inteiro', 'nove']);
    const first = await list({ to: '2026-11-26', limit: 2 });
    expect(first.items.map(({ titulo }) => titulo)).toEqual(['antes', 'dia inteiro']);
    expect(await titles({ to: '2026-11-26', limit: 2, cursor: first.next! })).toEqual(['nove']);
  });

  it('are found by a part of title or description, whatever its accents', async () => {
    await create('Ligar  para João');
    await create({ titulo: 'Comprar', descricao: 'presente do JOÃO' });
    await create('Outra');
    expect(await titles({ q: 'joao' })).toEqual(['Ligar  para João', 'Comprar']);
    expect(await titles({ q: 'ligar para   joao' })).toEqual(['Ligar  para João']);
    const { tarefas } = (await trainer.api.get<SearchResults>('/search', { query: { q: 'joao' } })).body;
    expect(tarefas.map(({ titulo }) => titulo)).toEqual(['Ligar  para João', 'Comprar']);
  });

  it('are deleted together once completed, and restored', async () => {
    const list_id = await newList('Compras');
    const ids = [await create({ titulo: 'Uma', list_id }), await create('Duas')];
    await create({ titulo: 'Aberta', list_id });
    for (const id of ids) await complete(id);
    const { body } = await trainer.api.post<TaskIds>('/tasks/delete-completed', { list_id });
    expect(body.ids).toEqual([ids[0]]);
    expect((await trainer.api.post<TaskIds>('/tasks/delete-completed', {})).body.ids).toEqual([ids[1]]);
    expect(await titles()).toEqual(['Aberta']);
    await trainer.api.post('/tasks/restore', { ids });
    expect(await titles({ situacao: 'concluidas' })).toHaveLength(2);
  });
});

describe('the lists of tasks', () => {
  it('count their tasks, those without a list, all tasks and overdue ones', async () => {
    const list_id = await newList('Compras', 'rosa');
    const [done] = [await create({ titulo: 'A', list_id }), await create({ titulo: 'B', list_id })];
    await complete(done);
    await create({ titulo: 'ontem', data_vencimento: '2026-11-23' });
    await create({ titulo: 'há um minuto', data_vencimento: '2026-11-24', hora: '11:59' });
    await create({ titulo: 'agora', data_vencimento: '2026-11-24', hora: '12:00' });
    await create({ titulo: 'hoje', data_vencimento: '2026-11-24' });
    expect(await lists()).toEqual({
      items: [{ id: list_id, nome: 'Compras', cor: 'rosa', abertas: 1, concluidas: 1 }],
      todas: { abertas: 5, concluidas: 1, vencidas: 2 },
      sem_lista: { abertas: 4, concluidas: 0 },
    });
  });

  it('are renamed, recoloured and put in order', async () => {
    const ids = [await newList('A'), await newList('B'), await newList('C')];
    await trainer.api.patch(`/task-lists/${ids[0]}`, { nome: 'Z', cor: 'verde' });
    const back = { nome: 'A', se_ainda: { nome: 'Y' } };
    const { body } = await trainer.api.patch(`/task-lists/${ids[0]}`, back, { status: 409 });
    expect(body).toMatchObject({ code: 'changed_since' });
    await trainer.api.post(`/task-lists/${ids[2]}/move`, { antes_de: ids[0] });
    await trainer.api.post(`/task-lists/${ids[0]}/move`, { depois_de: ids[1] });
    expect((await lists()).items.map(({ nome, cor }) => `${nome} ${cor}`)).toEqual([
      'C azul',
      'B azul',
      'Z verde',
    ]);
    expect(await history(`tasklist:${ids[0]}`)).toEqual([
      'Mudou a ordem das listas',
      'Alterou a lista: nome (Z), cor (verde)',
      'Criou a lista “A”',
    ]);
  });

  it('are deleted with their tasks, or after these were moved, and restored with them', async () => {
    const [one, other] = [await newList('Compras'), await newList('Casa')];
    const moved = await create({ titulo: 'A', list_id: one });
    await complete(await create({ titulo: 'B', list_id: one }));
    await trainer.api.post(`/task-lists/${one}/delete`, { tarefas: 'excluir' });
    expect([await titles(), (await lists()).items.length]).toEqual([[], 1]);
    await trainer.api.post(`/task-lists/${one}/restore`);
    await trainer.api.post(`/task-lists/${one}/restore`);
    expect(await titles({ list_id: one })).toEqual(['A', 'B']);

    await trainer.api.post(`/task-lists/${one}/delete`, { tarefas: 'mover', para: other });
    expect(await titles({ list_id: other })).toEqual(['A', 'B']);
    await trainer.api.patch(`/tasks/${moved}`, { list_id: null });
    await trainer.api.post(`/task-lists/${one}/restore`);
    // A task that was moved to another list meanwhile stays there.
    expect([await titles({ list_id: one }), await titles({ list_id: 'sem_lista' })]).toEqual([['B'], ['A']]);
    expect((await history(`tasklist:${one}`)).slice(0, 2)).toEqual([
      'Desfez a exclusão da lista e trouxe de volta 1 tarefa',
      'Excluiu a lista e moveu 2 tarefas para outra lista',
    ]);

    await trainer.api.post(`/task-lists/${one}/delete`, { tarefas: 'mover', para: one }, { status: 404 });
    await trainer.api.post(`/task-lists/${one}/delete`, { tarefas: 'mover', para: null });
    expect(await titles({ list_id: 'sem_lista' })).toEqual(['A', 'B']);
  });

  it('cannot receive tasks once deleted; a restored task whose list is deleted has no list', async () => {
    const list_id = await newList('Compras');
    const id = await create({ titulo: 'A', list_id });
    await trainer.api.delete(`/tasks/${id}`);
    await trainer.api.post(`/task-lists/${list_id}/delete`, { tarefas: 'excluir' });
    await trainer.api.post('/tasks', { titulo: 'B', list_id }, { status: 404 });
    await trainer.api.post('/tasks/restore', { ids: [id] });
    expect(await read(id)).toMatchObject({ list_id: null });
  });
});

it.each<[string, object, string, string]>([
  ['/tasks', { titulo: ' ' }, '/titulo', 'Informe o título'],
  [
    '/tasks',
    { titulo: 'A', hora: '25:00', data_vencimento: '2026-11-25' },
    '/hora',
    'Informe o horário como 07:30',
  ],
  ['/tasks', { titulo: 'A', repeticao: 'sempre' }, '/repeticao', 'Escolha se a tarefa se repete'],
  ['/task-lists', { nome: '' }, '/nome', 'Informe o nome da lista'],
  ['/task-lists', { nome: 'A', cor: 'bege' }, '/cor', 'Escolha uma cor'],
])('%s refuses %j', async (path, body, pointer, detail) => {
  const refusal = await trainer.api.post(path, body, { status: 400 });
  expect(refusal.body).toMatchObject({ errors: [{ pointer, detail }] });
});

it.each<[object, string]>([
  [{ titulo: 'A', hora: '08:00' }, 'Informe a data para marcar a hora'],
  [{ titulo: 'A', repeticao: 'diariamente' }, 'Informe a data para repetir a tarefa'],
])('a task %j needs a date', async (body, detail) => {
  const refusal = await trainer.api.post('/tasks', body, { status: 422 });
  expect(refusal.body).toMatchObject({ errors: [{ pointer: '/data_vencimento', detail }] });
});

it.each(['tasks', 'task-lists'])('a rebuild gives the same %s', async (projection) => {
  const list_id = await newList('Compras');
  const id = await create({ titulo: 'A', list_id, data_vencimento: '2026-11-30', repeticao: 'diariamente' });
  await complete(id);
  await trainer.api.delete(`/tasks/${await create('B')}`);
  await titles();
  await lists();
  await expectRebuildToEqualLive(app, projection);
});
