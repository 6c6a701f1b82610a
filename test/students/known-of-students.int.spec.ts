import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type { OwnSessions } from '../../backend/modules/student-area/own-sessions.api.js';
import type { StudentNotePage } from '../../backend/modules/student-notes/student-notes.api.js';
import type {
  BulkChanged,
  ListedStudent,
  StudentPage,
  TagList,
} from '../../backend/modules/students/students.api.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import type { ToldContactList } from '../../backend/modules/told-contacts/told-contacts.api.js';
import type { NotificationPage } from '../../backend/modules/notices/notifications.api.js';
import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import { eventually } from '../support/eventually.js';
import { copyOf, studentAccount } from '../accounts/own-data.js';
import type { Client } from '../support/client.js';
import { dayOf } from '../support/clock.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { toldOf } from '../support/history.js';

let trainer: Trainer;
let ana: string;

const app = await sharedApp();

const register = async (nome: string) =>
  (await trainer.api.post('/students', { nome, telefone: '11943214321' })).body.id;

beforeEach(async () => {
  trainer = await signUp(app);
  ana = await register('Ana Souza');
});

const said = (id: string) => toldOf(trainer.api, `student:${id}`);

describe('many students at once', () => {
  const change = async (body: object, status = 200) =>
    (await trainer.api.post<BulkChanged & ProblemBody>('/students/bulk', body, { status })).body;
  const listed = async (query: Record<string, string> = {}) =>
    (await trainer.api.get<StudentPage>('/students', { query })).body.items.map(({ nome, etiquetas }) =>
      [nome, ...etiquetas].join(' '),
    );

  it('are archived, and those who were active before are restored', async () => {
    const [bia, caio] = [await register('Bia Lima'), await register('Caio Dias')];
    await trainer.api.post(`/students/${caio}/archive`);
    const { alterados } = await change({ acao: 'inativar', ids: [ana, bia, caio, ana] });
    expect(alterados).toEqual([ana, bia]);
    expect(await listed()).toEqual([]);
    expect(await change({ acao: 'reativar', ids: alterados })).toEqual({ alterados });
    expect(await listed()).toEqual(['Ana Souza', 'Bia Lima']);
  });

  it('get a tag and lose it again, except those who had it or have no room for it', async () => {
    const [bia, caio] = [await register('Bia Lima'), await register('Caio Dias')];
    await trainer.api.put(`/students/${bia}/tags`, { etiquetas: ['manhã'] });
    const full = Array.from({ length: 10 }, (_, n) => `t${n}`);
    await trainer.api.put(`/students/${caio}/tags`, { etiquetas: full });
    const tag = { ids: [ana, bia, caio], etiqueta: 'Manhã' };
    const { alterados } = await change({ acao: 'etiquetar', ...tag });
    expect(alterados).toEqual([ana]);
    expect(await listed({ etiqueta: 'Manhã' })).toEqual(['Ana Souza Manhã']);
    await change({ acao: 'remover_etiqueta', ids: alterados, etiqueta: 'Manhã' });
    expect(await listed()).toEqual(['Ana Souza', 'Bia Lima manhã', `Caio Dias ${full.join(' ')}`]);
  });

  it('are not changed if one id is unknown or of another trainer; forgotten ones are skipped', async () => {
    const stranger = await signUp(app);
    const foreign = (await stranger.api.post('/students', { nome: 'Davi', telefone: '11943214321' })).body.id;
    for (const id of [randomUUID(), foreign])
      expect((await change({ acao: 'inativar', ids: [ana, id] }, 404)).code).toBe('students.not_found');
    expect(await listed()).toEqual(['Ana Souza']);
    await trainer.api.post(`/students/${ana}/forget`);
    expect(await change({ acao: 'inativar', ids: [ana] })).toEqual({ alterados: [] });
  });

  it.each([
    [{ acao: 'inativar', ids: [] }],
    [{ acao: 'etiquetar', ids: [randomUUID()] }],
    [{ acao: 'inativar', ids: [randomUUID()], etiqueta: 'x' }],
    [{ acao: 'apagar', ids: [randomUUID()] }],
    [{ acao: 'inativar', ids: Array.from({ length: 101 }, () => randomUUID()) }],
  ])('refuse %j', async (body) => {
    await change(body, 400);
  });
});

describe('a pause of a student', () => {
  const day = (days: number) => dayOf(addDays(new Date(), days));
  const pause = (ate: string, status = 200, id = ana) =>
    trainer.api.put<ProblemBody>(`/students/${id}/pause`, { ate }, { status });
  const resume = (status = 200) =>
    trainer.api.put<ProblemBody>(`/students/${ana}/pause`, { ate: null }, { status });
  const listed = async (query: Record<string, string> = {}) =>
    (await trainer.api.get<StudentPage>('/students', { query })).body.items.map(
      ({ pausado_ate }) => pausado_ate,
    );
  const ends = async () =>
    (await trainer.api.get<CreditStatement>(`/students/${ana}/credits`)).body.lotes.map(
      ({ expira_em }) => expira_em,
    );

  const renew = async () => {
    const plano = { nome: 'Pacote', valor: 90_000, creditos: 10, validade_dias: 30 };
    const plano_id = (await trainer.api.post('/plans', plano)).body.id;
    await trainer.api.patch(`/students/${ana}`, { plano_id });
    await trainer.api.post(`/students/${ana}/credits/renew`);
    return plano_id;
  };

  it('moves the expiry of credits that are granted during it', async () => {
    await pause(day(9));
    const plano_id = await renew();
    const charge = { student_id: ana, plano_id, descricao: 'Pacote', valor: 90_000, vencimento: day(2) };
    const { id } = (await trainer.api.post('/charges', charge)).body;
    const paid = { valor: 90_000, data: day(0), metodo_pagamento: 'pix' };
    await trainer.api.post(`/charges/${id}/payments`, paid);
    expect(await ends()).toEqual([day(39)]);
  });

  it('extends credits by its days, and is shown', async () => {
    await renew();
    await trainer.api.post(`/students/${ana}/credits/adjust`, { quantidade: 1, motivo: 'Acerto' });
    const [end] = await ends();
    const later = (days: number) => dayOf(addDays(new Date(`${end}T12:00:00Z`), days));
    await pause(day(9));
    expect([await ends(), await listed()]).toEqual([[later(10), null], [day(9)]]);
    const student = await studentAccount(app, trainer, ana, 'Ana Souza');
    const own = (await student.api.get<CreditStatement>('/student/credits')).body;
    expect(own.pausado_ate).toBe(day(9));
    expect((await student.api.get<OwnSessions>('/student/sessions')).body.pausado_ate).toBe(day(9));
    await pause(day(4));
    expect([await ends(), await listed()]).toEqual([[later(5), null], [day(4)]]);
    await resume();
    expect([await ends(), await listed()]).toEqual([[end, null], [null]]);
    const words = await said(ana);
    expect(words).toContain(`Pausou o aluno até ${day(9).split('-').reverse().join('/')}`);
    expect(words).toContain('Encerrou a pausa do aluno');
    expect(words.join()).toContain('Prorrogou os créditos por 10 dias por causa da pausa');
    await expectRebuildToEqualLive(app, 'student-pauses');
    await expectRebuildToEqualLive(app, 'credits');
  });

  it('is refused if it is impossible, and changes nothing', async () => {
    for (const ate of [day(-1), day(366)])
      expect((await pause(ate, 422)).body).toMatchObject({ code: 'student_pauses.wrong_end' });
    await pause('amanhã', 400);
    expect((await resume(409)).body).toMatchObject({ code: 'student_pauses.not_paused' });
    await pause(day(9), 404, randomUUID());
    await trainer.api.post(`/students/${ana}/archive`);
    await pause(day(9), 409);
    expect(await listed({ situacao: 'arquivados' })).toEqual([null]);
  });
});

describe('the tags of a student', () => {
  const tag = (id: string, etiquetas: string[]) => trainer.api.put(`/students/${id}/tags`, { etiquetas });
  const tagsOf = async (id: string) =>
    (await trainer.api.get<ListedStudent>(`/students/${id}`)).body.etiquetas;
  const found = async (etiqueta: string) =>
    (await trainer.api.get<StudentPage>('/students', { query: { etiqueta } })).body.items.map(
      ({ nome }) => nome,
    );

  it('are set together, each once whatever its case and accents, and find the student', async () => {
    const bia = await register('Bia Lima');
    await tag(ana, [' Manhã ', 'corrida', 'MANHA']);
    await tag(bia, ['Manhã']);
    expect(await tagsOf(ana)).toEqual(['Manhã', 'corrida']);
    expect(await found('Manhã')).toEqual(['Ana Souza', 'Bia Lima']);
    expect(await found('corrida')).toEqual(['Ana Souza']);
    expect(await found('corr')).toEqual([]);
    const { items } = (await trainer.api.get<TagList>('/students/tags')).body;
    expect(items).toEqual([
      { etiqueta: 'corrida', alunos: 1 },
      { etiqueta: 'Manhã', alunos: 2 },
    ]);
    await tag(ana, []);
    expect(await found('Manhã')).toEqual(['Bia Lima']);
    expect(await said(ana)).toEqual([
      'Removeu as etiquetas',
      'Mudou as etiquetas: Manhã, corrida',
      'Cadastrou Ana Souza',
    ]);
    await expectRebuildToEqualLive(app, 'students');
  });

  it('are counted for active students only, and removed with a forgotten one', async () => {
    await tag(ana, ['Gestante']);
    await trainer.api.post(`/students/${ana}/forget`);
    expect(await tagsOf(ana)).toEqual([]);
    expect((await trainer.api.get<TagList>('/students/tags')).body.items).toEqual([]);
    await trainer.api.put(`/students/${ana}/tags`, { etiquetas: ['x'] }, { status: 409 });
  });

  it.each([[['']], [['a'.repeat(31)]], [Array.from({ length: 11 }, (_, n) => `t${n}`)], ['Manhã']])(
    'refuse %j',
    async (etiquetas) => {
      await trainer.api.put(`/students/${ana}/tags`, { etiquetas }, { status: 400 });
      expect(await tagsOf(ana)).toEqual([]);
    },
  );
});

describe('the notes on a student', () => {
  const notes = async (id = ana, query: Record<string, string | number> = {}) =>
    (await trainer.api.get<StudentNotePage>(`/students/${id}/notes`, { query })).body;
  const write = async (dia: string, texto: string, id = ana) =>
    (await trainer.api.post(`/students/${id}/notes`, { dia, texto })).body.id;

  it('are listed by day, latest first, in pages', async () => {
    await write('2030-01-07', 'Primeira');
    await write('2030-03-01', 'Terceira');
    await write('2030-01-07', 'Segunda');
    const first = await notes(ana, { limit: 2 });
    expect(first.items.map(({ texto }) => texto)).toEqual(['Terceira', 'Segunda']);
    const second = await notes(ana, { limit: 2, cursor: first.next! });
    expect(second).toMatchObject({ items: [{ texto: 'Primeira', dia: '2030-01-07' }], next: null });
    await trainer.api.get(`/students/${randomUUID()}/notes`, { status: 404 });
  });

  it('are changed, removed and restored, which the history shows', async () => {
    const id = await write('2030-01-07', 'Dor no ombro');
    await trainer.api.patch(`/student-notes/${id}`, { dia: '2030-01-08', texto: 'Dor no ombro direito' });
    await trainer.api.delete(`/student-notes/${id}`);
    expect((await notes()).items).toEqual([]);
    await trainer.api.patch(`/student-notes/${id}`, { texto: 'x' }, { status: 404 });
    await trainer.api.post(`/student-notes/${id}/restore`);
    expect((await notes()).items).toMatchObject([{ id, dia: '2030-01-08', texto: 'Dor no ombro direito' }]);
    expect((await said(ana)).slice(0, 4)).toEqual([
      'Desfez a exclusão de uma anotação',
      'Excluiu uma anotação',
      'Alterou uma anotação, agora de 08/01/2030: “Dor no ombro direito”',
      'Fez a anotação de 07/01/2030: “Dor no ombro”',
    ]);
    await expectRebuildToEqualLive(app, 'student-notes');
  });

  it('prevent the removal of a student as long as they exist', async () => {
    const id = await write('2030-01-07', 'Dor no ombro');
    await trainer.api.delete(`/students/${ana}`, { status: 409 });
    await trainer.api.delete(`/student-notes/${id}`);
    await trainer.api.delete(`/students/${ana}`);
    await trainer.api.post(`/student-notes/${id}/restore`, undefined, { status: 404 });
  });

  it('are deleted with a forgotten student, about whom no new ones are stored', async () => {
    const id = await write('2030-01-07', 'Dor no ombro');
    await trainer.api.post(`/students/${ana}/forget`);
    expect((await notes()).items).toEqual([]);
    await trainer.api.post(`/students/${ana}/notes`, { dia: '2030-01-07', texto: 'x' }, { status: 409 });
    await trainer.api.patch(`/student-notes/${id}`, { texto: 'x' }, { status: 409 });
    expect((await said(ana)).join()).not.toContain('ombro');
  });

  it("and tags are in no answer to the student, nor in the student's export", async () => {
    await write('2030-01-07', 'Segredo do ombro');
    await trainer.api.put(`/students/${ana}/tags`, { etiquetas: ['Segredo de turma'] });
    const account = await studentAccount(app, trainer, ana);
    for (const path of [
      '/students',
      `/students/${ana}`,
      `/students/${ana}/notes`,
      '/students/tags',
      '/me',
      '/student/sessions',
      '/student/credits',
      '/student/charges',
      '/account/profile',
      `/history?subject=student:${ana}`,
    ]) {
      const { body } = await account.api.request('GET', `/api/v1${path}`);
      expect([path, JSON.stringify(body)]).toEqual([path, expect.not.stringContaining('Segredo')]);
    }
    expect([...(await copyOf(app, account)).values()].join()).not.toContain('Segredo');
    expect([...(await copyOf(app, trainer)).values()].join()).toContain('Segredo do ombro');
  });
});

describe('what a student changes in the own account', () => {
  const open = async ({ api }: Trainer = trainer) =>
    (await api.get<ToldContactList>('/told-contacts')).body.items.map(({ campo, valor }) => [campo, valor]);
  const unread = async () =>
    (await trainer.api.get<NotificationPage>('/notifications')).body.items
      .filter(({ lida }) => !lida)
      .map(({ titulo, texto }) => `${titulo}: ${texto}`);
  const answer = (campo: string, valor: string, resposta: string, status = 200) =>
    trainer.api.put(`/students/${ana}/told-contact`, { campo, valor, resposta }, { status });
  const numbers = async () => {
    const { body } = await trainer.api.get<ListedStudent>(`/students/${ana}`);
    return [body.nome, body.telefone, body.whatsapp];
  };
  const changes = async (account: Awaited<ReturnType<typeof studentAccount>>, changed: object) => {
    const profile = { nome: 'Ana Souza', telefone: null, data_nascimento: null, ...changed };
    const { status } = await account.api.request('PUT', '/api/v1/account/profile', { body: profile });
    expect(status).toBe(200);
  };
  const join = async (account: { api: Client }, { api }: Trainer, id: string) => {
    const { inviteUrl } = (await api.post<NewInvite>(`/students/${id}/invites`)).body;
    await account.api.post('/invites/accept', { token: inviteUrl.split('/').at(-1)! });
  };
  const moved = ['whatsapp', '+5521987654321'];

  it('is a question, of which the latest value counts, until the register is updated; that can be undone', async () => {
    const account = await studentAccount(app, trainer, ana, 'Ana Souza');
    await changes(account, { telefone: '31987654321' });
    await eventually(open, [['whatsapp', '+5531987654321']]);
    await changes(account, { telefone: '21987654321', nome: 'Ana Lima' });
    await eventually(open, [moved, ['nome', 'Ana Lima']]);
    const questions = [
      'Ana Souza mudou o WhatsApp: Para (21) 98765-4321: atualizar?',
      'Ana Souza mudou o nome: Para Ana Lima: atualizar?',
    ];
    const asked = async () => (await unread()).toSorted();
    await eventually(asked, questions);
    await answer('whatsapp', '+5531987654321', 'atualizar', 409);
    await answer('whatsapp', '+5521987654321', 'atualizar');
    expect(await numbers()).toEqual(['Ana Souza', '+5521987654321', '+5521987654321']);
    expect(await open()).toEqual([['nome', 'Ana Lima']]);
    await eventually(unread, ['Ana Souza mudou o nome: Para Ana Lima: atualizar?']);
    await answer('whatsapp', '+5521987654321', 'perguntar');
    expect(await numbers()).toEqual(['Ana Souza', '+5511943214321', '+5511943214321']);
    expect(await open()).toEqual([moved, ['nome', 'Ana Lima']]);
    await eventually(asked, questions);
    await trainer.api.patch(`/students/${ana}`, { nome: 'Ana Lima' });
    expect(await open()).toEqual([moved]);
    const files = [await copyOf(app, account), await copyOf(app, trainer)];
    for (const file of files) expect([...file.values()].join()).toContain('5521987654321');
    await expectRebuildToEqualLive(app, 'told-contacts');
    await trainer.api.post(`/students/${ana}/forget`);
    expect(await open()).toEqual([]);
    await answer('whatsapp', '+5521987654321', 'manter', 409);
  });

  it('is asked too where the account that accepts an invite has another WhatsApp or name, of this trainer alone', async () => {
    const account = await studentAccount(app, trainer, ana, 'Ana Lima', '21987654321');
    await eventually(open, [moved, ['nome', 'Ana Lima']]);
    const second = await signUp(app);
    const { body: there } = await second.api.post('/students', { nome: 'Ana Lima', telefone: '11943214321' });
    await answer('nome', 'Ana Lima', 'manter');
    await join(account, second, there.id);
    await eventually(() => open(second), [moved]);
    expect(await open()).toEqual([moved]);
    // Another student with that number, to whom a link to it may be meant.
    const shared = async () =>
      (await second.api.get<ToldContactList>('/told-contacts')).body.items.map(({ dividido }) => dividido);
    expect(await shared()).toEqual([false]);
    await second.api.post('/students', { nome: 'Bia Lima', whatsapp: '11943214321' });
    expect(await shared()).toEqual([true]);
  });

  it('is asked of each trainer alone, and "Manter" leaves the register as it is', async () => {
    const account = await studentAccount(app, trainer, ana, 'Ana Souza');
    const second = await signUp(app);
    const { body: there } = await second.api.post('/students', {
      nome: 'Ana Souza',
      telefone: '21987654321',
    });
    const third = await signUp(app);
    const { body: elsewhere } = await third.api.post('/students', {
      nome: 'Aninha',
      telefone: '11943214321',
    });
    await join(account, second, there.id);
    await join(account, third, elsewhere.id);
    await changes(account, { telefone: '21987654321' });
    await eventually(open, [moved]);
    await eventually(() => open(third), [moved]);
    expect(await open(second)).toEqual([]);
    await answer('whatsapp', '+5521987654321', 'manter');
    expect(await open()).toEqual([]);
    expect(await open(third)).toEqual([moved]);
    expect(await numbers()).toEqual(['Ana Souza', '+5511943214321', '+5511943214321']);
  });
});
