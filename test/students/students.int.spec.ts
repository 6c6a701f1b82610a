import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type {
  KnownStudent,
  ListedStudent,
  StudentPage,
} from '../../backend/modules/students/students.api.js';
import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

const database = await testDatabase();
const app = await sharedApp();
const trainer = await signUp(app);

const ana = { nome: 'Ana Souza', whatsapp: '(11) 94321-4321' };

async function register(fields: object = ana, { api } = trainer): Promise<string> {
  return (await api.post('/students', fields)).body.id;
}

async function createPlan(fields: object = {}): Promise<string> {
  return (await trainer.api.post('/plans', { nome: 'Pacote 10', valor: 90_000, creditos: 10, ...fields }))
    .body.id;
}

const read = async (id: string) => (await trainer.api.get<ListedStudent>(`/students/${id}`)).body;
const list = async (query: Record<string, string | number> = {}, { api } = trainer) =>
  (await api.get<StudentPage>('/students', { query })).body;

const events = async ({ tenantId } = trainer) =>
  database.query<{ type: string; data: Record<string, unknown> }>(
    'select type, data from events where tenant_id = $1 order by position',
    [tenantId],
  );

describe('a student', () => {
  it('is registered with a WhatsApp number, without credits', async () => {
    const id = await register({ ...ana, email: 'Ana@Exemplo.com.br', observacoes: '' });
    expect(await read(id)).toEqual({
      id,
      nome: 'Ana Souza',
      telefone: '+5511943214321',
      whatsapp: '+5511943214321',
      email: 'ana@exemplo.com.br',
      plano_id: null,
      plano: null,
      observacoes: null,
      etiquetas: [],
      creditos: 0,
      arquivado: false,
      esquecido: false,
      criado_em: expect.stringMatching(/^\d{4}-.*Z$/),
      proxima: null,
      ultima: null,
      divida: 0,
      pausado_ate: null,
      cpf: null,
      nascimento: null,
      emergencia_nome: null,
      emergencia_telefone: null,
      emergencia_relacao: null,
      responsavel_nome: null,
      responsavel_telefone: null,
      mensalidade: null,
      creditos_de: null,
      email_parado: null,
      frequencia: { semanas: Array<number>(12).fill(0), faltas: 0, plano: null },
      juntados: [],
    });
  });

  it('has a birthday, an emergency contact and a guardian', async () => {
    const id = await register({ ...ana, nascimento: '2012-05-17', emergencia_nome: 'Maria' });
    const wanted = {
      emergencia_telefone: '11 3456-7890',
      emergencia_relacao: 'avó',
      emergencia_nome: '',
      responsavel_nome: 'João Souza',
      responsavel_telefone: '(11) 98765-4321',
    };
    await trainer.api.patch(`/students/${id}`, { ...wanted, cpf: '529.982.247-25' });
    expect((await trainer.api.get<KnownStudent>(`/students/${id}`)).body).toMatchObject({
      cpf: '52998224725',
      nascimento: '2012-05-17',
      emergencia_nome: null,
      emergencia_telefone: '+551134567890',
      responsavel_nome: 'João Souza',
      responsavel_telefone: '+5511987654321',
    });
    const { body: history } = await trainer.api.get<HistoryPage>('/history', {
      query: { subject: `student:${id}` },
    });
    expect(history.items[0]?.texto).toBe(
      'Alterou CPF, contato de emergência, telefone de emergência (+551134567890), parentesco do contato de emergência (avó), responsável (João Souza), telefone do responsável (+5511987654321)',
    );
    for (const wrong of [
      { nascimento: '2990-01-01' },
      { cpf: '529.982.247-26' },
      { nascimento: '17/05/1990' },
      { emergencia_telefone: '12' },
    ])
      await trainer.api.patch(`/students/${id}`, wrong, { status: 400 });
    await expectRebuildToEqualLive(app, 'students');
  });

  it('may have the same phone as another one', async () => {
    expect(await register()).not.toBe(await register());
  });

  it('has the given plan', async () => {
    const plano_id = await createPlan();
    const id = await register({ ...ana, plano_id });
    expect(await read(id)).toMatchObject({
      plano_id,
      plano: { id: plano_id, nome: 'Pacote 10', creditos: 10, valor: 90_000 },
    });
    await trainer.api.patch(`/students/${id}`, { plano_id: null });
    expect(await read(id)).toMatchObject({ plano_id: null, plano: null });
  });

  it('cannot get a plan that is missing, removed or inactive', async () => {
    const removed = await createPlan();
    await trainer.api.delete(`/plans/${removed}`);
    const inactive = await createPlan();
    await trainer.api.patch(`/plans/${inactive}`, { is_active: false });
    const id = await register();
    for (const plano_id of [randomUUID(), removed]) {
      const { body } = await trainer.api.post('/students', { ...ana, plano_id }, { status: 404 });
      expect(body).toMatchObject({ code: 'plans.not_found', errors: [{ pointer: '/plano_id' }] });
      await trainer.api.patch(`/students/${id}`, { plano_id }, { status: 404 });
    }
    const { body } = await trainer.api.patch(`/students/${id}`, { plano_id: inactive }, { status: 409 });
    expect(body).toMatchObject({ code: 'plans.inactive' });
  });

  it('keeps a plan that became inactive', async () => {
    const plano_id = await createPlan();
    const id = await register({ ...ana, plano_id });
    await trainer.api.patch(`/plans/${plano_id}`, { is_active: false });
    await trainer.api.patch(`/students/${id}`, { plano_id, observacoes: 'Prefere manhãs' });
    expect(await read(id)).toMatchObject({ plano_id, observacoes: 'Prefere manhãs' });
  });

  it('is archived, and restored unchanged', async () => {
    const id = await register();
    const before = await read(id);
    await trainer.api.post(`/students/${id}/archive`);
    expect(await read(id)).toEqual({ ...before, arquivado: true });
    await trainer.api.post(`/students/${id}/restore`);
    expect(await read(id)).toEqual(before);
  });

  it('is removed while it has no history, and restored unchanged', async () => {
    const plano_id = await createPlan();
    const id = await register({ ...ana, plano_id });
    const before = await read(id);
    await trainer.api.delete(`/students/${id}`);
    await trainer.api.get(`/students/${id}`, { status: 404 });
    await trainer.api.delete(`/students/${id}`, { status: 404 });
    await trainer.api.patch(`/students/${id}`, { nome: 'Ana' }, { status: 404 });
    await trainer.api.post(`/students/${id}/restore`);
    expect(await read(id)).toEqual(before);
    await trainer.api.delete(`/plans/${plano_id}`, { status: 409 });
  });

  it('is restored without a plan that was removed meanwhile', async () => {
    const plano_id = await createPlan();
    const id = await register({ ...ana, plano_id });
    await trainer.api.delete(`/students/${id}`);
    await trainer.api.delete(`/plans/${plano_id}`);
    await trainer.api.post(`/students/${id}/restore`);
    expect(await read(id)).toMatchObject({ plano_id: null });
  });

  it('with credits is not removed', async () => {
    const id = await register();
    await trainer.api.post(`/students/${id}/credits/adjust`, { quantidade: 1, motivo: 'Cortesia' });
    const { body } = await trainer.api.delete(`/students/${id}`, { status: 409 });
    expect(body).toMatchObject({
      code: 'students.in_use',
      title:
        'Não é possível remover o aluno: possui vínculos (agendamentos/recebimentos). Use Inativar se disponível.',
    });
  });
});

describe('the list of students', () => {
  let other: Trainer;
  beforeAll(async () => {
    other = await signUp(app);
    for (const [nome, telefone] of [
      ['Érica Lima', '(21) 98888-1111'],
      ['ana paula', '(21) 98888-2222'],
      ['Bruno Conceição', '(21) 98888-3333'],
      ['Ana', '(21) 98888-4444'],
    ]) {
      await register({ nome, telefone }, other);
    }
    await other.api.post(
      `/students/${await register({ nome: 'Zoé', telefone: '(21) 98888-5555' }, other)}/archive`,
    );
  });

  const names = ({ items }: StudentPage) => items.map(({ nome }) => nome);

  it('is sorted by name, ignoring accents and case, with the total number', async () => {
    const page = await list({}, other);
    expect(names(page)).toEqual(['Ana', 'ana paula', 'Bruno Conceição', 'Érica Lima']);
    expect(page).toMatchObject({ next: null, total: 4 });
    expect(names(await list({ situacao: 'arquivados' }, other))).toEqual(['Zoé']);
    await other.api.delete(`/students/${await register({ nome: 'Zilda', telefone: '21988886666' }, other)}`);
    const all = await list({ situacao: 'todos' }, other);
    expect([names(all), all.total]).toEqual([
      ['Ana', 'ana paula', 'Bruno Conceição', 'Érica Lima', 'Zoé'],
      5,
    ]);
  });

  it('is read in pages', async () => {
    const first = await list({ limit: 3 }, other);
    expect(names(first)).toEqual(['Ana', 'ana paula', 'Bruno Conceição']);
    const second = await list({ limit: 3, cursor: first.next! }, other);
    expect(names(second)).toEqual(['Érica Lima']);
    expect(second).toMatchObject({ next: null, total: 4 });
  });

  it.each([
    ['ANA', ['Ana', 'ana paula']],
    ['erica', ['Érica Lima']],
    ['conceicao', ['Bruno Conceição']],
    ['98888-3', ['Bruno Conceição']],
    ['%', []],
    ['a_a', []],
    ['ninguém', []],
  ])('finds %s', async (q, found) => {
    const page = await list({ q }, other);
    expect(names(page)).toEqual(found);
    expect(page.total).toBe(found.length);
  });

  it.each([{ limit: 0 }, { limit: 1000 }, { cursor: 'x' }, { situacao: 'x' }, { x: 1 }])(
    'refuses %j',
    async (query) => {
      await other.api.get('/students', { query: query as never, status: 400 });
    },
  );
});

describe('the order of the list', () => {
  let third: Trainer;
  const day = 86_400_000;
  const today = Math.floor(Date.now() / day) * day;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    third = await signUp(app);
    const { api } = third;
    for (const nome of ['Ana', 'Bia', 'Caio', 'Davi'])
      ids[nome] = await register({ nome, whatsapp: '(11) 94321-4321' }, third);
    await api.post(`/students/${ids.Ana}/credits/adjust`, { quantidade: 5, motivo: 'Cortesia' });
    await api.post(`/students/${ids.Caio}/credits/adjust`, { quantidade: 2, motivo: 'Cortesia' });
    const session = async (nome: string, days: number) => {
      const inicio = new Date(today + days * day + 15 * 3_600_000);
      const fim = new Date(inicio.getTime() + 3_600_000).toISOString();
      const times = { inicio: inicio.toISOString(), fim, permitir_conflito: true };
      return (await api.post('/sessions', { student_id: ids[nome], ...times })).body.id;
    };
    await api.post(`/sessions/${await session('Ana', -30)}/complete`);
    await api.post(`/sessions/${await session('Bia', -3)}/complete`);
    await session('Bia', 2);
    await session('Bia', 9);
    const charge = (nome: string, valor: number, vencimento: string) =>
      api.post('/charges', { student_id: ids[nome], descricao: 'Aulas', valor, vencimento });
    const on = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
    await charge('Caio', 9_000, on(-4));
    await charge('Davi', 4_000, on(-40));
    await charge('Davi', 8_000, on(-2));
    await charge('Ana', 50_000, on(20));
    await charge('Bia', 7_000, on(0));
  });

  const inOrder = async (query: Record<string, string | number>) => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: StudentPage = await list({ limit: 1, ...query, ...(cursor && { cursor }) }, third);
      found.push(...page.items.map(({ nome }) => nome));
      cursor = page.next;
    } while (cursor !== null);
    return found;
  };

  it.each([
    ['nome', ['Ana', 'Bia', 'Caio', 'Davi']],
    ['saldo', ['Bia', 'Davi', 'Caio', 'Ana']],
    ['ultima', ['Caio', 'Davi', 'Ana', 'Bia']],
    ['divida', ['Davi', 'Caio', 'Ana', 'Bia']],
  ])('is by %s, in pages', async (ordem, names) => {
    expect(await inOrder({ ordem })).toEqual(names);
  });

  it('contains the next and the last session of each student, and overdue amounts', async () => {
    const { items } = await list({}, third);
    const at = (days: number) => new Date(today + days * day + 15 * 3_600_000).toISOString();
    expect(items.map(({ proxima, ultima, divida }) => ({ proxima, ultima, divida }))).toEqual([
      { proxima: null, ultima: at(-30), divida: 0 },
      { proxima: at(2), ultima: at(-3), divida: 0 },
      { proxima: null, ultima: null, divida: 9_000 },
      { proxima: null, ultima: null, divida: 12_000 },
    ]);
  });
});

it('lists those whose plan ends: few credits in a week, or a monthly plan about to be over', async () => {
  const { api } = await signUp(app);
  const plan = async (more: object) =>
    (await api.post('/plans', { nome: 'Plano', valor: 90_000, creditos: 4, ...more })).body.id;
  const lasting = await plan({});
  const brief = await plan({ validade_dias: 5 });
  const monthly = await plan({ creditos: 0, tipo: 'mensal' });
  const add = async (nome: string, plano_id: string | null, mensalidade?: object) =>
    (await api.post('/students', { nome, telefone: '11943214321', plano_id, mensalidade })).body.id;
  const renewed = async (nome: string, plano_id: string) => {
    const id = await add(nome, plano_id);
    await api.post(`/students/${id}/credits/renew`);
    return id;
  };
  await renewed('Ana', lasting);
  await renewed('Bia', brief);
  await add('Caio', lasting);
  await add('Davi', null);
  const agree = async (nome: string, days: number) => {
    const on = (later: number) => new Date(Date.now() + later * 86_400_000).toISOString().slice(0, 10);
    await add(nome, monthly, { valor: 40_000, desde: on(0), ate: on(days), vence_dia: 5 });
  };
  await agree('Eva', 20);
  await agree('Fábio', 60);
  const away = await add('Gil', lasting);
  await api.put(`/students/${away}/pause`, {
    ate: new Date(Date.now() + 86_400_000 * 9).toISOString().slice(0, 10),
  });
  const { body } = await api.get<StudentPage>('/students', { query: { acabando: 'sim' } });
  expect(body.items.map(({ nome }) => nome)).toEqual(['Bia', 'Caio', 'Eva']);
});

describe('typed input', () => {
  it.each<[string, object, string, string]>([
    ['no name', { whatsapp: ana.whatsapp }, '/nome', 'Campo obrigatório'],
    ['a short name', { ...ana, nome: ' A ' }, '/nome', 'Nome deve ter pelo menos 2 caracteres'],
    ['an endless name', { ...ana, nome: 'a'.repeat(121) }, '/nome', 'Use no máximo 120 caracteres'],
    ['no number', { nome: 'Ana' }, '/whatsapp', 'Informe o WhatsApp com DDD'],
    ['a short number', { ...ana, whatsapp: '(11) 9432-432' }, '/whatsapp', 'WhatsApp inválido'],
    ['an unknown area code', { ...ana, whatsapp: '(20) 94321-4321' }, '/whatsapp', 'WhatsApp inválido'],
    ['an e-mail that is none', { ...ana, email: 'ana@' }, '/email', 'Informe um e-mail válido'],
    ['credits', { ...ana, creditos: 100 }, '/creditos', 'Campo desconhecido'],
  ])('is refused with %s, and nothing is written', async (_, body, pointer, detail) => {
    const before = (await events()).length;
    const refusal = await trainer.api.post('/students', body, { status: 400 });
    expect(refusal.body).toMatchObject({ errors: [{ pointer, detail }] });
    expect(await events()).toHaveLength(before);
  });
});

it('nothing about a person is readable in the log', async () => {
  const person = {
    nome: 'Jacinta Querubim',
    telefone: '(85) 3222-1111',
    whatsapp: '(85) 99876-5432',
    email: 'jacinta@querubim.com.br',
    observacoes: 'Hérnia lombar',
  };
  const id = await register(person);
  await trainer.api.patch(`/students/${id}`, { observacoes: 'Hérnia cervical', nome: 'Jacinta Q.' });
  const log = JSON.stringify(await events());
  for (const secret of ['Jacinta', '32221111', '998765432', 'querubim', 'Hérnia'])
    expect(log).not.toContain(secret);
  expect(await read(id)).toMatchObject({ nome: 'Jacinta Q.', observacoes: 'Hérnia cervical' });
});

it('a rebuild gives the same students', async () => {
  await list();
  await expectRebuildToEqualLive(app, 'students');
});
