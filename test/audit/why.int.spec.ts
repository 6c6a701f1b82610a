import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import type { Why } from '../../backend/modules/audit/why.api.js';
import type { ChargeDetail } from '../../backend/modules/charges/charges.api.js';
import type { PixHook } from '../../backend/modules/charges/pix-notices.api.js';
import type { RenewalPaid } from '../../backend/modules/charges/renewals.api.js';
import { consents, type RequestPage } from '../../backend/modules/contracts/contracts.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';
import { sharedApp } from '../support/shared.js';

const clock = new SetClock(new Date(on(9)(12)));
const database = await testDatabase();
const app = await sharedApp(clock);
const trainer = await signUp(app, { nome: 'Carla Dias' });
const agenda = agendaOf(trainer.api);
const { api } = trainer;

const ask = async (client: Client, path: string, de: string) => {
  await caughtUp(database);
  return plain((await client.get<Why>(path, { query: { de } })).body);
};
const plain = <Answer>(answer: Answer): Answer =>
  JSON.parse(JSON.stringify(answer).replaceAll('\u00a0', ' ')) as Answer;
const why = (de: string) => ask(api, '/why', de);
/** "Sessão: Agendada …", without how long before, which the database's clock says. */
const said = ({ elos }: Why) =>
  elos.map(({ titulo, texto }) =>
    `${titulo}: ${texto}`.replace(/, (\d+ (h|min) antes|depois do início):/, ', …:'),
  );

let park: string;
let ana: string;
let own: Client;
let session: string;
let contract: string;
let signature: string;

/** Ana signed that late cancellations cost, paid for four credits, and cancels late. */
beforeAll(async () => {
  park = await agenda.location('Parque');
  await api.put(`/locations/${park}/policy`, {
    cancel_limite_horas: 24,
    taxa_percent: 50,
    queima_credito: true,
  });
  ana = await agenda.student('Ana Souza', await agenda.plan());
  const made = await api.post('/contracts', {
    titulo: 'Contrato de treino',
    conteudo:
      '<p>Olá, {{aluno}}.</p><p>Pagamento: o plano custa {{valor}}.</p><p>Cancelamentos: {{politica}}</p>',
  });
  contract = made.body.id;
  await api.post(`/contracts/${contract}/send`, { alunos: [ana], canal: 'link' });
  const { items } = (await api.get<RequestPage>(`/contracts/${contract}/requests`)).body;
  signature = items[0]!.id;
  const token = items[0]!.url!.split('/').at(-1)!;
  await api.post('/signature-links/sign', {
    token,
    nome: 'Ana Souza',
    cpf: '529.982.247-25',
    telefone: '(21) 98888-7777',
    consent_data_processing: true,
    consent_terms: true,
    consentimento: consents.versao,
  });
  await api.post<RenewalPaid>(`/students/${ana}/credits/renew/payment`, {
    valor: 32_000,
    data: '2026-11-09',
    metodo_pagamento: 'pix',
  });
  session = await agenda.book({
    student_id: ana,
    location_id: park,
    inicio: on(10)(7),
    fim: on(10)(8),
    observacoes: 'Joelho',
  });
  own = (await studentAccount(app, trainer, ana, 'Ana')).api;
  await agenda.cancel(session, { motivo: 'aluno_fora_do_prazo', aplicar_politica: true });
});

/** From the rule that a late cancellation followed to what had paid for its credit, for trainer and student. */
const RULE_TO_PAYMENT = [
  'Regra em vigor: Cancelamento em Parque: até 24 h antes sem custo; depois, desconta 1 crédito e cobra taxa de 50%.',
  'Contrato assinado: Contrato de treino, versão 1, diz:',
  'Cobrança: Vence em 12/11/2026: falta pagar R$ 40,00.',
  'Cobrança: Emitida: R$ 40,00, com vencimento em 12/11/2026: Taxa de cancelamento fora do prazo · aula de ter., 10 de nov., 7:00.',
  'Lote: Plano Pacote 4: +4 créditos. Restam 3.',
  'Pagamento: R$ 320,00 em 09/11/2026 (Pix).',
  'Cobrança: Emitida: R$ 320,00, com vencimento em 09/11/2026, pelo plano Pacote 4.',
  'Contrato assinado: Contrato de treino, versão 1, diz:',
];

it('a session that was cancelled late leads over its rule, charge and credit to the payment and the clause that was signed', async () => {
  const chain = await why(`session:${session}`);
  expect(chain.pergunta).toBe('Por que a taxa de R$ 40,00?');
  expect(said(chain)).toEqual([
    'Sessão: Cancelada pelo aluno, fora do prazo, …: descontou 1 crédito e cobrou taxa de R$ 40,00. A taxa é 50% do valor da sessão, R$ 80,00.',
    'Sessão: Agendada para ter., 10 de nov. de 2026, 7:00, Parque.',
    ...RULE_TO_PAYMENT,
  ]);
  expect(chain.elos[0]).toMatchObject({
    quem: 'Carla Dias',
    quando: expect.stringMatching(/Z$/),
    de: `session:${session}`,
    para: `/agenda?dia=2026-11-10&sessao=${session}`,
  });
  expect(chain.elos[2]!.quem).toBe('Carla Dias');
  expect(chain.elos[3]!.clausula).toMatch(/^Cancelamentos: /);
  expect(chain.elos.at(-1)!.clausula).toBe('Pagamento: o plano custa R$ 320,00.');
});

it('is told to its student in their words, without what the trainer noted', async () => {
  const chain = await ask(own, '/student/why', `session:${session}`);
  expect(said(chain)).toEqual([
    'Aula: Desmarcada por você, fora do prazo, …: descontou 1 crédito e cobrou taxa de R$ 40,00. A taxa é 50% do valor da aula, R$ 80,00.',
    'Aula: Agendada para ter., 10 de nov. de 2026, 7:00, Parque.',
    ...RULE_TO_PAYMENT,
  ]);
  expect(JSON.stringify(chain)).not.toMatch(/Joelho|Sessão|\/agenda|\/cobrancas/);
});

it('a balance is the sum of lots, and a line of the statement leads to its session or its lot', async () => {
  await api.post(`/students/${ana}/credits/adjust`, { quantidade: 2, motivo: 'Presente' });
  expect(await ask(own, '/student/why', 'balance:own')).toMatchObject({ pergunta: 'Por que meu saldo é 5?' });
  const { pergunta, elos } = await why(`balance:${ana}`);
  expect(pergunta).toBe('Por que o saldo é 5?');
  expect(elos.slice(1).map(({ texto }) => texto)).toEqual(['3 de 4 créditos.', '2 de 2 créditos.']);
  const lot = await why(elos[1]!.de!);
  expect(said(lot)).toEqual([
    'Crédito usado: Sessão de ter., 10 de nov., 7:00: −1 crédito.',
    'Lote: Plano Pacote 4: +4 créditos. Restam 3.',
    'Pagamento: R$ 320,00 em 09/11/2026 (Pix).',
    'Cobrança: Emitida: R$ 320,00, com vencimento em 09/11/2026, pelo plano Pacote 4.',
    'Contrato assinado: Contrato de treino, versão 1, diz:',
  ]);
  const { extrato } = (await api.get<CreditStatement>(`/students/${ana}/credits`)).body;
  const lines = await Promise.all(extrato.items.map(({ posicao }) => why(`credit:${posicao}`)));
  expect(lines.map((line) => said(line)[0])).toEqual([
    'Ajuste de saldo: +2 créditos: Presente.',
    'Crédito usado: −1 crédito.',
    'Créditos recebidos: +4 créditos.',
  ]);
  const told = await ask(own, '/student/why', `credit:${extrato.items[0]!.posicao}`);
  expect(JSON.stringify(told)).not.toContain('Presente');
});

it('an overdue charge says since when, what is missing, and what was promised', async () => {
  const charge = await api.post('/charges', {
    student_id: ana,
    descricao: 'Camiseta',
    valor: 9_000,
    vencimento: '2026-11-09',
  });
  const id = charge.body.id;
  await api.post(`/charges/${id}/payments`, {
    valor: 2_000,
    data: '2026-11-09',
    metodo_pagamento: 'dinheiro',
  });
  await api.put(`/charges/${id}/promise`, { dia: '2026-11-12' });
  clock.at = new Date(on(11)(12));
  const { pergunta, elos } = await ask(own, '/student/why', `charge:${id}`);
  clock.at = new Date(on(9)(12));
  expect(pergunta).toBe('Por que esta cobrança está vencida?');
  expect(elos.slice(0, 3).map(({ texto }) => texto)).toEqual([
    'Venceu em 09/11/2026, há 2 dias, e faltam R$ 70,00 de R$ 90,00. Pagamento prometido para 12/11/2026.',
    'R$ 20,00 em 09/11/2026 (Dinheiro), faltaram R$ 70,00.',
    'Emitida: R$ 90,00, com vencimento em 09/11/2026: Camiseta.',
  ]);
  const payment = elos[1]!.de!;
  expect(await ask(own, '/student/why', payment)).toMatchObject({ pergunta: 'Por que paguei R$ 20,00?' });
});

it('a session of a service without credits costs what its booking has agreed', async () => {
  const bia = await agenda.student('Bia Lima', await agenda.plan());
  const offer = { nome: 'Avaliação', duracao_min: 60, valor: 15_000, usa_credito: false };
  const service_id = (await api.post('/services', offer)).body.id;
  const done = await agenda.book({ student_id: bia, inicio: on(9)(7), fim: on(9)(8), service_id });
  await agenda.complete(done);
  await api.patch(`/services/${service_id}`, { valor: 99_900 });
  expect(said(await why(`session:${done}`))).toEqual([
    'Sessão: Marcada como feita: fica para pagar à parte, R$ 150,00.',
    expect.stringMatching(/^Sessão: Agendada para /),
    'Regra em vigor: Avaliação não desconta crédito: custa R$ 150,00, como combinado ao agendar.',
  ]);
});

it('a payment that a refund corrected says each thing once', async () => {
  const body = { student_id: ana, descricao: 'Avaliação', valor: 15_000, vencimento: '2026-11-09' };
  const charge = (await api.post('/charges', body)).body.id;
  const paid = { valor: 15_000, data: '2026-11-09', metodo_pagamento: 'pix' };
  await api.post(`/charges/${charge}/payments`, paid);
  const before = (await api.get<ChargeDetail>(`/charges/${charge}`)).body.pagamentos;
  const back = { valor: 5_000, valor_atual: 15_000, creditos: 0, motivo: 'Sem bioimpedância' };
  await api.post(`/charges/${charge}/payments/${before[0]!.id}/refund`, back);
  const { pagamentos } = (await api.get<ChargeDetail>(`/charges/${charge}`)).body;
  const entry = pagamentos[0]!.transaction_id;
  const told = await ask(own, '/student/why', `transaction:${entry}`);
  expect(said(told)).toEqual([
    'Pagamento: R$ 100,00 em 09/11/2026 (Pix).',
    'Estorno: Corrigido: R$ 150,00 de 09/11/2026.',
    'Pagamento: R$ 50,00 devolvidos.',
    'Pagamento: R$ 150,00 em 09/11/2026 (Pix).',
    'Cobrança: Emitida: R$ 150,00, com vencimento em 09/11/2026: Avaliação.',
    'Contrato assinado: Contrato de treino, versão 1, diz:',
  ]);
});

it('students are told nothing of others, and trainers nothing of what is not there', async () => {
  const bia = await agenda.student('Bia Lima', await agenda.plan());
  await agenda.renew(bia);
  const theirs = await agenda.book({ student_id: bia, inicio: on(12)(7), fim: on(12)(8) });
  await caughtUp(database);
  const things = [`session:${theirs}`, `balance:${bia}`, `session:${randomUUID()}`, 'credit:1'];
  things.push('expected:2026-11', 'expected:2026-11/avulsa');
  for (const de of things) await own.get('/student/why', { query: { de }, status: 404 });
  await own.get('/why', { query: { de: `session:${session}` }, status: 403 });
  await api.get('/why', { query: { de: `charge:${randomUUID()}` }, status: 404 });
  await api.get('/why', { query: { de: `contract:${ana}` }, status: 400 });
});

it('has words in each link, also where others record something about an entry or a charge', async () => {
  await api.put('/settings/receipts', {
    nome: 'Carla Dias',
    documento: '111.444.777-35',
    cref: '',
    cidade: 'São Paulo',
  });
  await api.put('/settings/pix', { tipo: 'email', chave: 'c@exemplo.com', nome: 'Carla', cidade: 'Santos' });
  await api.post('/settings/pix/webhook/secret');
  const { id } = (
    await api.post('/charges', { student_id: ana, descricao: 'Bola', valor: 5_000, vencimento: '2026-11-20' })
  ).body;
  const { url, segredo } = (await api.get<PixHook>('/settings/pix/webhook')).body;
  const pix = {
    endToEndId: `E${randomUUID().replaceAll('-', '').slice(0, 31)}`,
    valor: '50.00',
    txid: `R0${id.replaceAll('-', '').slice(0, 23).toUpperCase()}`,
    horario: on(9)(12),
  };
  const body = JSON.stringify({ pix: [pix] });
  const headers = { 'x-signature': createHmac('sha256', segredo).update(body).digest('hex') };
  await api.request('POST', new URL(url).pathname, { body, headers });
  const charge = await why(`charge:${id}`);
  expect(charge.elos.map(({ titulo }) => titulo)).toEqual([
    'Situação',
    'Pix',
    'Pagamento',
    'Cobrança',
    'Contrato assinado',
  ]);
  const arrived = charge.elos[1]!.de!;
  for (const client of [why, (de: string) => ask(own, '/student/why', de)])
    expect(await client(arrived)).toMatchObject({
      pergunta: 'De onde veio o Pix de R$ 50,00?',
      elos: [
        {
          titulo: 'Pix',
          quem: 'Rende',
          texto: 'R$ 50,00 em 09/11/2026, avisado pelo banco: deu baixa sozinho em R$ 50,00.',
        },
        ...charge.elos.filter(({ titulo }) => !['Situação', 'Pix'].includes(titulo)).map(() => ({})),
      ],
    });
  const payment = charge.elos[2]!.de!;
  await api.post(`/transactions/${payment.split(':')[1]}/receipt`, {
    nome: 'Ana Souza',
    cpf: null,
    descricao: 'Bola',
    de: '2026-11-09',
    ate: '2026-11-09',
  });
  for (const client of [why, (de: string) => ask(own, '/student/why', de)])
    expect((await client(payment)).elos.map(({ texto }) => texto)).toEqual([
      expect.stringMatching(/^R\$ 50,00 em 09\/11\/2026 \(Pix\)/),
      expect.stringMatching(/^R\$ 50,00 em 09\/11\/2026, avisado pelo banco/),
      'Emitida: R$ 50,00, com vencimento em 20/11/2026: Bola.',
      'Contrato de treino, versão 1, diz:',
    ]);

  const receipt = payment.replace('transaction', 'receipt');
  const issued = 'Recibo: Emitido: nº 1, de R$ 50,00, referente a Bola, de 09/11/2026 a 09/11/2026.';
  const told = await why(receipt);
  expect([told.pergunta, ...said(told).slice(0, 2)]).toEqual([
    'Por que o recibo nº 1 é de R$ 50,00?',
    issued,
    expect.stringMatching(/^Receita: R\$ 50,00 em 09\/11\/2026 \(Pix\)/),
  ]);
  expect(await ask(own, '/student/why', receipt)).toMatchObject({ pergunta: 'Por que paguei R$ 50,00?' });
  const { pagamentos } = (await api.get<ChargeDetail>(`/charges/${id}`)).body;
  await api.post(`/charges/${id}/payments/${pagamentos[0]!.id}/reverse`);
  for (const client of [why, (de: string) => ask(own, '/student/why', de)]) {
    const cancelled = await client(receipt);
    expect([cancelled.pergunta, ...said(cancelled).slice(0, 2)]).toEqual([
      'Por que o recibo nº 1 está cancelado?',
      'Recibo: Cancelado: o pagamento foi estornado.',
      issued,
    ]);
  }
  // What was not undone at the bank is to be decided, which the student does not hear of.
  expect(await why(arrived)).toMatchObject({ pergunta: 'Por que este Pix ainda espera decisão?' });
  expect(JSON.stringify(await ask(own, '/student/why', arrived))).not.toContain('decidir');
});

it('a contract says what happened to it until it was signed, and which version counts since', async () => {
  await api.patch(`/contracts/${contract}`, { conteudo: '<p>Outro texto: {{aluno}}, {{valor}}.</p>' });
  const chain = await why(`signature:${signature}`);
  expect(chain.pergunta).toBe('Por que este contrato está assinado?');
  const since = 'Situação: Vale a versão 1, que foi assinada; o seu texto já está na versão 2.';
  const sent: unknown = expect.stringMatching(
    /^Contrato: Versão 1 enviada por link, para assinar até \d\d\//,
  );
  expect(said(chain)).toEqual([since, 'Contrato: Versão 1 assinada pelo link.', sent]);
  expect(said(await ask(own, '/student/why', `signature:${signature}`))).toEqual([
    since.replace('o seu texto', 'o texto do personal'),
    ...said(chain).slice(1),
  ]);

  const davi = await agenda.student('Davi Reis', await agenda.plan());
  await api.post(`/contracts/${contract}/send`, { alunos: [davi], canal: 'link' });
  const { items } = (await api.get<RequestPage>(`/contracts/${contract}/requests`)).body;
  const { id, url } = items.find(({ student_id }) => student_id === davi)!;
  expect(await why(`signature:${id}`)).toMatchObject({
    pergunta: 'Por que este contrato espera assinatura?',
  });
  await own.get('/student/why', { query: { de: `signature:${id}` }, status: 404 });
  await api.post('/signature-links/decline', { token: url!.split('/').at(-1), motivo: 'Prefiro avulsa.' });
  const declined = await why(`signature:${id}`);
  expect([declined.pergunta, ...said(declined)]).toEqual([
    'Por que este contrato foi recusado?',
    'Contrato: Recusado pelo aluno: Prefiro avulsa.',
    expect.stringMatching(/^Contrato: Versão 2 enviada/),
  ]);
  await api.post(`/students/${davi}/forget`);
  expect(JSON.stringify(await why(`signature:${id}`))).not.toContain('avulsa');
});

it('a pause says what it does by rule, who changed it, and which sessions it has cancelled', async () => {
  await own.get('/student/why', { query: { de: 'pause:own' }, status: 404 });
  const coming = await agenda.book({ student_id: ana, inicio: on(13)(7), fim: on(13)(8) });
  await api.put(`/students/${ana}/pause`, { ate: '2026-11-12' });
  await api.put(`/students/${ana}/pause`, { ate: '2026-11-14', sessoes: 'cancelar' });
  const cancelled = 'Cancelada pela pausa, sem custo: sex., 13 de nov., 7:00.';
  const changes = ['Pausa: Até 14/11/2026.', 'Pausa: Até 12/11/2026.'];
  const rule = 'Pausa: De 09/11/2026 a 14/11/2026: os créditos não vencem, nenhuma mensalidade é cobrada e';
  const chain = await why(`pause:${ana}`);
  expect(chain).toMatchObject({
    pergunta: 'Por que o aluno está pausado?',
    elos: [{}, { quem: 'Carla Dias' }, { quem: 'Carla Dias' }, { de: `session:${coming}` }],
  });
  expect(said(chain)).toEqual([`${rule} o aluno não agenda.`, ...changes, `Sessão: ${cancelled}`]);
  const told = await ask(own, '/student/why', 'pause:own');
  expect([told.pergunta, ...said(told)]).toEqual([
    'Por que meu treino está pausado?',
    `${rule} você não agenda.`,
    ...changes,
    `Aula: ${cancelled}`,
  ]);
  await api.put(`/students/${ana}/pause`, { ate: null });
  expect(said(await why(`pause:${ana}`))).toEqual([
    'Pausa: Encerrada no dia em que começou.',
    'Pausa: Encerrada: 1 sessão voltou à agenda.',
    ...changes,
  ]);
  expect(await why(`pause:${ana}`)).toMatchObject({ pergunta: 'O que a última pausa mudou?' });
});

it('of a session that was given to another student, says to that one nothing of before', async () => {
  const bia = await agenda.student('Bia Prado', await agenda.plan());
  await agenda.renew(bia);
  const given = await agenda.book({ student_id: bia, inicio: on(8)(7), fim: on(8)(8) });
  await agenda.complete(given);
  await api.post(`/sessions/${given}/reopen`, {});
  await api.patch(`/sessions/${given}`, { student_id: ana });
  const before = [
    'Sessão: Reaberta: o crédito voltou.',
    'Sessão: Agendada para dom., 8 de nov. de 2026, 7:00.',
  ];
  expect(said(await why(`session:${given}`)).slice(0, 2)).toEqual(before);
  expect(said(await ask(own, '/student/why', `session:${given}`)).slice(0, 2)).toEqual([
    'Aula: Agendada para dom., 8 de nov. de 2026, 7:00.',
    expect.stringMatching(/^Regra em vigor/),
  ]);
});

it('shows a signed contract neither behind a link, which hides devices too, nor of somebody who was forgotten', async () => {
  const eva = await agenda.student('Eva Rocha', await agenda.plan());
  const contract = await api.post('/contracts', {
    titulo: 'Termo',
    conteudo: '<p>{{aluno}} paga R$ 300,00.</p>',
  });
  await api.post(`/contracts/${contract.body.id}/send`, { alunos: [eva], canal: 'link' });
  const { items } = (await api.get<RequestPage>(`/contracts/${contract.body.id}/requests`)).body;
  await api.post('/signature-links/sign', {
    token: items[0]!.url!.split('/').at(-1)!,
    nome: 'Eva Rocha',
    cpf: '529.982.247-25',
    telefone: '(21) 98888-7777',
    consent_data_processing: true,
    consent_terms: true,
    consentimento: consents.versao,
  });
  const charge = await api.post('/charges', {
    student_id: eva,
    descricao: 'Avulsa',
    valor: 5_000,
    vencimento: '2026-11-20',
  });
  const de = `charge:${charge.body.id}`;
  await database.query('update auth.sessions set user_agent = $1 where user_id = $2', [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1',
    trainer.userId,
  ]);
  const known = await why(de);
  expect(known.elos.at(-1)!.clausula).toBe('Eva Rocha paga R$ 300,00.');
  expect(known.elos[1]!.dispositivo).toBe('Safari no iPhone');
  const { url } = (await api.post<{ url: string }>(`/students/${eva}/area-link`)).body;
  await caughtUp(database);
  const headers = { 'Rende-Link': url.split('/').at(-1)! };
  const byLink = (of: string) =>
    new Client(app.url).request<Why>('GET', '/api/v1/student/why', { query: { de: of }, headers });
  const told = await byLink(de);
  expect(told.body.elos.map(({ titulo, dispositivo }) => [titulo, dispositivo])).toEqual([
    ['Situação', null],
    ['Cobrança', null],
  ]);
  expect((await byLink(`signature:${items[0]!.id}`)).status).toBe(404);
  await api.post(`/students/${eva}/forget`);
  expect(JSON.stringify(await why(de))).not.toMatch(/Eva|Termo/);
});
