import { addDays, addHours } from 'date-fns';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SessionPage } from '../../backend/modules/agenda/agenda.api.js';
import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type { StudentAccess } from '../../backend/modules/accounts/invites.api.js';
import type { StudentCalendar } from '../../backend/modules/calendar-links/calendar-links.api.js';
import { consents, type RequestPage, type Signable } from '../../backend/modules/contracts/contracts.api.js';
import type { MergePreview } from '../../backend/modules/merging/merging.api.js';
import type { NotificationPage } from '../../backend/modules/notices/notifications.api.js';
import type { PublicLink } from '../../backend/modules/public-link/public-link.api.js';
import type { PublicPage } from '../../backend/modules/public-link/public-page.api.js';
import type { KnownStudent } from '../../backend/modules/students/students.api.js';
import type { ToldContactList } from '../../backend/modules/told-contacts/told-contacts.api.js';
import { fillSeries } from '../../backend/modules/series/series.module.js';
import { createPool } from '../../backend/platform/database/pools.js';
import { Audit } from '../../backend/platform/event-store/audit.js';
import { EventCodec } from '../../backend/platform/event-store/event-codec.js';
import { GuardRebuild } from '../../backend/platform/event-store/guard-rebuild.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { copyOf, studentAccount } from '../accounts/own-data.js';
import { contractsWithALife, receiptWithALife, secrets, studentWithALife, sums } from '../privacy/life.js';
import { caughtUp } from '../proof/read-tables.js';
import { SetClock, dayOf } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

const clock = new SetClock(new Date());

/** Where guards, snapshots and hashes are not as the log says. */
async function faults({ tenantId }: Trainer): Promise<string[]> {
  const { nest } = app;
  const pool = createPool(database.environment.DATABASE_OWNER_URL, {
    max: 1,
    searchPath: 'public,read',
    applicationName: 'test',
  });
  const client = await pool.connect();
  try {
    const audit = new Audit(nest.get(GuardRebuild), nest.get(EventCodec));
    return (await audit.verify(client, [tenantId])).map(({ message }) => message);
  } finally {
    client.release();
    await pool.end();
  }
}

const database = await testDatabase();
const app = await sharedApp(clock);

const noon = addHours(new Date().setUTCHours(0, 0, 0, 0), 15);

function acts({ api, tenantId }: Trainer) {
  const read = async (id: string) => (await api.get<KnownStudent>(`/students/${id}`)).body;
  return {
    read,
    register: async (fields: object) =>
      (await api.post('/students', { nome: 'Ana Souza', whatsapp: '(11) 94321-4321', ...fields })).body.id,
    book: async (student_id: string, days: number, more: object = {}) => {
      const inicio = addDays(noon, days);
      const times = { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString() };
      return (await api.post('/sessions', { student_id, ...times, ...more })).body.id;
    },
    preview: async (fica: string, com: string) =>
      (await api.get<MergePreview>(`/students/${fica}/merge`, { query: { com } })).body,
    merge: async (fica: string, com: string) => (await api.post(`/students/${fica}/merge`, { com })).body.id,
    refusal: async (path: string, body?: object) => {
      const { body: problem } = await api.post<ProblemBody>(path, body, { status: 409 });
      return `${problem.code}: ${problem.detail ?? ''}`;
    },
    statement: async (id: string) => (await api.get<CreditStatement>(`/students/${id}/credits`)).body,
    history: async (id: string) =>
      (await api.get<HistoryPage>('/history', { query: { subject: `student:${id}`, limit: 100 } })).body
        .items,
    /** All rows of the tenant, by table, but how often something changed, and access, of which an empty row may be left. */
    rows: async () => {
      await caughtUp(database);
      const tables = await database.query<{ name: string }>(
        `select table_name as name from information_schema.columns
        where table_schema = 'read' and column_name = 'tenant_id' and table_name not in ('history', 'session_revisions', 'student_access') order by 1`,
        [],
      );
      const found: Record<string, unknown[]> = {};
      for (const { name } of tables)
        found[name] = await database.query(
          `select to_jsonb(t) as row from read.${name} t where tenant_id = $1 order by to_jsonb(t)::text`,
          [tenantId],
        );
      return found;
    },
  };
}

describe('a second record with a life', () => {
  let trainer: Trainer;
  let do_: ReturnType<typeof acts>;
  let fica: string;
  let sai: string;
  let before: Record<string, unknown[]>;
  let mergeId: string;

  /** The money of the month and the year, whoever it is of. */
  const figuresOf = async (id: string): Promise<unknown> => {
    const { money } = (await sums(trainer.api, id)) as { money: unknown };
    return JSON.parse(
      JSON.stringify(money, (key, value: unknown) => (key === 'student_id' ? undefined : value)),
    );
  };

  beforeAll(async () => {
    trainer = await signUp(app);
    do_ = acts(trainer);
    ({ id: sai } = await studentWithALife(trainer.api));
    await contractsWithALife(trainer.api, sai);
    await receiptWithALife(trainer.api, sai);
    fica = await do_.register({ email: 'ana@exemplo.com.br' });
    await trainer.api.post(`/students/${fica}/credits/adjust`, { quantidade: 3, motivo: 'Saldo' });
    await do_.book(fica, 9);
    before = await do_.rows();
  });

  it('passes to the student who stays, whose balance and money are the sums', async () => {
    const [own, other, figures] = [await do_.statement(fica), await do_.statement(sai), await figuresOf(sai)];
    const { items } = (
      await trainer.api.get<SessionPage>('/sessions', { query: { student_id: sai, limit: 100 } })
    ).body;
    const preview = await do_.preview(fica, sai);
    expect(preview).toMatchObject({ impedimentos: [], saldo: own.saldo + other.saldo });
    expect(preview.dados.find(({ campo }) => campo === 'email')).toEqual({
      campo: 'email',
      fica: 'ana@exemplo.com.br',
      outro: 'wandreia.x@example.com',
    });
    expect(await do_.rows()).toEqual(before);

    mergeId = await do_.merge(fica, sai);
    const joined = await do_.statement(fica);
    expect(joined.saldo).toBe(own.saldo + other.saldo);
    expect(joined.extrato.items).toHaveLength(own.extrato.items.length + other.extrato.items.length);
    expect(joined.lotes).toEqual(expect.arrayContaining([...own.lotes, ...other.lotes]));
    expect(await figuresOf(fica)).toEqual(figures);
    const passed = (
      await trainer.api.get<SessionPage>('/sessions', { query: { student_id: fica, limit: 100 } })
    ).body.items.map(({ id }) => id);
    expect(passed).toEqual(expect.arrayContaining(items.map(({ id }) => id)));
    expect(await do_.read(fica)).toMatchObject({
      nome: 'Ana Souza',
      email: 'ana@exemplo.com.br',
      cpf: '11144477735',
      etiquetas: ['gestante'],
      juntados: [{ id: mergeId, nome: 'Wandréia Xistovski' }],
    });
  });

  it('leaves nothing that a page shows under the second id, whose address leads to the student', async () => {
    const left = Object.entries(await do_.rows()).filter(([, rows]) =>
      rows.some((row) => (row as { row: { student_id?: string } }).row.student_id === sai),
    );
    // What has passed, and what only a copy of the person's data lists.
    expect(left.map(([name]) => name)).toEqual(['waitlist', 'whatsapp_answers']);
    expect((await do_.read(sai)).id).toBe(fica);
    const texts = (await do_.history(fica)).map(({ texto }) => texto);
    expect(texts[0]).toMatch(/^Juntou o cadastro de Wandréia Xistovski: \d+ sessões, \d+ créditos, /);
    expect(texts).toContain('Cadastrou Wandreia');
  });

  it.each([
    ['students', 'sessions', 'session-revisions', 'series', 'history'],
    ['charges', 'charge-payments', 'transactions', 'receipts', 'signature-requests'],
    ['credits', 'credit-notes', 'student-notes', 'visits'],
  ])('has the same rows after a rebuild', async (...names) => {
    for (const name of names) await expectRebuildToEqualLive(app, name);
  });

  it('has guards and snapshots as the log says', async () => expect(await faults(trainer)).toEqual([]));

  it('refuses what is decided on the second record', async () => {
    const path = `/students/${sai}`;
    for (const one of [`${path}/credits/renew`, `${path}/restore`, `${path}/archive`, `${path}/forget`])
      expect(await do_.refusal(one)).toMatch(/^students\.merged/);
    expect(await do_.refusal(`/students/${fica}/merge`, { com: sai })).toMatch(/^students\.merged/);
    expect(await do_.refusal(`${path}/merge`, { com: fica })).toMatch(/^students\.merged/);
  });

  it('is as it was once that is undone', async () => {
    await trainer.api.post(`/student-merges/${mergeId}/undo`);
    expect(await do_.rows()).toEqual(before);
    expect(await faults(trainer)).toEqual([]);
    expect(await do_.refusal(`/student-merges/${mergeId}/undo`)).toMatch(/^merging\.undone/);
  });
});

describe('two records', () => {
  let trainer: Trainer;
  let api: Trainer['api'];
  let do_: ReturnType<typeof acts>;
  let fica: string;
  let sai: string;

  beforeAll(async () => {
    trainer = await signUp(app);
    ({ api } = trainer);
    do_ = acts(trainer);
  });
  beforeEach(async () => {
    fica = await do_.register({});
    sai = await do_.register({ nome: 'Bia Lima', whatsapp: '(21) 98888-7777' });
  });

  const undo = (id: string) => api.post(`/student-merges/${id}/undo`);
  const undoRefused = (id: string) => do_.refusal(`/student-merges/${id}/undo`);
  const access = async (id: string) => (await api.get<StudentAccess>(`/students/${id}/access`)).body;
  /** The account tells another WhatsApp. */
  const tell = async (account: Pick<Trainer, 'api'>) => {
    const body = { nome: 'Bia Lima', telefone: '31987654321', data_nascimento: null };
    await account.api.request('PUT', '/api/v1/account/profile', { body });
    const told = async () => (await api.get<ToldContactList>('/told-contacts')).body.items;
    await eventually(async () => (await told()).length, 1);
    return told();
  };
  const credits = (id: string, quantidade: number) =>
    api.post(`/students/${id}/credits/adjust`, { quantidade, motivo: 'Saldo' });
  const agree = async (id: string) => {
    const plan = { nome: 'Mensal', valor: 40_000, creditos: 8, tipo: 'mensal' };
    const plano_id = (await api.post('/plans', plan)).body.id;
    const terms = { valor: 30_000, desde: dayOf(addDays(new Date(), 40)), ate: null, vence_dia: 5 };
    await api.patch(`/students/${id}`, { plano_id, mensalidade: terms });
    return plano_id;
  };

  it('with a login for the second one: it then is that of the student who stays, until that is undone', async () => {
    await credits(fica, 2);
    await credits(sai, 5);
    const account = await studentAccount(app, trainer, sai, 'Bia');
    const saldo = async () => {
      await caughtUp(database);
      return (await account.api.get<CreditStatement>('/student/credits')).body.saldo;
    };
    await account.api.put('/student/calendar-feed', undefined);
    const feed = async () =>
      (await account.api.get<StudentCalendar>('/student/calendar-feed')).body.feed?.url;
    const notices = async () =>
      (await account.api.get<NotificationPage>('/student/notifications')).body.items.length;
    await do_.book(sai, 30);
    await eventually(notices, 1);
    const [url, before] = [await feed(), await access(sai)];
    expect((await do_.preview(fica, sai)).acesso).toEqual([
      'O login do outro cadastro passa a ser o deste aluno, que vê tudo dos dois.',
    ]);
    const id = await do_.merge(fica, sai);
    expect(await saldo()).toBe(7);
    expect(await feed()).toBe(url);
    expect(await access(fica)).toEqual(before);
    await do_.book(fica, 31);
    await eventually(notices, 2);
    const copy = await copyOf(app, account);
    const records = JSON.parse([...copy].find(([name]) => name.endsWith('/cadastro.json'))![1]) as object[];
    expect(records).toMatchObject([{ id: fica }, { id: sai }]);
    await undo(id);
    expect(await saldo()).toBe(5);
    expect(await feed()).toBe(url);
    expect(await access(sai)).toEqual(before);
    expect((await access(fica)).conta).toBeNull();
    // What was told of the other one since is nobody's any more.
    await eventually(notices, 1);
    await api.delete(`/students/${sai}/access`);
    const left =
      'select from notifications where tenant_id = $1 and student_id = any($2::uuid[]) and para = $3';
    await eventually(
      async () => (await database.query(left, [trainer.tenantId, [fica, sai], 'aluno'])).length,
      0,
    );
  });

  it('stay one while the account that would go back has told another WhatsApp', async () => {
    const account = await studentAccount(app, trainer, sai, 'Bia Lima');
    const id = await do_.merge(fica, sai);
    const [told] = await tell(account);
    expect(await undoRefused(id)).toContain('Depois da junção, o aluno informou outro WhatsApp: responda');
    const { campo, valor } = told!;
    await api.put(`/students/${fica}/told-contact`, { campo, valor, resposta: 'manter' });
    await undo(id);
  });

  it('with a link to the area of the second one: it opens that of the student who stays', async () => {
    const url = async (id: string) => (await access(id)).area?.url;
    await api.post(`/students/${sai}/area-link`);
    const before = await url(sai);
    const id = await do_.merge(fica, sai);
    expect(await url(fica)).toBe(before);
    await undo(id);
    expect([await url(fica), await url(sai)]).toEqual([undefined, before]);
  });

  it('with an agreement of the second one: it goes on with its plan, and is not undone once it has changed', async () => {
    const plano_id = await agree(sai);
    const { mensalidade } = await do_.read(sai);
    const id = await do_.merge(fica, sai);
    expect(await do_.read(fica)).toMatchObject({ plano_id, mensalidade });
    await undo(id);
    expect(await do_.read(fica)).toMatchObject({ plano_id: null, mensalidade: null });
    expect(await do_.read(sai)).toMatchObject({ plano_id, mensalidade });

    const again = await do_.merge(fica, sai);
    await api.delete(`/students/${fica}/monthly-plan`);
    expect(await undoRefused(again)).toContain('a mensalidade foi cobrada, alterada ou encerrada');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['Ana Souza e Bia Lima têm mensalidade', () => Promise.all([agree(fica), agree(sai)])],
    [
      'Ana Souza e Bia Lima têm login, cada um o seu',
      async () => {
        await studentAccount(app, trainer, sai, 'Bia');
        await studentAccount(app, trainer, fica, 'Ana');
      },
    ],
    ['Bia Lima tem um convite pendente', () => api.post(`/students/${sai}/invites`)],
    [
      'Bia Lima está em pausa até',
      () => api.put(`/students/${sai}/pause`, { ate: addDays(new Date(), 5).toISOString().slice(0, 10) }),
    ],
    [
      'Bia Lima informou outro WhatsApp: responda antes.',
      async () => tell(await studentAccount(app, trainer, sai, 'Bia Lima')),
    ],
    [
      'Bia Lima está bloqueado no link público',
      () => api.put(`/students/${sai}/visitor-block`, { bloqueado: true }),
    ],
    [
      'Ana Souza e Bia Lima têm sessão no mesmo horário (',
      async () => {
        await do_.book(fica, 20);
        await do_.book(sai, 20, { permitir_conflito: true });
      },
    ],
  ])('are refused while something stands in the way: %s', async (words, arrange) => {
    await arrange();
    expect((await do_.preview(fica, sai)).impedimentos[0]).toContain(words);
    expect(await do_.refusal(`/students/${fica}/merge`, { com: sai })).toContain(
      `merging.in_the_way: ${words}`,
    );
    expect((await do_.read(sai)).id).toBe(sai);
    await Promise.all([fica, sai].map((id) => api.post(`/students/${id}/forget`)));
  });

  it('stay one after something of the second one has changed', async () => {
    const session = await do_.book(sai, -1);
    await credits(sai, 1);
    const id = await do_.merge(fica, sai);
    await api.post(`/sessions/${session}/complete`);
    expect(await undoRefused(id)).toMatch(
      /^merging\.cannot_undo: Depois da junção, a sessão de .+ mudou\. Nada foi alterado\.$/,
    );
    await api.post(`/sessions/${session}/reopen`);

    const used = await do_.register({});
    await credits(used, 2);
    const other = await do_.merge(fica, used);
    await api.post(`/students/${fica}/credits/consume`, { motivo: 'Avulsa' });
    await api.post(`/students/${fica}/credits/consume`, { motivo: 'Avulsa' });
    expect(await undoRefused(other)).toContain(
      'créditos que vieram do outro cadastro foram usados ou mudaram',
    );
    expect((await do_.read(used)).id).toBe(fica);
  });

  it('keep what was done for the student who stays since, when that is undone', async () => {
    await credits(sai, 1);
    const id = await do_.merge(fica, sai);
    await credits(fica, 4);
    await api.patch(`/students/${fica}`, { email: 'nova@exemplo.com.br' });
    await undo(id);
    expect([(await do_.statement(fica)).saldo, (await do_.statement(sai)).saldo]).toEqual([4, 1]);
    expect((await do_.read(fica)).email).toBe('nova@exemplo.com.br');
  });

  it('give the fixed hour back with the sessions that it has booked since', async () => {
    const data = dayOf(addDays(clock.at, 3));
    const weekly = { dias: [0, 3], intervalo: 1, hora: '05:00', duracao: 60 };
    // Holidays too.
    const mesmo_assim = Array.from({ length: 104 }, (_, days) => dayOf(addDays(clock.at, days)));
    await api.post('/series', { student_id: sai, data, ...weekly, mesmo_assim });
    const id = await do_.merge(fica, sai);
    const count = async (student_id: string) => {
      await caughtUp(database);
      const query = { student_id, from: clock.at.toISOString(), limit: 100 };
      return (await api.get<SessionPage>('/sessions', { query })).body.items.length;
    };
    const booked = await count(fica);
    clock.at = addDays(clock.at, 40);
    await app.run(fillSeries.Handler);
    clock.at = addDays(clock.at, -40);
    const more = await count(fica);
    expect(more).toBeGreaterThan(booked);
    await undo(id);
    expect([await count(fica), await count(sai)]).toEqual([0, more]);
  });

  it('that shared an hour do not come to it twice: the cancelled session is not reopened beside the other', async () => {
    const inicio = addDays(noon, 45);
    const times = { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString() };
    const group = (await api.post('/sessions/groups', { student_ids: [fica, sai], ...times })).body.id;
    const { items } = (await api.get<SessionPage>(`/sessions/groups/${group}`)).body;
    const theirs = items.find(({ student_id }) => student_id === sai)!.id;
    await api.post(`/sessions/${theirs}/cancel`, { motivo: 'personal' });
    await do_.merge(fica, sai);
    for (const [path, body] of [
      [`/sessions/groups/${group}/reopen`, { session_ids: [theirs], de: 'cancelada' }],
      [`/sessions/${theirs}/reopen`, {}],
    ] as const)
      expect(await do_.refusal(path, body)).toMatch(/^agenda.overlap: Ana já tem sessão/);
  });

  it('keep the links of what the second one was sent: they sign by them', async () => {
    const contract = (await api.post('/contracts', { titulo: 'Contrato', conteudo: '<p>Texto</p>' })).body.id;
    await api.post(`/contracts/${contract}/send`, { alunos: [sai], canal: 'link' });
    const requests = async () => (await api.get<RequestPage>(`/contracts/${contract}/requests`)).body.items;
    const token = (await requests())[0]!.url!.split('/').at(-1)!;
    await do_.merge(fica, sai);
    await api.post('/signature-links/sign', {
      token,
      nome: 'Bia Lima',
      cpf: '529.982.247-25',
      telefone: '(21) 98888-7777',
      consent_data_processing: true,
      consent_terms: true,
      consentimento: consents.versao,
    });
    await caughtUp(database);
    expect(await requests()).toMatchObject([{ student_id: fica, estado: 'assinado' }]);
    // The worker makes the PDF, which would change a row that the next test compares.
    const signed = async () => (await api.get<Signable>(`/signature-links/${token}`)).body.prova?.tem_pdf;
    await eventually(signed, true);
  });

  it('are merged once, in two windows and by a double tap', async () => {
    const third = await do_.register({});
    const ask = (into: string) =>
      api.request('POST', `/api/v1/students/${into}/merge`, { body: { com: sai } });
    const answers = await Promise.all([ask(fica), ask(third)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const idempotencyKey = 'merge-by-a-double-tap';
    const [into, other] = (await do_.read(fica)).id === fica ? [fica, third] : [third, fica];
    const twice = await Promise.all(
      [1, 2].map(() => api.post(`/students/${into}/merge`, { com: other }, { idempotencyKey })),
    );
    expect(twice[0]!.body.id).toBe(twice[1]!.body.id);
    await api.post(`/students/${into}/merge`, { com: into }, { status: 422 });
  });

  it('are one for who books with the phone of the second one on the public page', async () => {
    const cora = { nome: 'Cora Dias', whatsapp: '(31) 97777-6666' };
    await do_.merge(fica, await do_.register(cora));
    const location_id = (await api.post('/locations', { nome: 'Parque' })).body.id;
    await api.get('/locations');
    await caughtUp(database);
    const { slug } = (await api.get<PublicLink>('/public-link')).body;
    const { horarios } = (await api.get<PublicPage>(`/public/pages/${slug}`)).body;
    const who = { ...cora, email: 'cora@exemplo.com.br', consentimento: 1 };
    // Not the first, whose time may come meanwhile.
    const { inicio } = horarios.at(-1)!;
    await api.post('/public/bookings', { ...who, slug, location_id, inicio });
    await caughtUp(database);
    expect((await do_.read(fica)).proxima).toBe(inicio);
  });

  it('are undone one after another, the last one first', async () => {
    await credits(sai, 2);
    await do_.book(sai, 25);
    const terms = { descricao: 'Avaliação', valor: 5_000, vencimento: '2030-12-05' };
    const charge = (await api.post('/charges', { student_id: sai, ...terms })).body.id;
    const payment = { valor: 5_000, data: dayOf(), metodo_pagamento: 'pix' };
    await api.post(`/charges/${charge}/payments`, payment);
    await api.post(`/students/${sai}/area-link`);
    const third = await do_.register({ nome: 'Caio Reis' });
    const before = await do_.rows();
    const [first, last] = [await do_.merge(fica, sai), await do_.merge(third, fica)];
    expect((await do_.read(third)).creditos).toBe(2);
    // The address of the first one leads there too.
    expect((await do_.read(sai)).id).toBe(third);
    for (const name of ['credits', 'charge-payments', 'students']) await expectRebuildToEqualLive(app, name);
    expect(await undoRefused(first)).toMatch(/^students\.merged/);
    await undo(last);
    await undo(first);
    expect(await do_.rows()).toEqual(before);
    expect((await access(sai)).area).not.toBeNull();
  });

  it('are forgotten together, also one that was merged before', async () => {
    const { id: known } = await studentWithALife(api);
    await do_.merge(sai, known);
    await do_.merge(fica, sai);
    expect((await do_.history(fica)).map(({ texto }) => texto).join()).toContain('Wandreia');
    await api.post(`/students/${fica}/forget`);
    const rows = JSON.stringify(await do_.rows());
    expect(secrets.filter((word) => rows.includes(word))).toEqual([]);
    expect(JSON.stringify(await do_.history(fica))).not.toContain('Wandreia');
    const keys = await database.query(
      'select person_id from person_keys where tenant_id = $1 and person_id = any($2::uuid[]) and wrapped_key is not null',
      [trainer.tenantId, [fica, sai, known]],
    );
    expect(keys).toEqual([]);
  });
});
