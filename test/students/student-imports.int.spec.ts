import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ShownMonthlyPlan } from '../../backend/modules/charges/monthly-plans.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import {
  LINES_AT_ONCE,
  type Imported,
  type StudentImportPage,
  type UndoneImport,
} from '../../backend/modules/student-imports/student-imports.api.js';
import type { KnownStudent, Student, StudentPage } from '../../backend/modules/students/students.api.js';
import { tableOf } from '../../frontend/src/features/student-imports/columns.js';
import { rowsOf } from '../../frontend/src/features/student-imports/file-rows.js';
import { previewOf } from '../../frontend/src/features/student-imports/lines.js';
import { copyOf } from '../accounts/own-data.js';
import { agendaOf } from '../agenda/trainer.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

let trainer: Trainer;

const database = await testDatabase();
const app = await sharedApp();

const line = (linha: number, changes: object = {}) => ({
  linha,
  aluno: { nome: `Aluno ${linha}`, whatsapp: `+55119${10_000_000 + linha}` },
  ...changes,
});
const lines = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) => line(first + n));

const send = async (id: string, linhas: object[], { api } = trainer) =>
  (await api.post<Imported>('/student-imports', { import_id: id, linhas })).body;
/** Sends the file in the portions of the page. */
async function sendAll(id: string, linhas: object[], atOnce = LINES_AT_ONCE): Promise<void> {
  for (let at = 0; at < linhas.length; at += atOnce) await send(id, linhas.slice(at, at + atOnce));
}
const students = async ({ api } = trainer, situacao = 'ativos') =>
  (await api.get<StudentPage>('/students', { query: { limit: 100, situacao } })).body;
const undo = async (id: string) => (await trainer.api.post<UndoneImport>(`/student-imports/${id}/undo`)).body;
const imports = async () => (await trainer.api.get<StudentImportPage>('/student-imports')).body.items;
const statement = async (id: string, { api } = trainer) =>
  (await api.get<CreditStatement>(`/students/${id}/credits`)).body;
const eventCount = async () =>
  (
    await database.query<{ n: number }>('select count(*)::int as n from events where tenant_id = $1', [
      trainer.tenantId,
    ])
  )[0]!.n;

describe('an import', () => {
  beforeAll(async () => {
    trainer = await signUp(app);
  });

  it('creates students with plan, status and credits', async () => {
    const { api } = trainer;
    const plano_id = (await api.post('/plans', { nome: 'Pacote 10', valor: 90_000, creditos: 10 })).body.id;
    const id = randomUUID();
    const saldo = [
      { quantidade: 4, expira_em: '2090-12-31' },
      { quantidade: 2, expira_em: null },
    ];
    const aluno = { nome: 'Ana Souza', whatsapp: '(11) 94321-4321', plano_id };
    const sent = [line(1, { aluno, saldo }), line(2, { inativo: true })];
    const done = await send(id, sent);
    const [ana] = (await students()).items;
    const [second] = (await students(trainer, 'arquivados')).items;
    const student_ids = [ana!.id, second!.id];
    expect(done).toEqual({ id, importados: 2, repetidos: 0, student_ids });
    expect(await send(id, sent.toReversed())).toMatchObject({
      repetidos: 2,
      student_ids: student_ids.toReversed(),
    });
    expect(ana).toMatchObject({ nome: 'Ana Souza', plano_id, creditos: 6, arquivado: false });
    expect((await students(trainer, 'arquivados')).items).toMatchObject([{ nome: 'Aluno 2', creditos: 0 }]);
    const { lotes, extrato } = await statement(ana!.id);
    expect(lotes.map(({ restante, expira_em }) => ({ quantidade: restante, expira_em }))).toEqual(saldo);
    expect(extrato.items).toMatchObject([
      { tipo: 'concessao', causa: 'importacao', quantidade: 2, saldo: 6 },
      { tipo: 'concessao', causa: 'importacao', quantidade: 4, saldo: 4 },
    ]);
    // The credits are ordinary ones: used and returned.
    await api.post(`/students/${ana!.id}/credits/consume`, { motivo: 'Aula avulsa' });
    expect((await statement(ana!.id)).lotes[0]).toMatchObject({ restante: 3, expira_em: '2090-12-31' });
  });

  it('imports each line once, in any portions, when repeated, and in two windows at once', async () => {
    const id = randomUUID();
    const before = (await students()).total;
    await Promise.all([
      ...[lines(1, 120), lines(1, 120), lines(60, 200)].map((part) => sendAll(id, part, 50)),
      sendAll(id, lines(1, 200)),
    ]);
    expect(await send(id, lines(151, 200))).toMatchObject({ importados: 0, repetidos: 50 });
    expect((await students()).total).toBe(before + 200);
    expect((await imports())[0]).toMatchObject({ id, alunos: 200, removidos: 0, mantidos: 0 });
  });

  it('is refused as a whole if one line is invalid, and changes nothing', async () => {
    const id = randomUUID();
    const before = await eventCount();
    const refused = (linhas: object[], status: number) =>
      trainer.api.post<{ code: string; errors?: object[] }>(
        '/student-imports',
        { import_id: id, linhas },
        { status },
      );
    for (const [whatsapp, detail] of [
      ['123', 'WhatsApp inválido'],
      ['+351 912', 'Confira o número (Portugal): faltam dígitos'],
    ]) {
      const wrong = [line(1), line(2, { aluno: { nome: 'Ana', whatsapp } })];
      expect((await refused(wrong, 400)).body.errors).toContainEqual({
        pointer: '/linhas/1/aluno/whatsapp',
        detail,
      });
    }
    await refused(lines(1, LINES_AT_ONCE + 1), 400);
    await refused([], 400);
    await refused([line(1), line(1)], 400);
    await refused([line(5001)], 400);
    const past = { saldo: [{ quantidade: 1, expira_em: '2020-01-31' }] };
    expect((await refused([line(1), line(2, past)], 422)).body.code).toBe('credits.already_expired');
    const elsewhere = { aluno: { nome: 'Ana', whatsapp: '+5511943214321', plano_id: randomUUID() } };
    expect((await refused([line(1), line(2, elsewhere)], 404)).body.code).toBe('plans.not_found');
    expect(await eventCount()).toBe(before);
  });

  it('is undone except for students in use, and can then be imported again under another id', async () => {
    const id = randomUUID();
    const credits = { saldo: [{ quantidade: 3, expira_em: null }] };
    await sendAll(id, [
      line(1, credits),
      line(2, credits),
      ...lines(3, 199),
      line(200, credits),
      ...lines(201, 203),
    ]);
    const named = async (nome: string) =>
      (await trainer.api.get<StudentPage>('/students', { query: { q: nome } })).body.items.filter(
        (each) => each.nome === nome && each.criado_em >= begun,
      );
    const begun = (await imports())[0]!.em;
    const [booked] = await named('Aluno 203');
    const [spent] = await named('Aluno 200');
    const agenda = agendaOf(trainer.api);
    const inicio = new Date(Date.now() + 86_400_000);
    const fim = new Date(inicio.getTime() + 3_600_000).toISOString();
    await agenda.book({ student_id: booked!.id, inicio: inicio.toISOString(), fim });
    await trainer.api.post(`/students/${spent!.id}/credits/consume`, { motivo: 'Aula avulsa' });

    const before = (await students()).total;
    expect(await undo(id)).toEqual({ id, removidos: 199, mantidos: 1, restam: 3 });
    const more = { import_id: id, linhas: lines(204, 204) };
    await trainer.api.post('/student-imports', more, { status: 409 });
    expect(await undo(id)).toEqual({ id, removidos: 2, mantidos: 1, restam: 0 });
    expect(await undo(id)).toEqual({ id, removidos: 0, mantidos: 0, restam: 0 });
    expect((await students()).total).toBe(before - 201);
    expect((await imports())[0]).toMatchObject({ alunos: 203, removidos: 201, mantidos: 2 });
    await trainer.api.get<Student>(`/students/${booked!.id}`);
    expect((await statement(spent!.id)).saldo).toBe(2);
    expect(await send(randomUUID(), lines(1, 3))).toMatchObject({ importados: 3 });
    await trainer.api.post(`/student-imports/${randomUUID()}/undo`, undefined, { status: 404 });
  });

  it('imports the price of a monthly plan, which the undo removes unless it was billed or changed by hand', async () => {
    const { plan } = agendaOf(trainer.api);
    const [monthly, packet] = [await plan({ tipo: 'mensal', valor: 40_000 }), await plan()];
    const mensalidade = { valor: 35_000, desde: '2026-01-01', ate: '2090-12-31', vence_dia: 10 };
    const of = (n: number, plano_id: string, more: object = { mensalidade }) => {
      const { linha, aluno } = line(n);
      return { linha, aluno: { ...aluno, nome: `Mensal ${n}`, plano_id }, ...more };
    };
    const id = randomUUID();
    const before = await eventCount();
    const refused = { import_id: id, linhas: [of(1, packet)] };
    const { body } = await trainer.api.post<{ code: string }>('/student-imports', refused, { status: 422 });
    expect([body.code, await eventCount()]).toEqual(['charges.not_monthly', before]);

    await send(id, [of(1, monthly), of(2, monthly, { mensalidade, inativo: true }), of(3, monthly, {})]);
    const found = async (situacao: string) =>
      (await trainer.api.get<StudentPage>('/students', { query: { q: 'Mensal', situacao } })).body.items;
    const all = [...(await found('ativos')), ...(await found('arquivados'))];
    const known = new Map(all.map((each) => [each.nome, each.id]));
    const path = (n: number) => `/students/${known.get(`Mensal ${n}`)}/monthly-plan`;
    for (const n of [1, 2])
      expect((await trainer.api.get<ShownMonthlyPlan>(path(n))).body.mensalidade).toMatchObject({
        ...mensalidade,
        plano_id: monthly,
      });
    await trainer.api.put(path(3), { ...mensalidade, plano_id: monthly });
    expect(await undo(id)).toMatchObject({ removidos: 2, mantidos: 1, restam: 0 });
    expect((await found('ativos')).map(({ nome }) => nome)).toEqual(['Mensal 3']);
    expect(await found('arquivados')).toEqual([]);
  });

  it('stores in the log what was imported', async () => {
    await imports();
    for (const name of ['student-imports', 'credits', 'students']) await expectRebuildToEqualLive(app, name);
  });
});

it('an exported file can be imported with the same result', async () => {
  const [from, to] = [await signUp(app), await signUp(app)];
  const plans = await Promise.all(
    [from, to].map(
      async ({ api }) =>
        (await api.post('/plans', { nome: 'Pacote 10; família', valor: 1, creditos: 10 })).body.id,
    ),
  );
  const monthly = await Promise.all(
    [from, to].map(({ api }) => agendaOf(api).plan({ nome: 'Mensal', tipo: 'mensal', valor: 40_000 })),
  );
  const people = [
    { nome: '=Ana "a" Souza', whatsapp: '(11) 94321-4321', telefone: '(11) 3456-7890', plano_id: plans[0] },
    {
      nome: 'Bia; Lima',
      whatsapp: '(21) 98765-4321',
      email: 'bia@exemplo.com.br',
      observacoes: 'joelho\n-ombro',
      nascimento: '1940-02-29',
      emergencia_nome: 'Rui; Lima',
      emergencia_telefone: '(21) 3456-7890',
      emergencia_relacao: 'pai',
    },
    {
      nome: 'Caio',
      whatsapp: '(31) 98765-4321',
      nascimento: '2012-05-17',
      responsavel_nome: 'Maria',
      responsavel_telefone: '(31) 91234-5678',
    },
    { nome: 'Davi', whatsapp: '+351 912 345 678', telefone: '+1 212 555 0100' },
    {
      nome: 'Eva',
      whatsapp: '(51) 98765-4321',
      plano_id: monthly[0],
      mensalidade: { valor: 123_456, desde: '2026-02-03', ate: '2090-01-31', vence_dia: 10 },
    },
    { nome: 'Fábio', whatsapp: '(61) 98765-4321', plano_id: plans[0] },
    { nome: 'Gil', whatsapp: '(71) 98765-4321' },
  ];
  const ids: string[] = [];
  for (const person of people) ids.push((await from.api.post('/students', person)).body.id);
  await from.api.post(`/students/${ids[0]}/credits/renew`);
  await send(
    randomUUID(),
    [
      line(1, {
        saldo: [
          { quantidade: 4, expira_em: '2090-12-31' },
          { quantidade: 1, expira_em: null },
        ],
      }),
    ],
    from,
  );
  await from.api.put(`/students/${ids[1]}/tags`, { etiquetas: ['Manhã', 'corrida leve', 'Tênis'] });
  // Agreements may be for another plan than the student's.
  for (const id of ids.slice(5))
    await from.api.put(`/students/${id}/monthly-plan`, {
      plano_id: monthly[0],
      valor: 33_333,
      desde: '2026-02-03',
      ate: null,
      vence_dia: 7,
    });
  await from.api.post(`/students/${ids[2]}/archive`);
  await from.api.delete(`/students/${ids[3]}`);

  const files = await copyOf(app, from);
  const csv = [...files].find(([name]) => name.endsWith('/alunos.csv'))![1];
  const { rows } = await rowsOf(Buffer.from(csv), 5000);
  const around = { ddd: '', chosen: {}, known: new Map(), today: '2026-01-01' };
  const read = previewOf(tableOf(rows, ['Pacote 10; família']), {
    ...around,
    plans: new Map([
      ['pacote 10; familia', plans[1]!],
      ['mensal', monthly[1]!],
    ]),
    monthly: new Map([[monthly[1]!, 40_000]]),
    agreed: { desde: '2026-01-01', vence_dia: 5 },
  });
  expect(read.filter(({ errors }) => errors.length > 0)).toMatchObject([
    { nome: 'Davi', errors: ['Aluno excluído'] },
  ]);
  await send(
    randomUUID(),
    read.flatMap(({ body }) => body ?? []),
    to,
  );

  const all = async (whose: Trainer) =>
    Promise.all(
      [...(await students(whose)).items, ...(await students(whose, 'arquivados')).items].map(
        async ({ id }) => {
          const known = (await whose.api.get<KnownStudent>(`/students/${id}`)).body;
          const { id: _, criado_em: __, plano_id: ___, plano, ...rest } = known;
          const { mensalidade } = (await whose.api.get<ShownMonthlyPlan>(`/students/${id}/monthly-plan`))
            .body;
          return {
            ...rest,
            plano: plano?.nome,
            mensalidade: mensalidade && { ...mensalidade, plano_id: null },
            lotes: (await statement(id, whose)).lotes.map(({ restante, expira_em }) => ({
              restante,
              expira_em,
            })),
          };
        },
      ),
    );
  const [sent, come] = [await all(from), await all(to)];
  expect(sent).toHaveLength(7);
  expect(sent.filter(({ mensalidade }) => mensalidade?.valor === 123_456)).toHaveLength(1);
  expect(sent.filter(({ mensalidade }) => mensalidade?.valor === 33_333)).toHaveLength(2);
  expect(come).toEqual(sent);
});
