import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  CreditBalance,
  CreditStatement,
  LowCreditsPage,
} from '../../backend/modules/credits/credits.api.js';
import type { Student } from '../../backend/modules/students/students.api.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { lotsThatDiffer } from './lots.js';
import { SetClock } from '../support/clock.js';
import { connect, testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

const start = '2026-11-02T13:00:00.000Z';

const clock = new SetClock(new Date(start));

const database = await testDatabase();
const app = await sharedApp(clock);
let trainer = await signUp(app);

beforeEach(() => {
  clock.at = new Date(start);
});

async function createPlan(fields: object = {}): Promise<string> {
  return (await trainer.api.post('/plans', { nome: 'Pacote 10', valor: 90_000, creditos: 10, ...fields }))
    .body.id;
}

async function studentWith(plano_id: string | null): Promise<string> {
  const fields = { nome: 'Ana Souza', telefone: '11943214321', plano_id };
  return (await trainer.api.post('/students', fields)).body.id;
}

const of = (student: string) => ({
  renew: async () => (await trainer.api.post<CreditBalance>(`/students/${student}/credits/renew`)).body.saldo,
  adjust: async (quantidade: number, motivo = 'Acerto') =>
    (await trainer.api.post<CreditBalance>(`/students/${student}/credits/adjust`, { quantidade, motivo }))
      .body.saldo,
  consume: async (motivo = 'Aula avulsa') =>
    (await trainer.api.post<CreditBalance>(`/students/${student}/credits/consume`, { motivo })).body.saldo,
  statement: async (query = {}) =>
    (await trainer.api.get<CreditStatement>(`/students/${student}/credits`, { query })).body,
  balance: async () => (await trainer.api.get<Student>(`/students/${student}`)).body.creditos,
});

const lines = ({ extrato }: CreditStatement) =>
  extrato.items.map(({ tipo, quantidade, saldo }) => [tipo, quantidade, saldo]);

describe('renewing', () => {
  it("grants the plan's credits until the end of its last day", async () => {
    const plano_id = await createPlan({ validade_dias: 30 });
    const student = await studentWith(plano_id);
    expect(await of(student).renew()).toBe(10);
    expect(await of(student).balance()).toBe(10);
    const { saldo, lotes, extrato } = await of(student).statement();
    expect(saldo).toBe(10);
    expect(lotes).toEqual([
      {
        id: expect.any(String),
        quantidade: 10,
        restante: 10,
        plano_id,
        plano_nome: 'Pacote 10',
        criado_em: start,
        expira_em: '2026-12-02',
        reposicao: false,
        transferido: false,
      },
    ]);
    expect(extrato).toEqual({
      items: [
        {
          id: lotes[0]!.id,
          tipo: 'concessao',
          quantidade: 10,
          saldo: 10,
          em: start,
          lote_id: lotes[0]!.id,
          posicao: expect.any(Number),
          causa: 'plano',
          motivo: null,
          plano_id,
          pagamento: { situacao: 'sem_cobranca', cobranca: null },
          plano_nome: 'Pacote 10',
          session_id: null,
          sessao: null,
          de_aluno: null,
          outro_aluno: null,
          pode_desfazer: false,
          user_id: trainer.userId,
        },
      ],
      next: null,
    });
  });

  it.each<[string, () => Promise<string>, number, string]>([
    ['without a plan', () => studentWith(null), 422, 'credits.no_plan'],
    [
      'whose plan has no credits',
      async () => studentWith(await createPlan({ creditos: 0 })),
      422,
      'credits.plan_without_credits',
    ],
    [
      'who is archived',
      async () => {
        const student = await studentWith(await createPlan());
        await trainer.api.post(`/students/${student}/archive`);
        return student;
      },
      409,
      'students.archived',
    ],
    ['who does not exist', () => Promise.resolve(randomUUID()), 404, 'students.not_found'],
  ])('is refused for a student %s', async (_, who, status, code) => {
    const { body } = await trainer.api.post(`/students/${await who()}/credits/renew`, undefined, { status });
    expect(body).toMatchObject({ code });
  });
});

describe('using credits by hand', () => {
  it('uses the lot that expires first, and records the reason', async () => {
    const student = await studentWith(await createPlan({ validade_dias: 60 }));
    const { renew, adjust, consume, statement } = of(student);
    await adjust(1, 'Cortesia');
    await renew();
    await trainer.api.patch(`/students/${student}`, {
      plano_id: await createPlan({ creditos: 1, validade_dias: 30 }),
    });
    await renew();
    expect(await consume('Aula na praia')).toBe(11);
    expect(await consume()).toBe(10);
    const { lotes, extrato } = await statement();
    expect(lotes.map(({ restante, expira_em }) => [restante, expira_em])).toEqual([
      [9, '2027-01-01'],
      [1, null],
    ]);
    expect(extrato.items.map(({ motivo }) => motivo)).toEqual([
      'Aula avulsa',
      'Aula na praia',
      null,
      null,
      'Cortesia',
    ]);
  });

  it('is refused at zero, with a message', async () => {
    const student = await studentWith(null);
    const { body } = await trainer.api.post(
      `/students/${student}/credits/consume`,
      { motivo: 'Aula' },
      { status: 422 },
    );
    expect(body).toMatchObject({
      code: 'credits.none_available',
      title: 'Aluno sem créditos disponíveis',
      detail: 'No credits available',
    });
  });

  it('200 times at once, of 10 credits, succeeds exactly 10 times', async () => {
    const student = await studentWith(await createPlan());
    await of(student).renew();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        trainer.api.request<ProblemBody>('POST', `/api/v1/students/${student}/credits/consume`, {
          body: { motivo: 'Aula' },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refusals = answers.filter(({ status }) => status !== 200);
    expect(new Set(refusals.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['422 credits.none_available']),
    );
    const { saldo, extrato } = await of(student).statement();
    expect(saldo).toBe(0);
    expect(extrato.items.map(({ saldo: after }) => after)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

describe('adjusting', () => {
  it('adds credits that do not expire, and removes no more than there are', async () => {
    const student = await studentWith(await createPlan({ creditos: 2, validade_dias: 1 }));
    const { renew, adjust, statement } = of(student);
    await renew();
    expect(await adjust(3, 'Cortesia')).toBe(5);
    const tooMany = { quantidade: -6, motivo: 'Lançado em dobro' };
    const { body } = await trainer.api.post(`/students/${student}/credits/adjust`, tooMany, { status: 422 });
    expect(body).toMatchObject({ code: 'credits.not_enough', errors: [{ pointer: '/quantidade' }] });
    expect(await adjust(-4, 'Lançado em dobro')).toBe(1);
    const after = await statement();
    expect(after.lotes).toMatchObject([{ restante: 1, expira_em: null }]);
    expect(after.extrato.items[0]).toMatchObject({
      tipo: 'ajuste',
      quantidade: -4,
      saldo: 1,
      lote_id: null,
      motivo: 'Lançado em dobro',
    });
  });

  it.each([
    [{ quantidade: 0, motivo: 'x' }, '/quantidade', 'Quantidade deve ser maior que zero'],
    [{ quantidade: 1001, motivo: 'x' }, '/quantidade', 'Use no máximo 1000 créditos'],
    [{ quantidade: -1001, motivo: 'x' }, '/quantidade', 'Use no máximo 1000 créditos'],
    [{ quantidade: 1, motivo: ' ' }, '/motivo', 'Informe o motivo'],
  ])('%j is refused, and nothing is written', async (body, pointer, detail) => {
    const student = await studentWith(null);
    const refusal = await trainer.api.post(`/students/${student}/credits/adjust`, body, { status: 400 });
    expect(refusal.body).toMatchObject({ errors: [{ pointer, detail }] });
    expect((await of(student).statement()).extrato.items).toEqual([]);
  });
});

describe('the statement', () => {
  let student: string;
  beforeAll(async () => {
    clock.at = new Date(start);
    student = await studentWith(await createPlan({ creditos: 4, validade_dias: 1 }));
    await of(student).renew();
    clock.at = new Date('2026-11-03T13:00:00.000Z');
    await of(student).consume();
    await of(student).adjust(2);
    clock.at = new Date('2026-11-04T13:00:00.000Z');
    await of(student).consume();
  });

  it('has one line for expired credits, at the end of the day', async () => {
    clock.at = new Date('2026-11-05T13:00:00.000Z');
    const now = await of(student).statement();
    expect(now.saldo).toBe(1);
    expect(await of(student).balance()).toBe(1);
    expect(lines(now)).toEqual([
      ['consumo', -1, 1],
      ['expiracao', -3, 2],
      ['ajuste', 2, 5],
      ['consumo', -1, 3],
      ['concessao', 4, 4],
    ]);
    expect(now.extrato.items[1]).toMatchObject({
      em: '2026-11-04T03:00:00.000Z',
      causa: null,
      user_id: null,
      plano_nome: 'Pacote 10',
    });
  });

  it('is listed in pages that keep their balances', async () => {
    clock.at = new Date('2026-11-05T13:00:00.000Z');
    const whole = await of(student).statement();
    const paged: CreditStatement['extrato']['items'] = [];
    let cursor: string | null = null;
    do {
      const { saldo, extrato }: CreditStatement = await of(student).statement({
        limit: 2,
        ...(cursor && { cursor }),
      });
      expect(saldo).toBe(1);
      paged.push(...extrato.items);
      cursor = extrato.next;
    } while (cursor !== null);
    expect(paged).toEqual(whole.extrato.items);
  });
});

it('the database itself refuses a lot below zero', async () => {
  const student = await studentWith(await createPlan());
  await of(student).renew();
  const client = await connect(database.environment.DATABASE_URL);
  await client.query("select set_config('app.tenant', $1, false)", [trainer.tenantId]);
  await expect(
    client.query('update credit_lots set remaining = remaining - 11 where student_id = $1', [student]),
  ).rejects.toMatchObject({ constraint: 'credit_lots_never_negative' });
});

it('the guard contains the same balance of each lot as the ledger', async () => {
  expect(await lotsThatDiffer(database)).toEqual([]);
});

it('no reason is readable in the log', async () => {
  const student = await studentWith(null);
  await of(student).adjust(1, 'Compensa a lesão da Jacinta');
  await of(student).consume('Aula da Jacinta');
  const log = JSON.stringify(await database.query('select data from events'));
  expect(log).not.toContain('Jacinta');
  expect((await of(student).statement()).extrato.items).toMatchObject([
    { motivo: 'Aula da Jacinta' },
    { motivo: 'Compensa a lesão da Jacinta' },
  ]);
});

it.each(['credits', 'credit-notes'])('a rebuild gives the same %s', async (name) => {
  await trainer.api.get('/students');
  await expectRebuildToEqualLive(app, name);
});

describe('a transfer', () => {
  let [ana, bia] = ['', ''];
  const transfer = (body: object, status = 200) =>
    trainer.api.post<{ id: string; saldo: number; code?: string }>(
      `/students/${ana}/credits/transfer`,
      { para: bia, quantidade: 3, motivo: 'Irmãs', ...body },
      { status },
    );
  const balances = async () => [await of(ana).balance(), await of(bia).balance()];

  beforeEach(async () => {
    trainer = await signUp(app);
    ana = await studentWith(await createPlan({ creditos: 4, validade_dias: 30 }));
    bia = await studentWith(null);
    await of(ana).renew();
  });

  it('moves credits with their expiry, and both statements name the other student', async () => {
    const { id, saldo } = (await transfer({})).body;
    expect(saldo).toBe(1);
    expect(await balances()).toEqual([1, 3]);
    expect((await of(ana).statement()).extrato.items[0]).toMatchObject({
      id,
      tipo: 'transferencia',
      quantidade: -3,
      saldo: 1,
      motivo: 'Irmãs',
      outro_aluno: { id: bia, nome: 'Ana Souza' },
    });
    const { lotes, extrato } = await of(bia).statement();
    expect(lotes).toMatchObject([{ restante: 3, expira_em: '2026-12-02', transferido: true }]);
    expect(extrato.items).toMatchObject([{ tipo: 'transferencia', quantidade: 3, outro_aluno: { id: ana } }]);

    await trainer.api.post(`/credits/transfers/${id}/undo`);
    expect(await balances()).toEqual([4, 0]);
    expect((await of(ana).statement()).lotes).toMatchObject([{ restante: 4, quantidade: 4 }]);
    expect((await of(ana).statement()).extrato.items[0]).toMatchObject({ tipo: 'transferencia_desfeita' });
    await trainer.api.post(`/credits/transfers/${id}/undo`, undefined, { status: 409 });
    for (const name of ['credits', 'credit-transfers']) await expectRebuildToEqualLive(app, name);
  });

  it('is not undone once one of the credits was used, and nothing changes', async () => {
    const { id } = (await transfer({ quantidade: 4 })).body;
    await of(bia).consume();
    const { body } = await trainer.api.post<ProblemBody>(`/credits/transfers/${id}/undo`, undefined, {
      status: 409,
    });
    expect(body.code).toBe('credits.transfer_used');
    expect(await balances()).toEqual([0, 3]);
  });

  it.each([
    ['more than there are', () => ({ quantidade: 5 }), 422, 'credits.not_enough'],
    ['to the same student', () => ({ para: ana }), 422, 'credits.same_student'],
    ['to nobody', () => ({ para: randomUUID() }), 404, 'students.not_found'],
    ['without a reason', () => ({ motivo: ' ' }), 400, undefined],
    ['of none', () => ({ quantidade: 0 }), 400, undefined],
  ])('is refused: %s', async (_, body, status, code) => {
    const { body: problem } = await transfer(body(), status);
    if (code) expect(problem.code).toBe(code);
    expect(await balances()).toEqual([4, 0]);
  });

  it('20 times at once, of 4 credits, succeeds exactly once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        trainer.api.request('POST', `/api/v1/students/${ana}/credits/transfer`, {
          body: { para: bia, quantidade: 3, motivo: 'Irmãs' },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await balances()).toEqual([1, 3]);
  });
});

describe('the list of students to renew', () => {
  const low = async (query = {}) => (await trainer.api.get<LowCreditsPage>('/credits/low', { query })).body;

  beforeEach(async () => {
    trainer = await signUp(app);
  });

  it('contains those with a low balance, or with credits that expire soon; the lowest first', async () => {
    const [lasting, monthly] = [await createPlan(), await createPlan({ nome: 'Mensal', validade_dias: 30 })];
    const named = async (nome: string, plano_id: string | null, credits: number) => {
      const { id } = (await trainer.api.post('/students', { nome, telefone: '11943214321', plano_id })).body;
      if (plano_id) await of(id).renew();
      if (credits) await of(id).adjust(credits);
      return id;
    };
    const bia = await named('Bia', lasting, -8);
    await named('Caio, com créditos', lasting, -7);
    const ana = await named('Ana', lasting, -8);
    const duda = await named('Duda', monthly, 0);
    await named('Eva, sem plano', null, 0);
    const gone = await named('Gil, inativo', lasting, -10);
    await trainer.api.post(`/students/${gone}/archive`);

    const item = (id: string, nome: string) => ({
      id,
      nome,
      creditos: 2,
      a_vencer: 0,
      vence_em: null,
      plano: { id: lasting, nome: 'Pacote 10', creditos: 10, valor: expect.any(Number) },
    });
    expect(await low()).toEqual({ items: [item(ana, 'Ana'), item(bia, 'Bia')], next: null });

    clock.at = new Date('2026-11-26T03:00:00.000Z');
    const last = {
      ...item(duda, 'Duda'),
      creditos: 10,
      a_vencer: 10,
      vence_em: '2026-12-02',
      plano: { id: monthly, nome: 'Mensal', creditos: 10, valor: expect.any(Number) },
    };
    expect((await low()).items[2]).toEqual(last);

    clock.at = new Date('2026-12-03T03:00:00.000Z');
    expect((await low()).items[0]).toMatchObject({ id: duda, creditos: 0, a_vencer: 0, vence_em: null });
  });

  it('is listed in pages', async () => {
    const plan = await createPlan();
    const ids = await Promise.all(Array.from({ length: 5 }, () => studentWith(plan)));
    await of(ids[0]!).adjust(1);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: LowCreditsPage = await low({ limit: 2, ...(cursor && { cursor }) });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    } while (cursor);
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(seen.at(-1)).toBe(ids[0]);
  });
});
