import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Dashboard } from '../../backend/modules/agenda/agenda.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type { Forgotten } from '../../backend/modules/privacy/privacy.api.js';
import type { Student, StudentPage } from '../../backend/modules/students/students.api.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp, rebuild, snapshot } from '../proof/read-tables.js';
import { startApp } from '../support/app.js';
import { runCli } from '../support/cli.js';
import { SetClock } from '../support/clock.js';
import { connect, testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { connectSocket } from '../support/socket.js';
import { toldOf } from '../support/history.js';

const clock = new SetClock(new Date(on(25)(12)));
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;

const database = await testDatabase();
const app = await startApp({ clock });

beforeEach(async () => {
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza', await agenda.plan());
});

const [yesterday, today, tomorrow] = [on(24), on(25), on(26)];
const book = (student_id: string, at: (hour: number) => string, hour: number, more: object = {}) =>
  agenda.book({ student_id, inicio: at(hour), fim: at(hour + 1), ...more });
const forget = async (id: string) => (await trainer.api.post<Forgotten>(`/students/${id}/forget`)).body;
const read = async (id: string) => (await trainer.api.get<Student>(`/students/${id}`)).body;
const history = (subject: string) => toldOf(trainer.api, subject);
const forgottenProblem = {
  code: 'students.forgotten',
  title: 'Os dados deste aluno foram apagados: ele não pode mais ser alterado, agendado nem renovado',
};

describe('forgetting a student', () => {
  it('leaves a nameless, archived student with credits', async () => {
    await agenda.renew(ana);
    expect(await forget(ana)).toEqual({ id: ana, sessoes_canceladas: 0 });
    expect(await read(ana)).toMatchObject({
      nome: 'Aluno apagado',
      telefone: null,
      creditos: 4,
      arquivado: true,
      esquecido: true,
    });
    const list = async (query: Record<string, string>) =>
      (await trainer.api.get<StudentPage>('/students', { query })).body.items.map(({ nome }) => nome);
    expect(await list({})).toEqual([]);
    expect(await list({ situacao: 'arquivados' })).toEqual(['Aluno apagado']);
    expect(await list({ situacao: 'arquivados', q: 'ana' })).toEqual([]);
  });

  it('cancels future sessions at no cost, and keeps past ones', async () => {
    const location_id = await agenda.location();
    await trainer.api.put(`/locations/${location_id}/policy`, {
      cancel_limite_horas: 48,
      taxa_percent: 100,
      queima_credito: true,
    });
    await agenda.renew(ana);
    const bia = await agenda.student('Bia Lima');
    const [past, running, done, coming, moved, others] = [
      await book(ana, yesterday, 7),
      await agenda.book({ student_id: ana, inicio: today(11), fim: today(13) }),
      await book(ana, yesterday, 9),
      await book(ana, tomorrow, 7, { location_id }),
      await book(bia, tomorrow, 8),
      await book(ana, tomorrow, 9),
    ];
    await agenda.complete(done);
    await agenda.patch(moved, { student_id: ana });
    await agenda.patch(others, { student_id: bia });
    expect(await forget(ana)).toEqual({ id: ana, sessoes_canceladas: 2 });
    const states = await Promise.all(
      [past, running, done, coming, moved, others].map(async (id) => (await agenda.get(id)).status),
    );
    expect(states).toEqual(['agendada', 'agendada', 'feita', 'cancelada', 'cancelada', 'agendada']);
    expect(await agenda.get(coming)).toMatchObject({
      motivo: 'personal',
      taxa: 0,
      usou_credito: false,
      student_nome: null,
    });
    expect(await agenda.balance(ana)).toBe(3);
    const { body } = await trainer.api.get<Dashboard>('/dashboard');
    expect(body.proximas_sessoes.map(({ id }) => id)).toEqual([others]);
    await book(bia, tomorrow, 7);
  });

  it('removes texts about this student, and no others, from sessions and credits', async () => {
    const bia = await agenda.student('Bia Lima');
    const first = await book(ana, yesterday, 7, { observacoes: 'Joelho' });
    const swapped = await book(ana, yesterday, 8, { observacoes: 'Ombro' });
    await agenda.patch(swapped, { student_id: bia, observacoes: 'Quadril da Bia' });
    const credits = `/students/${ana}/credits`;
    await trainer.api.post(`${credits}/adjust`, { quantidade: 2, motivo: 'Presente' });
    await trainer.api.post(`${credits}/consume`, { motivo: 'Aula avulsa' });
    await forget(ana);
    expect((await agenda.get(first)).observacoes).toBeNull();
    expect(await agenda.get(swapped)).toMatchObject({
      observacoes: 'Quadril da Bia',
      student_nome: 'Bia Lima',
    });
    const { body } = await trainer.api.get<CreditStatement>(credits);
    expect(body.extrato.items.map(({ quantidade, motivo }) => [quantidade, motivo])).toEqual([
      [-1, null],
      [2, null],
    ]);
    const told = (await history(`student:${ana}`)).join('\n');
    expect(told).not.toMatch(/Ana|Joelho|Ombro|Presente|avulsa/);
    expect(told).toMatch(/^Apagou os dados pessoais do aluno\nInativou o aluno\n/);
    expect((await history(`session:${swapped}`)).join()).toMatch(/Quadril da Bia/);
  });

  it('is done once, however often it is requested', async () => {
    await book(ana, tomorrow, 7);
    await forget(ana);
    expect(await forget(ana)).toEqual({ id: ana, sessoes_canceladas: 0 });
    expect(
      await database.query(`select from events where tenant_id = $1 and type = 'PersonForgotten'`, [
        trainer.tenantId,
      ]),
    ).toHaveLength(1);
  });

  it('is also possible for archived and removed students', async () => {
    await trainer.api.post(`/students/${ana}/archive`);
    await forget(ana);
    const bia = await agenda.student('Bia Lima');
    await trainer.api.delete(`/students/${bia}`);
    await forget(bia);
    await eventually(
      () =>
        database.query('select id, nome from read.students where tenant_id = $1 and nome is not null', [
          trainer.tenantId,
        ]),
      [],
    );
    await trainer.api.post(`/students/${bia}/restore`, undefined, { status: 409 });
  });

  it('is announced to open screens', async () => {
    const socket = await connectSocket(app, trainer);
    const heard: { topic: string }[] = [];
    socket.on('hint', (hint: { topic: string }) => heard.push(hint));
    await trainer.api.post(`/students/${ana}/archive`);
    await read(ana);
    heard.length = 0;
    await forget(ana);
    const topics = ['credits', 'history', 'sessions', 'students'];
    await eventually(
      () =>
        Promise.resolve(
          [...new Set(heard.map(({ topic }) => topic))].filter((topic) => topics.includes(topic)).sort(),
        ),
      topics,
    );
  });
});

describe('a forgotten student', () => {
  it('cannot be renewed, adjusted, changed, restored, removed or booked', async () => {
    await agenda.renew(ana);
    await forget(ana);
    const attempts: [string, string, object?][] = [
      ['PATCH', `/students/${ana}`, { nome: 'Ana Souza' }],
      ['POST', `/students/${ana}/archive`],
      ['POST', `/students/${ana}/restore`],
      ['DELETE', `/students/${ana}`],
      ['POST', `/students/${ana}/credits/renew`],
      ['POST', `/students/${ana}/credits/adjust`, { quantidade: 1, motivo: 'Acerto' }],
      ['POST', `/students/${ana}/credits/consume`, { motivo: 'Aula' }],
      ['POST', '/sessions', { student_id: ana, inicio: tomorrow(7), fim: tomorrow(8) }],
    ];
    for (const [method, path, body] of attempts) {
      expect(await agenda.refused(409, method, path, body)).toMatchObject(forgottenProblem);
    }
  });

  it('has past sessions that can be settled, but not edited, and no future ones', async () => {
    await agenda.renew(ana);
    const bia = await agenda.student('Bia Lima');
    const [past, coming, gone] = [
      await book(ana, yesterday, 7),
      await book(ana, tomorrow, 7),
      await book(ana, tomorrow, 9),
    ];
    await agenda.remove(gone);
    await forget(ana);
    const refused: [string, string, object?][] = [
      ['PATCH', `/sessions/${past}`, { observacoes: 'Joelho' }],
      ['PATCH', `/sessions/${past}`, { inicio: tomorrow(7), fim: tomorrow(8) }],
      ['PATCH', `/sessions/${past}`, { student_id: bia }],
      ['POST', `/sessions/${past}/cancel`, { motivo: 'falta', justificativa: 'Doença' }],
      ['POST', `/sessions/${coming}/reopen`],
      ['PATCH', `/sessions/${coming}`, { status: 'agendada' }],
      ['POST', `/sessions/${gone}/restore`],
      ['PATCH', `/sessions/${await book(bia, tomorrow, 11)}`, { student_id: ana }],
    ];
    for (const [method, path, body] of refused) {
      expect(await agenda.refused(409, method, path, body)).toMatchObject(forgottenProblem);
    }
    expect(await agenda.complete(past)).toMatchObject({ status: 'feita', usou_credito: true });
    expect(await agenda.reopen(past)).toMatchObject({ status: 'agendada' });
    expect(await agenda.cancel(past, { motivo: 'personal' })).toMatchObject({ status: 'cancelada' });
    await agenda.remove(past);
    await agenda.restore(past);
    expect(await agenda.balance(ana)).toBe(4);
  });

  it('has a key that cannot be restored, and all other keys are kept', async () => {
    await forget(ana);
    const bia = await agenda.student('Bia Lima');
    const server = await connect(database.environment.DATABASE_URL);
    const as = async (tenantId: string, text: string, values: unknown[]) => {
      await server.query('begin');
      await server.query("select set_config('app.tenant', $1, true)", [tenantId]);
      const answer = await server.query(text, values).then(
        ({ rowCount }) => rowCount,
        (error: Error) => error.message,
      );
      await server.query('rollback');
      return answer;
    };
    const refusal = 'the key of a person is only ever destroyed';
    const own = trainer.tenantId;
    const revive = "update person_keys set wrapped_key = '\\x00', forgotten_at = null where person_id = $1";
    expect(await as(own, revive, [ana])).toBe(refusal);
    expect(await as(own, "update person_keys set wrapped_key = '\\x00' where person_id = $1", [bia])).toBe(
      refusal,
    );
    expect(await as(own, 'delete from person_keys where person_id = $1', [ana])).toMatch(/permission denied/);
    const destroy = 'update person_keys set wrapped_key = null, forgotten_at = now() where person_id = $1';
    const stranger = await signUp(app);
    expect(await as(stranger.tenantId, destroy, [bia])).toBe(0);
    expect(await as(own, destroy, [bia])).toBe(1);
  });

  it('is reported by the audit if the key still exists, or was deleted without an event', async () => {
    const bia = await agenda.student('Bia Lima');
    const keyOf = async (person: string) =>
      (
        await database.query<{ wrapped_key: Buffer }>(
          'select wrapped_key from person_keys where person_id = $1',
          [person],
        )
      )[0]!.wrapped_key;
    const keys = { ana: await keyOf(ana), bia: await keyOf(bia) };
    await forget(ana);
    await caughtUp(database);
    const force = async (text: string, values: unknown[]) => {
      await database.query('alter table person_keys disable trigger user');
      await database.query(text, values);
      await database.query('alter table person_keys enable trigger user');
    };
    const set = 'update person_keys set wrapped_key = $2, forgotten_at = $3 where person_id = $1';
    await force(set, [ana, keys.ana, null]);
    await force(set, [bia, null, new Date()]);
    const { code, output } = await runCli(database, ['audit:verify']);
    expect(code).toBe(1);
    expect(output).toContain(
      `${trainer.tenantId}: a pessoa ${ana} teve os dados apagados, mas ainda tem chave\n`,
    );
    expect(output).toContain(
      `${trainer.tenantId}: a pessoa ${bia} não tem chave, mas o log não diz que os dados foram apagados\n`,
    );
    await force(set, [ana, null, new Date()]);
    await force(set, [bia, keys.bia, null]);
  });
});

it('a rebuild gives the same rows of every projection', async () => {
  await agenda.renew(ana);
  await trainer.api.post(`/students/${ana}/credits/consume`, { motivo: 'Aula avulsa' });
  const bia = await agenda.student('Bia Lima', await agenda.plan());
  await trainer.api.post(`/students/${bia}/credits/adjust`, { quantidade: 1, motivo: 'Presente' });
  await book(ana, yesterday, 7, { observacoes: 'Joelho' });
  await forget(ana);
  await caughtUp(database);
  const live = await snapshot(database);
  await rebuild(database);
  expect(await snapshot(database)).toEqual(live);
});

it('a parked projection forgets too', async () => {
  await read(ana);
  await database.query(
    `insert into projection_checkpoint (tenant_id, projection, position, parked_error, parked_at)
     select tenant_id, 'students', position, 'parked by hand', now() from projection_checkpoint
     where tenant_id = $1 and projection = 'shared'`,
    [trainer.tenantId],
  );
  await forget(ana);
  await eventually(
    () =>
      database.query('select nome from read.students where tenant_id = $1 and id = $2', [
        trainer.tenantId,
        ana,
      ]),
    [{ nome: null }],
  );
});
