import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type {
  Contract,
  ContractPage,
  ContractReminders,
  OwnContracts,
  RequestPage,
  Sent,
  Signable,
  SignedByLink,
} from '../../backend/modules/contracts/contracts.api.js';
import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import { contentHash } from '../../backend/modules/contracts/contract-content.html.js';
import { consents } from '../../backend/modules/contracts/contracts.api.js';
import { templates } from '../../frontend/src/features/contracts/templates.js';
import type { ForgetPreview } from '../../backend/modules/privacy/privacy.api.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { expectPreview, writtenPage } from '../support/written-page.js';

const clock = new SetClock(new Date(on(1)(6)));
let trainer: Trainer;
let ana: string;
let contractId: string;

const TEXT = '<h2>Serviço</h2><p>Eu, {{aluno}}, CPF {{cpf}}, contrato o {{plano}} por {{valor}}.</p>';
const ANA = '529.982.247-25';
const agreed = { consent_data_processing: true, consent_terms: true, consentimento: consents.versao };
const signature = { nome: 'Ana Souza', cpf: ANA, telefone: '(11) 94321-4321', ...agreed };

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = new Date(on(1)(6));
  trainer = await signUp(app);
  const agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana <b>Souza</b>', await agenda.plan({ nome: 'Pacote 4' }));
  await trainer.api.get(`/students/${ana}`);
  contractId = (await trainer.api.post('/contracts', { titulo: 'Contrato', conteudo: TEXT })).body.id;
});

const send = async (alunos: string[] | 'todos' = [ana], canal = 'link') =>
  (await trainer.api.post<Sent>(`/contracts/${contractId}/send`, { alunos, canal })).body;
const requests = async (of = contractId) => {
  // Signers by link have no position to wait for.
  await caughtUp(database);
  return (await trainer.api.get<RequestPage>(`/contracts/${of}/requests`)).body.items;
};
const tokenOf = async (of = contractId) => (await requests(of))[0]!.url!.split('/').at(-1)!;
const contractsOf = async (student_id: string) =>
  (await trainer.api.get<OwnContracts>('/signature-requests', { query: { student_id } })).body.items;
const contract = async () => {
  await caughtUp(database);
  return (await trainer.api.get<Contract>(`/contracts/${contractId}`)).body;
};
/** Each request has its own address, so that no rate limit is reached on a slow machine. */
let strangers = 0;
const stranger = () => {
  strangers += 1;
  return new Client(app.url, {
    accessToken: '',
    address: `203.0.113.${strangers % 256}`,
    positions: new Map(),
  });
};
const read = async (token: string) => {
  await caughtUp(database);
  return (await stranger().get<Signable>(`/signature-links/${token}`)).body;
};
/** Reads by the link with the signer's CPF. */
const readSigned = async (token: string) => {
  await caughtUp(database);
  const body = { token, cpf: ANA };
  return (await stranger().request<SignedByLink>('POST', '/api/v1/signature-links/read', { body })).body;
};
const refused = async (path: string, body: object) => {
  const answer = await stranger().request<{ code: string }>('POST', `/api/v1/signature-links/${path}`, {
    body,
  });
  return [answer.status, answer.body.code];
};
/** What a refused signer is told. */
const toldTo = async (token: string) => {
  const body = { token, ...signature };
  const answer = await stranger().request<{ detail: string }>('POST', '/api/v1/signature-links/sign', {
    body,
  });
  return answer.body.detail;
};
/** What the holder of a link reads once it is no longer valid. */
const untold = { conteudo: '', aluno: null, codigo_email: null, prova: null };
/** Answers once the worker has written the PDF. */
const sign = async (token: string) => {
  await stranger().post('/signature-links/sign', { token, ...signature });
  await eventually(async () => (await read(token)).prova?.tem_pdf, true);
};

describe('contracts and terms', () => {
  it('are created, listed with their counts, edited, deactivated and restored', async () => {
    const list = async (situacao: string) => {
      await caughtUp(database);
      return (await trainer.api.get<ContractPage>(`/contracts?situacao=${situacao}`)).body.items;
    };
    expect(await list('ativos')).toMatchObject([
      {
        id: contractId,
        titulo: 'Contrato',
        tipo: 'termo_personal',
        versao: 1,
        assinaturas: 0,
        aguardando: 0,
      },
    ]);
    await send();
    await sign(await tokenOf());
    expect(await list('ativos')).toMatchObject([{ assinaturas: 1, aguardando: 0 }]);
    await trainer.api.patch(`/contracts/${contractId}`, { is_active: false });
    expect([await list('ativos'), (await list('inativos')).length]).toEqual([[], 1]);
    await trainer.api.post(
      `/contracts/${contractId}/send`,
      { alunos: [ana], canal: 'link' },
      { status: 409 },
    );
    await trainer.api.patch(`/contracts/${contractId}`, { is_active: true });
    expect((await list('ativos')).length).toBe(1);
    await expectRebuildToEqualLive(app, 'contracts');
    await expectRebuildToEqualLive(app, 'signature-requests');
  });

  it('are listed in pages, newest first', async () => {
    const ids = [contractId];
    for (const titulo of ['Segundo', 'Terceiro']) {
      clock.at = new Date(clock.at.getTime() + 60_000);
      ids.unshift((await trainer.api.post('/contracts', { titulo, conteudo: TEXT })).body.id);
    }
    const page = async (query: object) =>
      (await trainer.api.get<ContractPage>('/contracts', { query: { limit: 2, ...query } })).body;
    const { items, next } = await page({});
    const rest = await page({ cursor: next });
    expect([...items, ...rest.items].map(({ id }) => id)).toEqual(ids);
  });

  it('store nothing executable, and refuse empty texts and unknown fields', async () => {
    await trainer.api.patch(`/contracts/${contractId}`, {
      conteudo: '<p onclick="x()">a<script>x()</script><a href="javascript:x()">b</a></p>',
    });
    expect((await contract()).conteudo).toBe('<p>a<a>b</a></p>');
    // Characters that the PDF's font does not have are refused as well.
    for (const conteudo of ['<script>x()</script>', '<p>{{senha}}</p>', '   ', '<p>Treino &#128170;</p>'])
      await trainer.api.patch(`/contracts/${contractId}`, { conteudo }, { status: 400 });
    await trainer.api.post('/contracts', { titulo: 'Treino 💪', conteudo: TEXT }, { status: 400 });
  });

  it('begin with templates, which are stored as they are', async () => {
    expect(templates).toHaveLength(3);
    for (const template of templates) {
      const { id } = (await trainer.api.post('/contracts', template)).body;
      expect((await trainer.api.get<Contract>(`/contracts/${id}`)).body).toMatchObject(template);
    }
  });

  it('get a new version after they were sent, while earlier recipients read theirs', async () => {
    await trainer.api.patch(`/contracts/${contractId}`, { conteudo: `${TEXT}<p>a</p>` });
    expect(await contract()).toMatchObject({ versao: 1 });
    await send();
    const token = await tokenOf();
    await trainer.api.patch(`/contracts/${contractId}`, { conteudo: '<p>outro</p>' });
    expect(await contract()).toMatchObject({ versao: 2, versoes: [{ versao: 2 }, { versao: 1 }] });
    expect((await read(token)).conteudo).toContain('contrato o Pacote 4');
    await sign(token);
    expect(await contract()).toMatchObject({ versoes: [{ assinaturas: 0 }, { assinaturas: 1 }] });
    await send();
    const { id } = (await requests())[0]!;
    await trainer.api.delete(`/signature-requests/${id}`);
    // The signature of the earlier version does not prevent this.
    await trainer.api.post(`/signature-requests/${id}/restore`);
    expect(await requests()).toMatchObject([{ versao: 2, estado: 'enviado' }, { versao: 1 }]);
  });
});

describe('signing by the link', () => {
  it('records who signed exactly what, when and from where; filled values cannot inject HTML', async () => {
    expect(await send()).toMatchObject({ enviados: 1, ja_assinados: 0 });
    const token = await tokenOf();
    const before = await read(token);
    expect(before).toMatchObject({ estado: 'enviado', personal: 'Ana Personal', prova: null });
    // A forwarded link does not reveal the student's phone.
    expect(before.aluno).toEqual({ nome: 'Ana <b>Souza</b>', whatsapp: null });
    expect(before.conteudo).toBe(
      '<h2>Serviço</h2><p>Eu, Ana &lt;b&gt;Souza&lt;/b&gt;, CPF {{cpf}}, contrato o Pacote 4 por R$\u00a0320,00.</p>',
    );
    await stranger().post('/signature-links/open', { token });
    await stranger().post('/signature-links/open', { token });
    expect(await requests()).toMatchObject([{ estado: 'aberto' }]);
    await sign(token);
    const after = await readSigned(token);
    const conteudo = before.conteudo.replace('{{cpf}}', ANA);
    expect(after).toMatchObject({
      estado: 'assinado',
      conteudo,
      prova: {
        nome: 'Ana Souza',
        cpf: '52998224725',
        telefone: '+5511943214321',
        ip_address: '203.0.113.0',
        navegador: 'node',
        assinado_em: clock.at.toISOString(),
        conteudo_hash: contentHash({
          contract_id: contractId,
          versao: 1,
          titulo: 'Contrato',
          conteudo,
          sal: after.prova!.sal,
        }),
        sal: expect.stringMatching(/^[\da-f]{32}$/),
      },
    });
    const { items } = (
      await trainer.api.get<HistoryPage>('/history', { query: { subject: `contract:${contractId}` } })
    ).body;
    expect(items.map(({ evento }) => evento)).toEqual([
      'ContractCopyMade',
      'ContractSigned',
      'ContractOpened',
      'ContractSent',
      'ContractCreated',
    ]);
    expect(items[1]!.texto).toBe('Ana Souza assinou o contrato (versão 1) pelo link');
    expect(items[1]!.quem).toEqual({ id: ana, nome: 'Ana <b>Souza</b>' });
  });

  it('has a page with exactly the text that is signed; a link that was cut off has one too', async () => {
    await send();
    const token = await tokenOf();
    const openPage = (path: string) => fetch(`${app.url}/assinar/${path}`);
    const textIn = (page: string) => /aria-label="Texto do contrato">(.*?)<\/section>/s.exec(page)![1]!;
    await caughtUp(database);
    const answer = await openPage(`${token}?fbclid=abc`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self';"),
      'referrer-policy': 'no-referrer',
    });
    // With "no-store" in what the page asks for while it is filled in, Chromium would show an empty CPF on going back.
    const asked = await fetch(`${app.url}/api/v1/signature-links/${token}`);
    expect(asked.headers.get('cache-control')).toBe('private, no-cache');
    const shown = textIn(await answer.text());
    await sign(token);
    const { pagina, conteudo, prova } = await readSigned(token);
    expect(textIn(pagina)).toBe(conteudo);
    expect(shown.replace(/<span class="cpf">[^<]*<\/span>/, ANA)).toBe(conteudo);
    const content = { contract_id: contractId, versao: 1, titulo: 'Contrato', conteudo, sal: prova!.sal };
    expect(prova!.conteudo_hash).toBe(contentHash(content));
    expect(await (await openPage(token)).text()).not.toMatch(/Souza|529\.982|94321/);
    for (const lost of ['abc', 'a'.repeat(5000), '', 'a%00b', `${token}/x`]) {
      const failure = await openPage(lost);
      expect([lost, failure.status, failure.headers.get('Cache-Control')]).toEqual([lost, 404, 'no-store']);
      expect(await failure.text()).toContain('<h1>Link inválido ou expirado</h1>');
    }
  });

  it('say the agreed price of a monthly plan, and what the places of the student cost', async () => {
    const agenda = agendaOf(trainer.api);
    const conteudo = '<p>{{plano}}, {{valor}} | {{local}} | {{politica}}</p>';
    const text = async (of: string) => {
      const { id } = (await trainer.api.post('/contracts', { titulo: 'a', conteudo })).body;
      await trainer.api.post(`/contracts/${id}/send`, { alunos: [of], canal: 'link' });
      return (await read(await tokenOf(id))).conteudo;
    };
    const place = async (nome: string, taxa_percent: number) => {
      const { id } = (await trainer.api.post('/locations', { nome })).body;
      const terms = { cancel_limite_horas: 12, taxa_percent, queima_credito: true };
      await trainer.api.put(`/locations/${id}/policy`, terms);
      await trainer.api.get('/locations');
      return id;
    };
    const until = 'cancelamento sem custo até 12 h antes da sessão; depois disso, desconta 1 crédito';
    const clube = await place('Clube', 50);
    // Without any session, but the trainer has one place.
    expect(await text(ana)).toBe(
      `<p>Pacote 4, R$\u00a0320,00 | Clube | ${until} e cobra taxa de 50% do valor da sessão</p>`,
    );
    await place('Parque', 0);
    const each = `Clube: ${until} e cobra taxa de 50% do valor da sessão. Parque: ${until}`;
    expect(await text(ana)).toBe(`<p>Pacote 4, R$\u00a0320,00 | Clube ou Parque | ${each}</p>`);
    await agenda.book({ student_id: ana, location_id: clube, inicio: on(2)(9), fim: on(2)(10) });
    await trainer.api.get('/sessions');
    const plano_id = await agenda.plan({ nome: 'Mensal 8', tipo: 'mensal', valor: 48_000 });
    const agreement = { plano_id, valor: 45_000, desde: '2026-01-01', ate: null, vence_dia: 10 };
    await trainer.api.put(`/students/${ana}/monthly-plan`, agreement);
    expect(await text(ana)).toBe(
      `<p>Mensal 8, R$\u00a0450,00 por mês, com vencimento no dia 10 | Clube | Clube: ${until} e cobra taxa de 50% do valor da sessão</p>`,
    );
  });

  it('say which fine and interest the charges will have', async () => {
    await trainer.api.patch(`/contracts/${contractId}`, { conteudo: '<p>{{encargos}}</p>' });
    const text = async () => {
      await send([await agendaOf(trainer.api).student('Bia Lima')]);
      return (await read(await tokenOf())).conteudo;
    };
    expect(await text()).toBe('<p>sem multa, juros nem desconto</p>');
    await trainer.api.put('/charge-terms', {
      multa: 200,
      juros: 100,
      carencia_dias: 3,
      desconto_valor: 0,
      desconto_percentual: 0,
      desconto_dias: 0,
    });
    expect(await text()).toBe('<p>multa de 2%, juros de 1% ao mês, carência de 3 dias</p>');
  });

  it('contain a text for missing values if the student has no plan', async () => {
    const conteudo = '<p>{{plano}}, {{valor}}, {{validade}}</p>';
    await trainer.api.patch(`/contracts/${contractId}`, { conteudo });
    await send([await agendaOf(trainer.api).student('Bia Lima')]);
    expect((await read(await tokenOf())).conteudo).toBe('<p>não informado, não informado, não informado</p>');
  });

  it('name the trainer as the receipts do, and say before what is missing', async () => {
    const conteudo = '<p>{{personal}}, {{documento}}, {{cref}}</p>';
    const own = await signUp(app);
    const { id } = (await own.api.post('/contracts', { titulo: 'a', conteudo })).body;
    const student = await agendaOf(own.api).student('Bia Lima');
    const sentText = async () => {
      await own.api.post(`/contracts/${id}/send`, { alunos: [student], canal: 'link' });
      const { items } = (await own.api.get<{ items: { id: string }[] }>(`/contracts/${id}/requests`)).body;
      return (await own.api.get<{ conteudo: string }>(`/signature-requests/${items[0]!.id}`)).body.conteudo;
    };
    const missing = async () =>
      (await own.api.post<{ faltam: object[] }>(`/contracts/${id}/send/preview`, { alunos: [student] })).body
        .faltam;
    expect(await missing()).toEqual([
      { campo: 'documento', alunos: 1 },
      { campo: 'cref', alunos: 1 },
    ]);
    expect(await sentText()).toBe(`<p>Ana Personal, não informado, não informado</p>`);
    const issuer = { nome: 'Marina Lopes ME', documento: '11.222.333/0001-81', cref: '012345-G/SP' };
    await own.api.put('/settings/receipts', { ...issuer, cidade: 'São Paulo' });
    expect(await missing()).toEqual([]);
    await own.api.patch(`/contracts/${id}`, { conteudo: conteudo.replace('<p>', '<p>Eu, ') });
    expect(await sentText()).toBe('<p>Eu, Marina Lopes ME, 11.222.333/0001-81, 012345-G/SP</p>');
  });

  it('asks for a CPF with its check digits, both consents in their version, a name and a phone', async () => {
    await send();
    const token = await tokenOf();
    for (const wrong of [
      { cpf: '111.111.111-11' },
      { cpf: '123.456.789-10' },
      { telefone: '123' },
      { nome: 'A' },
      { consent_terms: false },
      { consent_data_processing: false },
      { consentimento: '2020-01-01' },
    ])
      expect(await refused('sign', { token, ...signature, ...wrong })).toEqual([400, 'validation']);
    expect(await requests()).toMatchObject([{ estado: 'enviado' }]);
  });

  it('happens once, however many tabs sign concurrently', async () => {
    await send();
    const token = await tokenOf();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        stranger().request<{ code: string }>('POST', '/api/v1/signature-links/sign', {
          body: { token, ...signature, nome: `Ana ${n}` },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
    const events = await database.query(
      `select from events where tenant_id = $1 and type = 'ContractSigned'`,
      [trainer.tenantId],
    );
    expect(events).toHaveLength(1);
  });

  it('is refused when the link was revoked or has expired, or the contract is inactive', async () => {
    await send();
    const revoked = await tokenOf();
    await trainer.api.delete(`/signature-requests/${(await requests())[0]!.id}`);
    expect(await refused('sign', { token: revoked, ...signature })).toEqual([409, 'contracts.revoked']);
    expect(await toldTo(revoked)).toBe('Este link foi cancelado. Peça um novo link ao seu personal.');
    expect(await read(revoked)).toMatchObject({ estado: 'cancelado', ...untold });
    const { id } = (await requests())[0]!;
    const restore = () =>
      trainer.api.request<{ code: string }>('POST', `/api/v1/signature-requests/${id}/restore`);
    expect((await restore()).status).toBe(200);
    expect(await requests()).toMatchObject([{ id, estado: 'enviado', encerrado_em: null }]);
    expect(await tokenOf()).toBe(revoked);
    await stranger().post('/signature-links/open', { token: revoked });
    await trainer.api.delete(`/signature-requests/${id}`);
    await restore();
    expect(await read(revoked)).toMatchObject({ estado: 'aberto' });
    await trainer.api.delete(`/signature-requests/${id}`);
    await send();
    expect((await restore()).body.code).toBe('contracts.sent_again');
    const token = await tokenOf();
    expect(token).not.toBe(revoked);
    expect(await refused('sign', { token: revoked, ...signature })).toEqual([409, 'contracts.superseded']);
    expect(await read(revoked)).toMatchObject({ estado: 'substituido', ...untold });
    await trainer.api.patch(`/contracts/${contractId}`, { is_active: false });
    expect(await refused('sign', { token, ...signature })).toEqual([409, 'contracts.inactive']);
    expect(await refused('decline', { token, motivo: 'Não quero' })).toEqual([409, 'contracts.inactive']);
    expect(await toldTo(token)).toMatch(/^Seu personal inativou este contrato\./);
    expect(await read(token)).toMatchObject({ estado: 'inativo', ...untold });
    // None of its requests waits for a signature any more, which the trainer sees too.
    expect((await requests())[0]).toMatchObject({ estado: 'inativo', url: null, encerrado_em: null });
    expect(await contract()).toMatchObject({ aguardando: 0 });
    await trainer.api.patch(`/contracts/${contractId}`, { is_active: true });
    expect(await contract()).toMatchObject({ aguardando: 1 });
    clock.at = new Date(on(1)(6));
    clock.at.setUTCDate(clock.at.getUTCDate() + 30);
    expect(await contract()).toMatchObject({ aguardando: 0 });
    expect(await refused('sign', { token, ...signature })).toEqual([409, 'contracts.expired']);
    expect(await read(token)).toMatchObject({ estado: 'expirado', ...untold });
    expect((await requests()).map(({ estado }) => estado)).toEqual(['expirado', 'substituido']);
    expect(await contractsOf(ana)).toMatchObject([{ titulo: 'Contrato', estado: 'expirado' }]);
    expect(await contractsOf(randomUUID())).toEqual([]);
    expect(await refused('sign', { token: 'x'.repeat(32), ...signature })).toEqual([
      404,
      'contracts.request_not_found',
    ]);
  });

  it('can be declined with a reason, and withdrawn from within seven days', async () => {
    await send();
    const declined = await tokenOf();
    expect(await refused('decline', { token: declined, motivo: ' ' })).toEqual([400, 'validation']);
    await stranger().post('/signature-links/decline', { token: declined, motivo: 'Quero outro plano' });
    expect(await requests()).toMatchObject([{ estado: 'recusado', motivo: 'Quero outro plano', url: null }]);
    expect(await read(declined)).toMatchObject({ estado: 'recusado', ...untold });
    await send();
    const token = await tokenOf();
    await sign(token);
    const { desistir_ate } = (await readSigned(token)).prova!;
    expect(desistir_ate).toBe(new Date(Date.parse(on(9)(0)) - 1).toISOString());
    clock.at = new Date(desistir_ate!);
    await stranger().post('/signature-links/withdraw', { token, cpf: ANA });
    expect((await requests())[0]).toMatchObject({ estado: 'desistido' });
    expect(await refused('sign', { token, ...signature })).toEqual([409, 'contracts.withdrawn']);
  });

  it('stores neither token nor code in clear', async () => {
    await send();
    const token = await tokenOf();
    await sign(token);
    const code = (await read(token)).prova!.codigo;
    const rows = await database.query<{ text: string }>(
      `select to_jsonb(e)::text as text from events e where tenant_id = $1
       union all select to_jsonb(t)::text from signature_links t where tenant_id = $1
       union all select to_jsonb(r)::text from read.signature_requests r where tenant_id = $1
       union all select to_jsonb(k)::text from idempotency_keys k where tenant_id = $1`,
      [trainer.tenantId],
    );
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ text }) => text.includes(token) || text.includes(code))).toEqual([]);
  });
});

describe('a signed contract', () => {
  it('is verified by its code, with initials only, until it is withdrawn from or replaced', async () => {
    await send();
    const token = await tokenOf();
    await sign(token);
    const { codigo, conteudo_hash } = (await read(token)).prova!;
    const verify = (code: string) => writtenPage(app, `/verificar/${code}`);
    const valid = await verify(codigo.toLowerCase().replaceAll('-', ''));
    expectPreview(valid, codigo, 'Assinatura válida', 'Confere com um contrato assinado.');
    for (const said of ['Assinado por A. S.', 'Versão 1 ', conteudo_hash, ' GMT-3 '])
      expect(valid.words).toContain(said);
    expect(valid.text).not.toMatch(/Souza|529\.?982/);
    expect(Object.fromEntries(valid.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-type': 'text/html; charset=utf-8',
    });
    await trainer.api.patch(`/contracts/${contractId}`, { conteudo: '<p>outro</p>' });
    await send();
    const newer = await tokenOf();
    await sign(newer);
    await requests();
    expect((await verify(codigo)).words).toContain('Assinatura substituída');
    await stranger().post('/signature-links/withdraw', { token: newer, cpf: ANA });
    const { prova } = await read(newer);
    expect((await verify(prova!.codigo)).words).toContain('Assinatura cancelada');
  });

  it('is looked for by any code that is typed, and an unknown one can be corrected', async () => {
    const open = (path: string) => writtenPage(app, `/verificar${path}`);
    const start = await open('?fbclid=abc');
    expect([start.status, start.metas.robots]).toEqual([200, 'noindex, nofollow']);
    expect(start.words).toContain('Ele é conferido neste aparelho e não é enviado.');
    // What the form sends without a script.
    const typed = await fetch(`${app.url}/verificar?codigo=+aaaa%2Fb%22+`, { redirect: 'manual' });
    expect([typed.status, typed.headers.get('location')]).toEqual([303, '/verificar/aaaa%2Fb%22']);
    for (const [path, kept] of [
      ['/AAAA-AAAA-AAAA-AAAA', 'AAAA-AAAA-AAAA-AAAA'],
      ...['/aaaa%2Fb%22', `/${'a'.repeat(5000)}`, '/a%00b', '/A/B', `?codigo=${'a'.repeat(41)}`].map(
        (strange) => [strange, ''],
      ),
    ] as const) {
      const { status, headers, text, words } = await open(path);
      expect([path, status, headers.get('Cache-Control')]).toEqual([path, 404, 'no-store']);
      expect(words).toContain('Código desconhecido Confira o código. Nenhuma assinatura tem este código.');
      expect(/name="codigo"\s+value="([^"]*)"/.exec(text)?.[1]).toBe(kept);
    }
  });

  it('is kept when the student is forgotten, as announced before; unsigned requests are removed', async () => {
    const other = (await trainer.api.post('/contracts', { titulo: 'Outro', conteudo: TEXT })).body.id;
    await send();
    await trainer.api.post(`/contracts/${other}/send`, { alunos: [ana], canal: 'link' });
    const unsignedToken = await tokenOf(other);
    const token = await tokenOf();
    await sign(token);
    await requests();
    const { permanece } = (await trainer.api.get<ForgetPreview>(`/students/${ana}/forget`)).body;
    expect(permanece).toMatchObject([{ o_que: 'Contratos assinados', ate: '2031-12-31' }]);
    await trainer.api.post(`/students/${ana}/forget`);
    expect((await readSigned(token)).conteudo).toContain('Souza');
    const kept = await trainer.api.get<RequestPage>(`/contracts/${other}/requests`);
    const unsigned = await trainer.api.get<Signable>(`/signature-requests/${kept.body.items[0]!.id}`);
    expect(unsigned.body.conteudo).not.toContain('Souza');
    expect(kept.body.items[0]).toMatchObject({ estado: 'cancelado', url: null, whatsapp: null });
    expect(await refused('sign', { token: unsignedToken, ...signature })).toEqual([409, 'contracts.revoked']);
    expect(await read(unsignedToken)).toMatchObject(untold);
  });
});

describe('sending', () => {
  it('gives each student one link, reminds those who have it, and leaves out those who signed', async () => {
    const bia = (await trainer.api.post('/students', { nome: 'Bia', telefone: '11943214322' })).body.id;
    await trainer.api.get(`/students/${bia}`);
    expect(await send('todos')).toMatchObject({ enviados: 2, ja_assinados: 0 });
    expect(await requests()).toHaveLength(2);
    expect((await requests()).every(({ whatsapp }) => whatsapp!.startsWith('https://wa.me/5511'))).toBe(true);
    await sign(await tokenOf());
    expect(await send('todos')).toMatchObject({ enviados: 1, ja_assinados: 1 });
    expect(await requests()).toHaveLength(2);
    await trainer.api.post(`/students/${bia}/archive`);
    await trainer.api.post(
      `/contracts/${contractId}/send`,
      { alunos: [bia], canal: 'link' },
      { status: 409 },
    );
  });

  it('by mail puts one mail into the outbox for each sending, and counts students without an address', async () => {
    await trainer.api.patch(`/students/${ana}`, { email: 'ana@exemplo.com.br' });
    const bia = (await trainer.api.post('/students', { nome: 'Bia', telefone: '11943214322' })).body.id;
    expect(await send([ana, bia], 'email')).toMatchObject({
      enviados: 2,
      ja_assinados: 0,
      sem_email: 1,
      retidos: 0,
      retido_por: null,
    });
    expect(await send([ana], 'email')).toMatchObject({
      enviados: 1,
      sem_email: 0,
      retidos: 1,
      retido_por: expect.stringContaining('há menos de 1 hora'),
    });
    const all = await requests();
    const toBia = all.find(({ student_id }) => student_id === bia)!;
    expect([toBia.tem_email, all.find(({ student_id }) => student_id === ana)!.tem_email]).toEqual([
      false,
      true,
    ]);
    const again = (canal: string) =>
      trainer.api.request<{ code?: string }>('POST', `/api/v1/signature-requests/${toBia.id}/remind`, {
        body: { canal },
      });
    expect((await again('email')).body.code).toBe('contracts.no_address');
    expect(await send([bia], 'email')).toMatchObject({ enviados: 1, sem_email: 1 });
    expect(await send([bia])).toMatchObject({ enviados: 1, sem_email: 0 });
    const steps = await database.query<{ step: string }>(
      `select type || ' ' || (data ->> 'canal') as step from events
       where tenant_id = $1 and stream_id = $2 order by version`,
      [trainer.tenantId, `signature-request:${toBia.id}`],
    );
    // A mail that is not sent is not in the history.
    expect(steps.map(({ step }) => step)).toEqual(['ContractSent link', 'ContractReminded link']);
    const mails = () =>
      database.query(`select from mails where tenant_id = $1 and kind = 'contracts.to-sign'`, [
        trainer.tenantId,
      ]);
    await eventually(async () => (await mails()).length, 1);
    const toAna = all.find(({ student_id }) => student_id === ana)!;
    const reminded = await database.query(
      `select from events where tenant_id = $1 and stream_id = $2 and type = 'ContractReminded'`,
      [trainer.tenantId, `signature-request:${toAna.id}`],
    );
    expect(reminded).toEqual([]);
  });

  it('names the contract as it was sent, although its title was changed afterwards', async () => {
    await trainer.api.patch(`/students/${ana}`, { whatsapp: '(11) 94321-4321' });
    await send();
    await trainer.api.patch(`/contracts/${contractId}`, { titulo: 'Outro' });
    const [request] = await requests();
    expect(decodeURIComponent(request!.whatsapp!)).toContain('Segue “Contrato” para você ler e assinar');
    clock.at = new Date(Date.parse(request!.expires_at) - 3_600_000);
    const { items } = (await trainer.api.get<ContractReminders>('/signature-requests/reminders')).body;
    expect(items[0]!.texto).toContain('Lembrete: “Contrato” ainda espera');
  });

  it('makes links valid for as long as was chosen', async () => {
    const chosen = { alunos: [ana], canal: 'link', prazo_dias: 7 };
    await trainer.api.post(`/contracts/${contractId}/send`, { ...chosen, prazo_dias: 8 }, { status: 400 });
    await trainer.api.post(`/contracts/${contractId}/send`, chosen);
    expect((await requests())[0]!.expires_at).toBe(on(8)(6));
    const token = await tokenOf();
    clock.at = new Date(on(8)(6));
    expect(await refused('sign', { token, ...signature })).toEqual([409, 'contracts.expired']);
    const student = await studentAccount(app, trainer, ana, 'Ana Souza');
    const own = (await student.api.get<OwnContracts>('/student/signature-requests')).body.items;
    expect([own[0]!.estado, (await requests())[0]!.estado]).toEqual(['expirado', 'expirado']);
  });

  it("appears in a student's list", async () => {
    await send();
    const { id } = (await requests())[0]!;
    const student = await studentAccount(app, trainer, ana, 'Ana Souza');
    const own = async () => (await student.api.get<OwnContracts>('/student/signature-requests')).body.items;
    expect(await own()).toMatchObject([{ id, titulo: 'Contrato', estado: 'enviado' }]);
    await student.api.post(`/student/signature-requests/${id}/sign`, signature);
    expect(await own()).toMatchObject([{ estado: 'assinado' }]);
    const bia = (await trainer.api.post('/students', { nome: 'Bia', telefone: '11943214322' })).body.id;
    const other = await studentAccount(app, trainer, bia, 'Bia');
    await other.api.get(`/student/signature-requests/${id}`, { status: 404 });
    await other.api.post(`/student/signature-requests/${id}/withdraw`, undefined, { status: 404 });
  });
});
