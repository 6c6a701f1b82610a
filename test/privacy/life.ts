import { createHmac } from 'node:crypto';
import type { WhatsAppHook } from '../../backend/modules/whatsapp/whatsapp.api.js';
import { addDays, addHours } from 'date-fns';
import type { Bill } from '../../backend/modules/charges/bills.api.js';
import type { Charge } from '../../backend/modules/charges/charges.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type { SessionPage } from '../../backend/modules/agenda/agenda.api.js';
import type { PublicLink } from '../../backend/modules/public-link/public-link.api.js';
import type { WaitingMade } from '../../backend/modules/public-link/waitlist.api.js';
import type { PublicPage } from '../../backend/modules/public-link/public-page.api.js';
import type { SeriesDone } from '../../backend/modules/series/series.api.js';
import { consents, type RequestPage, type Signable } from '../../backend/modules/contracts/contracts.api.js';
import type { ToldContactList } from '../../backend/modules/told-contacts/told-contacts.api.js';
import { studentAccount } from '../accounts/own-data.js';
import type { Client } from '../support/client.js';
import { dayOf } from '../support/clock.js';
import { eventually } from '../support/eventually.js';

/** The same for the whole file, even if it ends on the next day. */
const today = dayOf();

/** The texts about the student, each in words that occur nowhere else. */
const said = {
  nome: 'Wandréia Xistovski',
  telefone: '(11) 98765-1234',
  email: 'wandreia.x@example.org',
  observacoes: 'hérnia lombar',
  motivo: 'presente de casamento',
  nota: 'levar faixa elástica roxa',
  justificativa: 'consulta no cardiologista',
  cobranca: 'treino pós-parto',
  etiqueta: 'gestante',
  anotacao: 'arritmia',
  emergencia_nome: 'Filomena Xistovski',
  emergencia_relacao: 'madrinha de crisma',
  responsavel_nome: 'Teodorico Xistovski',
};

/** The words by which the student could be recognised, in every form in which they may be stored. */
export const secrets = [
  'Wandréia',
  'Wandreia',
  'Xistovski',
  '98765-1234',
  '987651234',
  'wandreia.x@',
  'hérnia',
  'casamento',
  'faixa elástica',
  'cardiologista',
  'pós-parto',
  'gestante',
  'arritmia',
  'Filomena',
  'madrinha',
  'Teodorico',
  '1987-06-05',
  '3222-1234',
  '32221234',
];

interface Student {
  id: string;
  planId: string;
  /** Done, with a credit. */
  doneId: string;
  /** Cancelled, with a reason. */
  cancelledId: string;
  /** Two future ones. */
  comingIds: string[];
}

/** What the student writes to the trainer's number of WhatsApp. */
async function answerByWhatsApp(api: Client, id: string): Promise<void> {
  const numero_id = '106540352242922';
  const keys = { token_acesso: 'token', client_secret: 'secret' };
  await api.put('/settings/whatsapp', { numero_id, conta_id: '102290129340398', ...keys });
  const { url } = (await api.get<WhatsAppHook>('/settings/whatsapp/webhook')).body;
  // Whose number it is stands in a read table.
  await api.get(`/students/${id}`);
  const text = { body: `Quando volta o ${said.cobranca}?` };
  const message = { from: '5531987651234', id: 'wamid.1', type: 'text', text };
  const value = { metadata: { phone_number_id: numero_id }, messages: [message] };
  const bytes = Buffer.from(JSON.stringify({ entry: [{ changes: [{ value }] }] }));
  const signature = createHmac('sha256', keys.client_secret).update(bytes).digest('hex');
  const headers = { 'X-Hub-Signature-256': `sha256=${signature}` };
  await api.request('POST', new URL(url).pathname, { body: bytes, headers });
}

/** A student with every kind of text, with credits, past and future sessions, and money in the month. */
export async function studentWithALife(api: Client): Promise<Student> {
  const planId = (await api.post('/plans', { nome: 'Mensal 8', valor: 48_000, creditos: 8 })).body.id;
  const { id } = (
    await api.post('/students', {
      nome: 'Wandreia',
      whatsapp: said.telefone,
      email: said.email,
      plano_id: planId,
      observacoes: said.observacoes,
    })
  ).body;
  // Every text that can be changed is written a second time, and still contains one of the secrets.
  await api.patch(`/students/${id}`, {
    nome: said.nome,
    telefone: '(21) 98765-1234',
    whatsapp: '(31) 98765-1234',
    email: 'wandreia.x@example.com',
    observacoes: 'hérnia lombar, sem carga',
    cpf: '111.444.777-35',
    nascimento: '1987-06-05',
    emergencia_nome: said.emergencia_nome,
    emergencia_telefone: '(41) 3222-1234',
    emergencia_relacao: said.emergencia_relacao,
    responsavel_nome: said.responsavel_nome,
    responsavel_telefone: '(51) 3222-1234',
  });
  await answerByWhatsApp(api, id);
  await api.put(`/students/${id}/tags`, { etiquetas: [said.etiqueta] });
  const { body: note } = await api.post(`/students/${id}/notes`, { dia: '2030-01-07', texto: said.anotacao });
  await api.patch(`/student-notes/${note.id}`, { texto: `${said.anotacao}, em repouso` });
  await api.post(`/students/${id}/credits/renew`);
  await api.post(`/students/${id}/credits/adjust`, { quantidade: 2, motivo: said.motivo });
  await api.post(`/students/${id}/credits/consume`, { motivo: said.motivo });

  const date = (days: number) => dayOf(addDays(new Date(), days));
  const noon = addHours(new Date().setUTCHours(0, 0, 0, 0), 15);
  const book = async (day: number) => {
    const inicio = addDays(noon, day);
    const times = { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString() };
    return (await api.post('/sessions', { student_id: id, ...times, observacoes: said.nota })).body.id;
  };
  const [doneId, cancelledId] = [await book(-3), await book(-2)];
  const comingIds = [await book(5), await book(6)];
  await api.post(`/sessions/${doneId}/complete`);
  await api.post(`/sessions/${cancelledId}/cancel`, { motivo: 'falta', justificativa: said.justificativa });

  await seriesWithALife(api, id, date(30));

  // A session that was this student's for a while keeps the texts of that time in its history.
  const other = (await api.post('/students', { nome: 'Bia', telefone: '11912345678' })).body.id;
  await api.post(`/students/${id}/credits/transfer`, { para: other, quantidade: 1, motivo: said.motivo });
  const swapped = await book(7);
  await api.patch(`/sessions/${swapped}`, { student_id: other, observacoes: 'outra coisa' });

  // One that is open and one that is paid, whose texts are written twice.
  const charge = async (valor: number) => {
    const terms = { descricao: said.cobranca, valor, vencimento: '2030-12-05' };
    const one = (await api.post('/charges', { student_id: id, plano_id: planId, ...terms })).body.id;
    await api.patch(`/charges/${one}`, { descricao: `${said.cobranca}, de novo` });
    return one;
  };
  const [, paidId] = [await charge(9_000), await charge(7_000)];
  await bookAsStranger(api, id);

  const entry = { tipo: 'receita', descricao: 'Mensalidade', valor: 48_000, metodo_pagamento: 'pix' };
  await api.post('/transactions', { ...entry, data: today });
  await api.post(`/charges/${paidId}/payments`, { valor: 7_000, data: today, metodo_pagamento: 'dinheiro' });
  const { pagamentos } = (await api.get<Charge>(`/charges/${paidId}`)).body;
  const refund = { valor: 1_000, valor_atual: 7_000, creditos: 1, motivo: said.motivo };
  await api.post(`/charges/${paidId}/payments/${pagamentos[0]!.id}/refund`, refund);
  return { id, planId, doneId, cancelledId, comingIds };
}

/** The student also books by the public link: the phone is known once it is projected. */
async function bookAsStranger(api: Client, studentId: string): Promise<void> {
  const location_id = (await api.post('/locations', { nome: 'Parque' })).body.id;
  const phone = async () => (await api.get<{ whatsapp: string }>(`/students/${studentId}`)).body.whatsapp;
  await eventually(phone, '+5531987651234');
  await api.get('/locations');
  const { slug } = (await api.get<PublicLink>('/public-link')).body;
  const { horarios } = (await api.get<PublicPage>(`/public/pages/${slug}`)).body;
  const who = { nome: said.nome, whatsapp: '(31) 98765-1234', email: said.email, consentimento: 1 };
  const book = async (inicio: string) =>
    (await api.post('/public/bookings', { ...who, slug, location_id, inicio })).body.id;
  const [de, ate] = [1, 3].map((days) => dayOf(addDays(new Date(), days)));
  const wish = { ...who, slug, location_id, de, ate, periodos: ['noite'] };
  const { token } = (await api.post<WaitingMade>('/public/waitlist', wish)).body;
  await api.post('/public/waitlist/leave', { token });
  const declined = await book(horarios.at(-2)!.inicio);
  await api.post(`/visits/${declined}/decline`, { mensagem: `Desculpe, ${said.nome}` });
  await book(horarios.at(-1)!.inicio);
}

/** Somebody else books with the student's phone, and the trainer gives the booking to the student. */
export async function bookingOfTheirs(api: Client, student_id: string): Promise<void> {
  const { slug } = (await api.get<PublicLink>('/public-link')).body;
  const { horarios, locais } = (await api.get<PublicPage>(`/public/pages/${slug}`)).body;
  const wish = {
    slug,
    location_id: locais[0]!.id,
    inicio: horarios.at(-3)!.inicio,
    nome: said.emergencia_nome,
    whatsapp: '(31) 98765-1234',
    email: said.email,
    consentimento: 1,
  };
  const { id } = (await api.post('/public/bookings', wish)).body;
  await api.get('/visits');
  await api.post(`/visits/${id}/confirm`, { student_id });
}

/** A series with all its texts: notes, other notes from a day on, undone, ended. */
async function seriesWithALife(api: Client, student_id: string, data: string): Promise<void> {
  const dates = Array.from({ length: 3 }, (_, day) =>
    addDays(new Date(data), day).toISOString().slice(0, 10),
  );
  const recurrence = {
    data,
    dias: [0, 1, 2, 3, 4, 5, 6],
    intervalo: 1,
    vezes: 3,
    hora: '05:00',
    duracao: 60,
  };
  const wanted = { student_id, ...recurrence, observacoes: said.nota, mesmo_assim: dates };
  const { id } = (await api.post('/series', wanted)).body;
  const query = { student_id, from: `${data}T00:00:00Z`, limit: 1 };
  const { items } = (await api.get<SessionPage>('/sessions', { query })).body;
  const path = `/sessions/${items[0]!.id}/series`;
  const body = { escopo: 'todas', observacoes: 'levar faixa elástica azul' };
  const { mudanca_id } = (await api.patch<SeriesDone>(path, body)).body;
  await api.post(`/series/${id}/undo`, { mudanca_id });
  await api.put('/settings/timezone', { fuso_horario: 'America/Fortaleza' });
  const others = [0, 1, 2, 3, 4, 5, 6].filter((day) => day !== new Date(dates[2]!).getUTCDay());
  await api.patch(path, { escopo: 'todas', dias: others, impedidas: 'mudar' });
  await api.post(`${path}/cancel`, { escopo: 'todas', motivo: 'personal' });
  await api.put('/settings/timezone', { fuso_horario: 'America/Sao_Paulo' });
}

/** The figures that must be equal before and after: credits line by line, the month, the year, the charges. */
export async function sums(api: Client, studentId: string): Promise<unknown> {
  const { saldo, lotes, extrato } = (await api.get<CreditStatement>(`/students/${studentId}/credits`)).body;
  const reads = [
    `/finance/months/${today.slice(0, 7)}`,
    `/finance/years/${today.slice(0, 4)}`,
    `/transactions?month=${today.slice(0, 7)}`,
  ];
  const withoutNames = (body: unknown): unknown =>
    JSON.parse(
      JSON.stringify(body, (key, value: unknown) =>
        ['student_nome', 'aluno'].includes(key) ? undefined : value,
      ),
    );
  const money = await Promise.all(reads.map(async (path) => withoutNames((await api.get(path)).body)));
  return { saldo, lotes, extrato: extrato.items.map(({ motivo: _motivo, ...line }) => line), money };
}

/**
 * One contract that the student declined with a reason, and one that was signed, whose copy is retained by law; both
 * with their own words.
 */
export async function contractsWithALife(api: Client, student_id: string): Promise<void> {
  const send = async (conteudo: string, asked = {}) => {
    const wanted = { titulo: 'Contrato', conteudo, responsavel: true, ...asked };
    const { id } = (await api.post('/contracts', wanted)).body;
    await api.post(`/contracts/${id}/send`, { alunos: [student_id], canal: 'link' });
    const { items } = (await api.get<RequestPage>(`/contracts/${id}/requests`)).body;
    return items[0]!.url!.split('/').at(-1)!;
  };
  const declined = await send('<p>{{aluno}}</p>', { codigo_email: true });
  await api.post('/signature-links/code', { token: declined });
  await api.post('/signature-links/decline', { token: declined, motivo: said.justificativa });
  const token = await send('<p>Texto sem campos</p>');
  await api.post('/signature-links/sign', {
    token,
    nome: 'Pessoa Assinante',
    cpf: '529.982.247-25',
    telefone: '(41) 91234-5678',
    consent_data_processing: true,
    consent_terms: true,
    consentimento: consents.versao,
    nascimento: '2015-01-31',
    responsavel: { nome: 'Pessoa Responsável', cpf: '111.444.777-35', relacao: 'tutora' },
  });
  // The worker makes the PDF.
  await eventually(
    async () => (await api.get<Signable>(`/signature-links/${token}`)).body.prova?.tem_pdf,
    true,
  );
}

/** A payment with its receipt, whose payer is retained by law, with its own words. */
export async function receiptWithALife(api: Client, student_id: string): Promise<void> {
  await api.put('/settings/receipts', {
    nome: 'Estúdio Movimento',
    documento: '111.444.777-35',
    cref: null,
    cidade: 'Recife',
  });
  const terms = { descricao: 'Avaliação', valor: 5_000, vencimento: '2030-12-05' };
  const charge = (await api.post('/charges', { student_id, ...terms })).body.id;
  const payment = { valor: 5_000, data: today, metodo_pagamento: 'pix' };
  await api.post(`/charges/${charge}/payments`, payment);
  const { pagamentos } = (await api.get<Charge>(`/charges/${charge}`)).body;
  await api.post(`/transactions/${pagamentos[0]!.transaction_id}/receipt`, {
    nome: 'Pessoa Pagante',
    cpf: '529.982.247-25',
    descricao: 'Avaliação',
    de: '2026-11-01',
    ate: '2026-11-30',
  });
}

/** A second record of the student, with a tag of its own, that was merged into the first. */
export async function mergedWithALife(api: Client, id: string): Promise<void> {
  const second = { nome: said.nome, whatsapp: '(61) 98765-1234', email: said.email };
  const com = (await api.post('/students', second)).body.id;
  await api.put(`/students/${com}/tags`, { etiquetas: [`${said.etiqueta} 2`] });
  await api.post(`/students/${id}/merge`, { com });
}

/** A relative who pays for the student, at once and with one receipt, and is forgotten alone. Returns the id. */
export async function payerWithALife(api: Client, student_id: string): Promise<string> {
  const contact = { whatsapp: said.telefone, email: said.email };
  const wanted = { nome: said.responsavel_nome, documento: '529.982.247-25', ...contact, student_id };
  const { id } = (await api.post('/payers', wanted)).body;
  await api.patch(`/payers/${id}`, {
    nome: `${said.responsavel_nome} Filho`,
    documento: '11.222.333/0001-81',
    whatsapp: '(71) 98765-1234',
    email: 'wandreia.x@example.net',
  });
  const terms = { student_id, descricao: said.cobranca, valor: 4_000, vencimento: '2020-12-05' };
  await api.post('/charges', terms);
  await api.post('/charges', { ...terms, vencimento: '2020-11-05' });
  await api.post(`/payers/${id}/payments`, { valor: 8_000, data: today, metodo_pagamento: 'pix' });
  const { pagamentos } = (await api.get<Bill>(`/payers/${id}/bill`)).body;
  await api.post(`/transactions/${pagamentos[0]!.transaction_id}/receipt`, {
    nome: 'Pessoa Pagante',
    cpf: '529.982.247-25',
    descricao: 'Aulas',
    de: '2026-11-01',
    ate: '2026-11-30',
  });
  return id;
}

/** A session that the student asks to cancel, with an account of her own, and the trainer's text when refusing. */
export async function requestWithALife(
  app: { url: string },
  api: Client,
  { id, comingIds }: Student,
): Promise<void> {
  const account = await studentAccount(app, { api }, id, 'Conta');
  const change = (nome: string) => {
    const body = { nome, telefone: '(61) 98765-1234', data_nascimento: null };
    return account.api.request('PUT', '/api/v1/account/profile', { body });
  };
  await change(`${said.nome} Xis`);
  const asked = async () => (await api.get<ToldContactList>('/told-contacts')).body.items;
  await eventually(async () => (await asked()).length, 2);
  for (const { campo, valor } of await asked())
    for (const resposta of ['atualizar', 'perguntar'])
      await api.put(`/students/${id}/told-contact`, { campo, valor, resposta });
  // The account stays when the trainer forgets the student.
  await change('Conta');
  await eventually(async () => (await asked()).map(({ valor }) => valor), ['+5561987651234', 'Conta']);
  await account.api.post(`/student/sessions/${comingIds[0]}/request`, { motivo: said.justificativa });
  await api.post(`/session-requests/${comingIds[0]}/refuse`, { mensagem: `Melhoras, ${said.nome}` });
}
