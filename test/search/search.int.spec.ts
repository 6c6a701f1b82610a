import { beforeEach, expect, it } from '@jest/globals';
import type { SearchResults } from '../../backend/modules/search/search.api.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { SetClock } from '../support/clock.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';

const clock = new SetClock(new Date(on(26)(12)));
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;

const app = await sharedApp(clock);

beforeEach(async () => {
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
});

const search = async (q: string, query = {}) =>
  (await trainer.api.get<SearchResults>('/search', { query: { q, ...query } })).body;

it('finds students by a part of the name without accents, active ones whose name begins with it first', async () => {
  await agenda.student('Joana Prado');
  const [ana, anita, mariana] = [
    await agenda.student('Ana Souza'),
    await agenda.student('Ânita  Lima'),
    await agenda.student('Mariana Dias'),
  ];
  const gone = await agenda.student('Ana Ausente');
  await trainer.api.post(`/students/${gone}/archive`);
  const { alunos } = await search('ÁNA');
  expect(alunos.map(({ nome }) => nome)).toEqual(['Ana Souza', 'Joana Prado', 'Mariana Dias', 'Ana Ausente']);
  const [telefone, whatsapp] = ['+5511943214321', '+5511943214321'];
  expect(alunos[0]).toEqual({ id: ana, nome: 'Ana Souza', telefone, whatsapp, arquivado: false });
  expect(alunos.at(-1)).toMatchObject({ id: gone, arquivado: true });
  expect((await search('anita lima')).alunos.map(({ id }) => id)).toEqual([anita]);
  expect((await search('anita  lima')).alunos.map(({ id }) => id)).toEqual([anita]);
  expect((await search('ana', { limit: 1 })).alunos).toHaveLength(1);
  expect((await search('ariana')).alunos.map(({ id }) => id)).toEqual([mariana]);
});

it('finds by a part of the phone, in any format', async () => {
  const ana = await agenda.student('Ana Souza');
  const { id: rui } = (
    await trainer.api.post('/students', { nome: 'Rui Costa', whatsapp: '00351 912 345 678' })
  ).body;
  expect((await search('(11) 94321')).alunos.map(({ id }) => id)).toEqual([ana]);
  for (const q of ['+351 912', '345 678'])
    expect((await search(q)).alunos).toMatchObject([{ id: rui, whatsapp: '+351912345678' }]);
});

it("finds a student's sessions: future ones by start, then past ones latest first, without deleted ones", async () => {
  const [ana, bia] = [await agenda.student('Ana Souza'), await agenda.student('Bia Lima')];
  const location_id = await agenda.location('Parque');
  const book = (student_id: string, day: number) =>
    agenda.book({ student_id, location_id, inicio: on(day)(7), fim: on(day)(8) });
  const [far, tomorrow] = [await book(ana, 30), await book(ana, 27)];
  const [longBefore, before] = [await book(ana, 24), await book(ana, 25)];
  await book(bia, 28);
  await agenda.remove(await book(ana, 29));
  const { sessoes } = await search('souza');
  expect(sessoes.map(({ id }) => id)).toEqual([tomorrow, far, before, longBefore]);
  expect(sessoes[0]).toEqual({
    id: tomorrow,
    student_nome: 'Ana Souza',
    location_nome: 'Parque',
    inicio: on(27)(7),
    status: 'agendada',
  });
});

it('does not list cancelled sessions among future ones', async () => {
  const ana = await agenda.student('Ana Souza');
  const book = (day: number) => agenda.book({ student_id: ana, inicio: on(day)(7), fim: on(day)(8) });
  const [cancelled, next, before] = [await book(27), await book(29), await book(24)];
  await agenda.cancel(cancelled);
  const { sessoes } = await search('souza');
  expect(sessoes.map(({ id, status }) => [id, status])).toEqual([
    [next, 'agendada'],
    [cancelled, 'cancelada'],
    [before, 'agendada'],
  ]);
  expect((await search('souza', { limit: 1 })).sessoes.map(({ id }) => id)).toEqual([next]);
});

it('finds no removed students', async () => {
  const removed = await agenda.student('Ana Removida');
  await trainer.api.delete(`/students/${removed}`);
  expect(await search('ana')).toEqual({ alunos: [], sessoes: [], tarefas: [] });
});

it.each(['', 'a', ' a ', 'x'.repeat(101)])('refuses %j', async (q) => {
  const { status } = await trainer.api.request('GET', '/api/v1/search', { query: { q } });
  expect(status).toBe(400);
});

it('ignores accents in both directions: in sessions, and in tasks by title and description', async () => {
  const joao = await agenda.student('João Araújo');
  const session = await agenda.book({ student_id: joao, inicio: on(27)(7), fim: on(27)(8) });
  const task = async (body: object) => (await trainer.api.post('/tasks', body)).body.id;
  const bill = await task({ titulo: 'Pagar a mensalidade do salão' });
  const call = await task({ titulo: 'Ligar', descricao: 'Avisar o João da reposição' });
  const ids = async (q: string) => {
    const { sessoes, tarefas } = await search(q);
    return [...sessoes, ...tarefas].map(({ id }) => id);
  };
  expect(await ids('joao')).toEqual([session, call]);
  expect(await ids('JOÃO')).toEqual([session, call]);
  expect(await ids('salao')).toEqual([bill]);
  expect(await ids('sálão')).toEqual([bill]);
  expect(await ids('reposicao')).toEqual([call]);
  expect(await ids('inexistente')).toEqual([]);
});
