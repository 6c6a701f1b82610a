import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import type { ExportState } from '../../backend/modules/accounts/own-data/own-data.api.js';
import { AccountExports } from '../../backend/modules/accounts/own-data/account-exports.service.js';
import { Queues } from '../../backend/platform/jobs/queues.js';
import { find, textOf } from '../privacy/everywhere.js';
import { secrets, studentWithALife } from '../privacy/life.js';
import { caughtUp } from '../proof/read-tables.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { nextMail } from '../support/mail.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { unzip } from '../support/zip.js';
import { copyOf, download, exportOf, holdCopies, speaker, studentAccount } from './own-data.js';
import { browser, get } from './people.js';
import { protectedPerson, shown } from './second-factor.js';

const database = await testDatabase();
const app = await sharedApp();
const trainer = await signUp(app, { nome: 'Carla Dias', cpf: '52998224725' });
const { id: studentId } = await studentWithALife(trainer.api);
await database.query(
  `insert into auth.passkeys (id, user_id, friendly_name, credential_id, public_key, counter, transports)
   values ($1, $2, 'Celular', '\\x0102', '\\xa5', 0, '{}')`,
  [randomUUID(), trainer.userId],
);
await trainer.api.post('/locations', { nome: 'Parque', endereco: 'Rua das Palmeiras, 12' });

const parsed = (files: Map<string, string>, name: string) =>
  JSON.parse(files.get(name)!) as Record<string, unknown>[];
const sessionOf = ({ accessToken }: Pick<Trainer, 'accessToken'>) => decodeJwt(accessToken).session_id;
const state = async ({ api }: Pick<Trainer, 'api'>) =>
  (await api.get<ExportState>('/account/exports')).body.exportacao;

describe('a data export', () => {
  it('contains, for a trainer, all data of business and account, in common file formats', async () => {
    const files = await copyOf(app, trainer);
    const folder = [...files.keys()].find((name) => name.startsWith('negocio-carla-dias'))!.split('/')[0]!;
    expect([...files.keys()]).toEqual([
      'LEIA-ME.txt',
      'conta.json',
      ...[
        'mensagens-a-alunos.json',
        'whatsapp.json',
        'respostas-do-whatsapp.json',
        'respostas-do-whatsapp.csv',
        'mensagens-do-whatsapp.json',
        'mensagens-do-whatsapp.csv',
        'alunos.json',
        'alunos.csv',
        'pagadores.json',
        'pagadores.csv',
        'contatos-informados.json',
        'contatos-informados.csv',
        'anotacoes-de-alunos.json',
        'anotacoes-de-alunos.csv',
        'importacoes-de-alunos.json',
        'sessoes.json',
        'sessoes.csv',
        'series.json',
        'turmas.json',
        'filas-de-turmas.json',
        'creditos.json',
        'creditos.csv',
        'lotes-de-creditos.json',
        'lancamentos.json',
        'lancamentos.csv',
        'recibos.json',
        'recibos.csv',
        'dados-dos-recibos.json',
        'cobrancas.json',
        'cobrancas.csv',
        'planos.json',
        'servicos.json',
        'locais.json',
        'politicas.json',
        'tarefas.json',
        'tarefas.csv',
        'listas-de-tarefas.json',
        'disponibilidade.json',
        'ferias.json',
        'feriados.json',
        'link-do-calendario.json',
        'mensalidades.json',
        'despesas-recorrentes.json',
        'meses-entregues.json',
        'linhas-do-extrato.json',
        'pagamentos-de-pagadores.json',
        'pix-recebidos.json',
        'chave-pix.json',
        'termos-de-cobranca.json',
        'provedor-pix.json',
        'codigos-do-provedor.json',
        'link-publico.json',
        'transferencias-de-creditos.json',
        'creditos-divididos.json',
        'reposicoes.json',
        'agendamento-de-alunos.json',
        'reservas.json',
        'reservas.csv',
        'lista-de-espera.json',
        'lista-de-espera.csv',
        'outro-calendario.json',
        'lembretes.json',
        'avisos-de-vencimento.json',
        'pedidos-de-alunos.json',
        'pedidos-de-alunos.csv',
        'nomes-em-horarios-divididos.json',
        'contratos.json',
        'assinaturas.json',
        'assinaturas.csv',
        'escolhas-de-notificacoes.json',
        'emails-desligados.json',
        'emails-recentes.json',
        'notificacoes.json',
        'pausas.json',
        'configuracoes.json',
        'termos-gerais.json',
        'consultor-financeiro.json',
        'lacre-por-email.json',
        'verificacoes-de-integridade.json',
        'historico.json',
        'arquivo-completo.jsonl',
        'verificar-arquivo.mjs',
      ].map((name) => `${folder}/${name}`),
    ]);
    const account = JSON.parse(files.get('conta.json')!) as Record<string, Record<string, unknown>>;
    expect(account.usuario).toMatchObject({
      nome: 'Carla Dias',
      email: trainer.email,
      cpf: '52998224725',
      data_nascimento: '1990-05-17',
    });
    expect(account.chaves_de_acesso).toEqual([
      {
        nome: 'Celular',
        identificador: 'AQI=',
        chave_publica: 'pQ==',
        criada_em: expect.any(String),
        usada_em: null,
      },
    ]);
    expect(parsed(files, `${folder}/alunos.json`)).toContainEqual(
      expect.objectContaining({
        id: studentId,
        nome: 'Wandréia Xistovski',
        plano: 'Mensal 8',
        observacoes: 'hérnia lombar, sem carga',
        etiquetas: 'gestante',
        cpf: '11144477735',
        nascimento: '1987-06-05',
        emergencia_nome: 'Filomena Xistovski',
        responsavel_telefone: '+555132221234',
        situacao: 'ativo',
      }),
    );
    expect(parsed(files, `${folder}/anotacoes-de-alunos.json`)).toMatchObject([
      { aluno: 'Wandréia Xistovski', dia: '2030-01-07', texto: 'arritmia, em repouso', excluida: false },
    ]);
    expect(parsed(files, `${folder}/lancamentos.json`)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ descricao: 'Mensalidade', valor: 48_000, tipo: 'receita' }),
        expect.objectContaining({
          descricao: 'Mensal 8',
          valor: 7_000,
          tipo: 'receita',
          student_id: studentId,
          aluno: 'Wandréia Xistovski',
        }),
      ]),
    );
    expect(files.get(`${folder}/lancamentos.csv`)).toMatch(
      /^id;tipo;data;descricao;valor;.*\r\n[^;]+;receita;[^;]+;Mensalidade;480,00;pix;/,
    );
    expect(files.get(`${folder}/alunos.csv`)).toContain('Wandréia Xistovski');
    for (const [name, content] of files)
      if (name.endsWith('.csv'))
        expect([name, content]).toEqual([name, expect.not.stringMatching(/undefined|NaN/)]);
    expect(parsed(files, `${folder}/sessoes.json`)).toHaveLength(11);
    expect(parsed(files, `${folder}/reservas.json`)).toMatchObject([
      { nome: 'Wandréia Xistovski', mensagem: 'Desculpe, Wandréia Xistovski' },
      { nome: 'Wandréia Xistovski', mensagem: null },
    ]);
    expect(parsed(files, `${folder}/lista-de-espera.json`)).toMatchObject([{ nome: 'Wandréia Xistovski' }]);
    expect(parsed(files, `${folder}/locais.json`)).toContainEqual(
      expect.objectContaining({ endereco: 'Rua das Palmeiras, 12' }),
    );
    expect(parsed(files, `${folder}/configuracoes.json`)).toMatchObject([
      { moeda: 'BRL', fuso_horario: 'America/Sao_Paulo' },
    ]);
    const history = parsed(files, `${folder}/historico.json`);
    expect(history.map(({ posicao }) => posicao)).toEqual(history.map((_, index) => index + 1));
    expect(history).toContainEqual(
      expect.objectContaining({
        evento: 'CreditsAdjusted',
        quem: 'Carla Dias',
        texto: expect.stringContaining('presente de casamento'),
        dados: expect.objectContaining({ motivo: 'presente de casamento' }),
      }),
    );
    // Nothing in it opens a link, or proves to be who knows a code; an archive has the hashes, for the links that were sent.
    files.delete(`${folder}/arquivo-completo.jsonl`);
    const secret = /token_hash|codigo_hash|client_secret|chave_privada|token_acesso/;
    expect([...files.values()].join('\n')).not.toMatch(secret);
  });

  it("contains, for a student, the student's data without the trainer's notes", async () => {
    const account = await studentAccount(app, trainer, studentId);
    await account.api.put('/student/partner-name', { mostra: true });
    const paid = { tipo: 'receita', valor: 9_900, metodo_pagamento: 'pix', data: '2026-01-05' };
    await trainer.api.post('/transactions', {
      ...paid,
      descricao: 'presente de casamento',
      student_id: studentId,
    });
    await trainer.api.post('/transactions', { ...paid, descricao: 'Bia', valor: 8_800 });
    const monthly = { nome: 'Dez aulas por mês', valor: 48_000, creditos: 10, tipo: 'mensal' };
    const terms = { valor: 45_000, desde: '2031-01-01', ate: null, vence_dia: 5 };
    await trainer.api.put(`/students/${studentId}/monthly-plan`, {
      ...terms,
      plano_id: (await trainer.api.post('/plans', monthly)).body.id,
    });
    await caughtUp(database);
    const files = await copyOf(app, account);
    const text = [...files.values()].join('\n');
    expect([...files.keys()].map((name) => name.replace(/^.*\//, ''))).toEqual([
      'LEIA-ME.txt',
      'conta.json',
      'mensagens-a-alunos.json',
      'mensagens-do-whatsapp.json',
      'respostas-do-whatsapp.json',
      'cadastro.json',
      'quem-paga.json',
      'contato-informado.json',
      'pausa.json',
      'mensalidade.json',
      'sessoes.json',
      'filas-de-turmas.json',
      'reservas.json',
      'lista-de-espera.json',
      'lembretes.json',
      'link-do-calendario.json',
      'avisos-de-vencimento.json',
      'escolhas-de-notificacoes.json',
      'emails-desligados.json',
      'emails-recentes.json',
      'notificacoes.json',
      'pedidos.json',
      'nome-em-horarios-divididos.json',
      'creditos.json',
      'lotes-de-creditos.json',
      'creditos-divididos.json',
      'cobrancas.json',
      'pagamentos.json',
      'recibos.json',
      'contratos.json',
    ]);
    const folder = [...files.keys()].at(-1)!.split('/')[0]!;
    expect(parsed(files, `${folder}/cadastro.json`)).toMatchObject([{ nome: 'Wandréia Xistovski' }]);
    const listed = await trainer.api.get<{ items: unknown[] }>(`/sessions?student_id=${studentId}`);
    expect(parsed(files, `${folder}/sessoes.json`)).toHaveLength(listed.body.items.length);
    expect(parsed(files, `${folder}/creditos.json`).length).toBeGreaterThan(3);
    expect(parsed(files, `${folder}/nome-em-horarios-divididos.json`)).toEqual([{ mostra: true }]);
    const payments = parsed(files, `${folder}/pagamentos.json`);
    expect(payments).toContainEqual(
      expect.objectContaining({ valor: 9_900, data: '2026-01-05', descricao: null, estornado: false }),
    );
    const descricao = expect.stringContaining('de novo');
    // A part of it was refunded: the rest is recorded again.
    expect(payments).toContainEqual(expect.objectContaining({ valor: 7_000, descricao, estornado: true }));
    expect(payments).toContainEqual(expect.objectContaining({ valor: 6_000, descricao, estornado: false }));
    expect(payments.map(({ valor }) => valor)).not.toContain(8_800);
    expect(parsed(files, `${folder}/mensalidade.json`)).toEqual([
      { plano: 'Dez aulas por mês', ...terms, ativa: true },
    ]);
    expect(text).not.toMatch(
      /Bia|hérnia|gestante|arritmia|faixa elástica|cardiologista|casamento|Mensalidade/,
    );
    expect(text).not.toContain(trainer.email);
  });

  it('contains, for a student, each payment and whether its receipt still stands', async () => {
    const own = await signUp(app);
    const { api } = own;
    const student_id = (await api.post('/students', { nome: 'Ana', telefone: '11943214321' })).body.id;
    await api.put('/settings/receipts', {
      nome: 'Carla Dias',
      documento: '52998224725',
      cref: '012345-G/SP',
      cidade: 'São Paulo',
    });
    const entry = { tipo: 'receita', descricao: 'Anotação minha', valor: 9_000, metodo_pagamento: 'pix' };
    const { id } = (await api.post('/transactions', { ...entry, data: '2026-11-05', student_id })).body;
    const period = { de: '2026-11-01', ate: '2026-11-30' };
    await api.post(`/transactions/${id}/receipt`, { nome: 'Ana', cpf: null, descricao: 'Aulas', ...period });
    await api.post(`/transactions/${id}/reverse`, { motivo: 'lançado em dobro' });
    const files = await copyOf(app, await studentAccount(app, own, student_id));
    const folder = [...files.keys()].at(-1)!.split('/')[0]!;
    expect(parsed(files, `${folder}/pagamentos.json`)).toMatchObject([
      { valor: 9_000, data: '2026-11-05', descricao: 'Aulas', estornado: true },
    ]);
    expect(parsed(files, `${folder}/recibos.json`)).toMatchObject([{ numero: 1, cancelado: true }]);
    expect([...files.values()].join('\n')).not.toMatch(/Anotação minha|em dobro/);
  });

  it('has a folder for each student of one trainer that the account is, and says whose it is', async () => {
    const names = ['Ana Reis', 'Beto Reis'];
    const own = await signUp(app);
    const ids: string[] = [];
    for (const nome of names)
      ids.push((await own.api.post('/students', { nome, telefone: '11943214321' })).body.id);
    const account = await studentAccount(app, own, ids[0]!, 'Carla Reis');
    const { body } = await own.api.post<NewInvite>(`/students/${ids[1]}/invites`);
    await own.api.get(`/students/${ids[1]}/access`);
    await account.api.post('/invites/accept', { token: body.inviteUrl.split('/').at(-1)! });
    await caughtUp(database);
    const files = await copyOf(app, account);
    const { negocios } = JSON.parse(files.get('conta.json')!) as {
      negocios: { aluno: string; pasta: string; student_id: string }[];
    };
    expect(negocios).toMatchObject(names.map((aluno, n) => ({ aluno, student_id: ids[n] })));
    expect(negocios.map(({ pasta }) => parsed(files, `${pasta}/cadastro.json`)[0]!.nome)).toEqual(names);
  });

  it('contains no data of another trainer', async () => {
    const stranger = await signUp(app);
    await stranger.api.post('/students', { nome: 'Outra Aluna', telefone: '11943214321' });
    const text = [...(await copyOf(app, stranger)).values()].join('\n');
    expect(text).toContain('Outra Aluna');
    expect(text).not.toContain(trainer.tenantId);
    expect(find(secrets, new Map([['copy', text]]))).toEqual([]);
    expect([...(await copyOf(app, trainer)).values()].join('\n')).not.toContain('Outra Aluna');
  });

  it('can be downloaded by its owner only, for a day', async () => {
    const id = await exportOf(trainer);
    const stranger = await signUp(app);
    expect((await download(app, stranger.accessToken, id)).status).toBe(404);
    expect((await download(app, 'no-token', id)).status).toBe(401);
    const { status, headers, bytes } = await download(app, trainer.accessToken, id);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/zip');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="rende-\d{4}-\d\d-\d\d\.zip"$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Number(headers.get('content-length'))).toBe(bytes.length);
    expect(await state(trainer)).toMatchObject({ id, situacao: 'pronta', tamanho: bytes.length });

    await database.query(
      "update auth.account_exports set done_at = done_at - interval '1 day' where id = $1",
      [id],
    );
    expect((await download(app, trainer.accessToken, id)).status).toBe(404);
    expect(await state(trainer)).toBeNull();
  });

  it('is stored encrypted, and deleted when a student in it is forgotten', async () => {
    const own = await signUp(app);
    const student = await studentWithALife(own.api);
    const id = await exportOf(own);
    const stored = await textOf(database);
    expect(stored.get('auth.account_export_parts')!.length).toBeGreaterThan(1000);
    expect(find(secrets, new Map([['parts', stored.get('auth.account_export_parts')!]]))).toEqual([]);

    await own.api.post(`/students/${student.id}/forget`);
    expect((await download(app, own.accessToken, id)).status).toBe(404);
    expect(await database.query('select from auth.account_export_parts where export_id = $1', [id])).toEqual(
      [],
    );
    expect(find(secrets, new Map([['copy', [...(await copyOf(app, own)).values()].join()]]))).toEqual([]);
  });

  it('is deleted when a payer in it is forgotten', async () => {
    const own = await signUp(app);
    const { body } = await own.api.post('/payers', { nome: 'Carla Souza', whatsapp: '(21) 99876-5432' });
    const id = await exportOf(own);
    await own.api.post(`/payers/${body.id}/forget`);
    expect((await download(app, own.accessToken, id)).status).toBe(404);
  });
});

describe('requesting an export', () => {
  const asked = async (api: Trainer['api'], proof: object) => {
    const { status, body } = await api.request<{ code: string; errors?: { pointer: string }[] }>(
      'POST',
      '/api/v1/account/exports',
      { body: proof },
    );
    return { status, code: body.code, field: body.errors?.[0]?.pointer };
  };
  const copies = (userId: string) =>
    database.query('select id from auth.account_exports where user_id = $1', [userId]);

  it('needs the same proof as a deletion', async () => {
    const own = await signUp(app);
    expect((await own.api.get<ExportState>('/account/exports')).body.prova).toEqual({
      senha: true,
      segundo_fator: false,
    });
    for (const [proof, field] of [
      [{}, '/senha'],
      [{ senha: 'não é esta' }, '/senha'],
      [{ codigo_email: '000000' }, '/codigo_email'],
    ] as const)
      expect(await asked(own.api, proof)).toEqual({ status: 422, code: 'account.proof_refused', field });
    expect(await copies(own.userId)).toEqual([]);

    await get(`${app.url}/auth/v1/reauthenticate`, own.accessToken);
    const { code } = await nextMail(own.email);
    expect((await asked(own.api, { codigo_email: code })).status).toBe(201);
    expect(await asked(own.api, { codigo_email: code })).toMatchObject({ field: '/codigo_email' });
  });

  it('is for the session with the proof: another session of the person needs its own', async () => {
    const own = await signUp(app);
    const { data } = await browser(app.url).signInWithPassword(own);
    const { access_token: accessToken } = data.session!;
    const other = { ...own, accessToken, api: speaker(app, accessToken) };
    const id = await exportOf(own);

    expect(await state(other)).toBeNull();
    expect((await download(app, accessToken, id)).status).toBe(404);
    expect((await download(app, own.accessToken, id)).status).toBe(200);

    const its = await exportOf(other);
    expect((await download(app, accessToken, its)).status).toBe(200);
    expect((await download(app, own.accessToken, its)).status).toBe(404);
  });

  it('also needs a code of the second factor, which is valid once', async () => {
    const { session, person, user, secret } = await protectedPerson(app.url);
    const api = speaker(app, session.access_token);
    const { password: senha } = person;
    expect((await api.get<ExportState>('/account/exports')).body.prova.segundo_fator).toBe(true);
    for (const proof of [{ senha }, { senha, codigo_app: '000000' }])
      expect(await asked(api, proof)).toMatchObject({ status: 422, field: '/codigo_app' });
    expect(await copies(user.id)).toEqual([]);

    const codigo_app = shown(secret, 1);
    expect((await asked(api, { senha, codigo_app })).status).toBe(201);
    expect(await asked(api, { senha, codigo_app })).toMatchObject({ status: 422, field: '/codigo_app' });
  });

  it('again while one is made gives the same one, with a limit of five a day', async () => {
    const own = await signUp(app);
    const ask = async () =>
      own.api.request<{ id?: string; code?: string }>('POST', '/api/v1/account/exports', {
        body: { senha: own.password },
      });
    const release = await holdCopies(database);
    const twice = await Promise.all([ask(), ask(), ask()]);
    await release();
    expect(new Set(twice.map(({ body }) => body.id)).size).toBe(1);
    const often = await signUp(app);
    const { api, password: senha } = often;
    for (let n = 0; n < 5; n += 1) await exportOf(often);
    const refused = await api.request<{ code: string }>('POST', '/api/v1/account/exports', {
      body: { senha },
    });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3600);
    expect((await api.get<ExportState>('/account/exports')).body.exportacao).toMatchObject({
      situacao: 'pronta',
    });
  });

  it('survives a lost job and a killed worker, and fails after several attempts', async () => {
    const own = await signUp(app);
    const exports = app.nest.get(AccountExports);
    const [done, stuck] = [randomUUID(), randomUUID()];
    const other = await signUp(app);
    await caughtUp(database);
    // The test itself runs the search that is scheduled otherwise.
    const sweep = app.nest.get(Queues)['queue']('schedules');
    await sweep.pause();
    await eventually(async () => (await sweep.getJobCounts('active')).active, 0);
    const insert = `insert into auth.account_exports (id, user_id, session_id, claimed_until, attempts)
      values ($1, $2, $3, now() - interval '1 second', $4)`;
    await database.query(insert, [done, own.userId, sessionOf(own), 1]);
    await database.query("insert into auth.account_export_parts values ($1, 0, '\\x00')", [done]);
    expect(await exports.due()).toContain(done);
    await exports.make(done);
    expect((await unzip((await download(app, own.accessToken, done)).bytes)).has('conta.json')).toBe(true);
    await sweep.resume();

    await database.query('update auth.profiles set sealed = $2 where user_id = $1', [other.userId, 'broken']);
    await database.query(insert, [stuck, other.userId, sessionOf(other), 3]);
    await exports.make(stuck);
    await exports.make(stuck);
    await eventually(async () => (await state(other))?.situacao, 'falhou');
    await database.query('delete from auth.account_exports where id = $1', [stuck]);
  });

  it('does not disturb another process that is making it', async () => {
    const own = await signUp(app);
    const id = randomUUID();
    await database.query(
      `insert into auth.account_exports (id, user_id, session_id, claimed_until, attempts)
        values ($1, $2, $3, now() + interval '5 minutes', 1)`,
      [id, own.userId, sessionOf(own)],
    );
    const exports = app.nest.get(AccountExports);
    expect(await exports.due()).not.toContain(id);
    await exports.make(id);
    expect(await state(own)).toMatchObject({ id, situacao: 'preparando', expira_em: null, tamanho: null });
    expect((await download(app, own.accessToken, id)).status).toBe(404);
    const { body } = await own.api.post('/account/exports', { senha: own.password });
    expect(body.id).toBe(id);
  });
});
