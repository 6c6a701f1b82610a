import { createHmac, randomUUID } from 'node:crypto';
import { addDays, addHours } from 'date-fns';
import type { PublicLink } from '../../backend/modules/public-link/public-link.api.js';
import type { PublicPage } from '../../backend/modules/public-link/public-page.api.js';
import type { PixHook, UndecidedPage } from '../../backend/modules/charges/pix-notices.api.js';
import type { Renewed } from '../../backend/modules/charges/renewals.api.js';
import type { RequestPage } from '../../backend/modules/contracts/contracts.api.js';
import { TERMS_VERSION } from '../../backend/modules/general-terms/general-terms.api.js';
import type { Client } from '../support/client.js';
import { dayOf } from '../support/clock.js';

/** Ids of the entities of a trainer's day, one of each kind. */
export interface Day {
  planId: string;
  serviceId: string;
  locationId: string;
  studentId: string;
  noteId: string;
  payerId: string;
  sessionId: string;
  transactionId: string;
  taskId: string;
  taskListId: string;
  vacationId: string;
  holidayId: string;
  chargeId: string;
  lotId: string;
  expenseId: string;
  paymentId: string;
  visitId: string;
  waitId: string;
  pixId: string;
  seriesId: string;
  classId: string;
  contractId: string;
  importId: string;
  requestId: string;
}

/** The personal data in that day, which must be readable only where it is allowed. */
export const said = {
  nome: 'Zuleika Quintanilha',
  telefone: '(11) 98877-6655',
  digits: '11988776655',
  email: 'zuleika.quintanilha@example.org',
  observacoes: 'joelho operado da Zuleika',
  motivo: 'presente para a Zuleika',
  local: 'Casa da Zuleika',
  descricao: 'Mensalidade Zuleika',
  tarefa: 'Ligar para a Zuleika',
  ferias: 'Praia com a Zuleika',
  feriado: 'Dia da Zuleika',
  visitante: 'Zuleika Visitante',
  contrato: 'Contrato da Zuleika',
  etiqueta: 'turma da Zuleika',
};

/** An hour that students enter by themselves. */
export const openClass = {
  aberta: true,
  nome: said.etiqueta,
  vagas: 6,
  ate_horas: 2,
  minimo_alunos: 3,
  minimo_horas: 2,
};

/** Sends a provider's notice of a payment that names no charge. Returns the arrived Pix's id. */
async function arrivePix(api: Client): Promise<string> {
  const { url, segredo } = (await api.get<PixHook>('/settings/pix/webhook')).body;
  const endToEndId = `E${randomUUID().replaceAll('-', '').slice(0, 31)}`;
  const bytes = JSON.stringify({ pix: [{ endToEndId, valor: '1.00', horario: new Date().toISOString() }] });
  const headers = { 'x-signature': createHmac('sha256', segredo).update(bytes).digest('hex') };
  await api.request('POST', new URL(url).pathname, { body: bytes, headers });
  // After a write of the trainer, the next read waits until the arrived Pix is projected too.
  await api.post('/plans', { nome: 'Avulsa', valor: 9_000, creditos: 1 });
  return (await api.get<UndecidedPage>('/arrived-pix')).body.items[0]!.id;
}

/** Records a day, and adds entities whose creation needs reads: a signature request, a visit and an arrived Pix. */
export async function liveADay(api: Client): Promise<Day> {
  const recorded = await recordADay(api);
  await api.post(`/contracts/${recorded.contractId}/send`, { alunos: [recorded.studentId], canal: 'link' });
  const requests = await api.get<RequestPage>(`/contracts/${recorded.contractId}/requests`);
  return {
    ...recorded,
    requestId: requests.body.items[0]!.id,
    ...(await bookAsStranger(api)),
    pixId: await arrivePix(api),
  };
}

/**
 * Records a plan, a location, a service, a student with credits, a done session, a task in a list, a transaction, a partly paid charge,
 * a series, a vacation, a holiday and a contract. Uses only commands, which need no worker.
 */
export async function recordADay(
  api: Client,
): Promise<Omit<Day, 'requestId' | 'visitId' | 'waitId' | 'pixId'>> {
  const date = (days: number) => dayOf(addDays(new Date(), days));
  const [plan, location, service] = await Promise.all([
    api.post('/plans', { nome: 'Mensal 8', valor: 48_000, creditos: 8, validade_dias: 60 }),
    api.post('/locations', { nome: said.local, endereco: 'Rua das Flores, 12' }),
    api.post('/services', { nome: said.local, duracao_min: 60 }),
  ]);
  const student = await api.post('/students', {
    nome: said.nome,
    whatsapp: said.telefone,
    email: said.email,
    plano_id: plan.body.id,
    observacoes: said.observacoes,
  });
  const studentId = student.body.id;
  await api.put(`/students/${studentId}/tags`, { etiquetas: [said.etiqueta] });
  const note = await api.post(`/students/${studentId}/notes`, { dia: date(0), texto: said.observacoes });
  const payer = await api.post('/payers', {
    nome: said.nome,
    documento: '111.444.777-35',
    whatsapp: said.telefone,
    email: said.email,
    student_id: studentId,
  });
  const renewal = await api.post<Renewed>(`/students/${studentId}/credits/renew`);
  await api.put(`/students/${studentId}/pause`, { ate: date(3) });
  await api.post(`/students/${studentId}/credits/adjust`, { quantidade: 2, motivo: said.motivo });
  const inicio = addDays(new Date(), -1);
  const session = await api.post('/sessions', {
    student_id: studentId,
    location_id: location.body.id,
    service_id: service.body.id,
    inicio: inicio.toISOString(),
    fim: addHours(inicio, 1).toISOString(),
    observacoes: said.observacoes,
  });
  await api.post(`/sessions/${session.body.id}/complete`);
  await api.post(`/students/${studentId}/area-link`);
  await api.delete(`/students/${studentId}/area-link`);
  await api.post(`/students/${studentId}/area-link`);
  const list = await api.post('/task-lists', { nome: said.tarefa });
  const task = await api.post('/tasks', {
    titulo: said.tarefa,
    descricao: said.observacoes,
    list_id: list.body.id,
    data_vencimento: '2030-11-30',
    repeticao: 'semanalmente',
  });
  const transaction = await api.post('/transactions', {
    tipo: 'receita',
    descricao: said.descricao,
    valor: 48_000,
    metodo_pagamento: 'pix',
    data: dayOf(),
  });
  await api.put('/settings/receipts', {
    nome: said.nome,
    documento: '111.444.777-35',
    cref: '012345-G/SP',
    cidade: 'São Paulo',
  });
  await api.post(`/transactions/${transaction.body.id}/receipt`, {
    nome: said.nome,
    cpf: '529.982.247-25',
    descricao: said.descricao,
    de: '2026-11-01',
    ate: '2026-11-30',
  });
  const expense = await api.post('/recurring-expenses', {
    descricao: said.descricao,
    valor: 12_000,
    metodo_pagamento: 'pix',
    categoria: 'academia',
    vence_dia: 10,
    desde: '2030-01-01',
    ate: null,
  });
  const charge = await api.post('/charges', {
    student_id: studentId,
    plano_id: plan.body.id,
    descricao: said.descricao,
    valor: 48_000,
    vencimento: dayOf(addDays(new Date(), 4)),
  });
  const payment = await api.post<{ id: string; payment_id: string }>(`/charges/${charge.body.id}/payments`, {
    valor: 10_000,
    data: dayOf(),
    metodo_pagamento: 'pix',
  });
  await api.put('/settings/pix', {
    tipo: 'email',
    chave: said.email,
    nome: 'Zuleika Q',
    cidade: 'São Paulo',
  });
  await api.put('/charge-terms', {
    multa: 200,
    juros: 100,
    carencia_dias: 0,
    desconto_valor: 0,
    desconto_percentual: 0,
    desconto_dias: 0,
  });
  await api.post('/settings/pix/webhook/secret');
  await api.post('/general-terms/acceptance', { versao: TERMS_VERSION });
  await api.put('/integrity/mail', { ativo: true });
  // Book the dates even if they are holidays.
  const dates = [date(60), date(67)];
  const series = await api.post('/series', {
    student_id: studentId,
    location_id: location.body.id,
    observacoes: said.observacoes,
    data: dates[0],
    dias: [new Date(dates[0]!).getUTCDay()],
    intervalo: 1,
    vezes: 2,
    hora: '05:00',
    duracao: 60,
    mesmo_assim: dates,
  });
  const lesson = await api.post('/sessions', {
    student_id: studentId,
    location_id: location.body.id,
    permitir_conflito: true,
    inicio: addDays(inicio, 80).toISOString(),
    fim: addHours(addDays(inicio, 80), 1).toISOString(),
  });
  const opened = await api.put(`/sessions/${lesson.body.id}/class`, { ...openClass, escopo: 'so_esta' });
  const [vacation, holiday] = [
    await api.post('/vacations', { start_date: date(40), end_date: date(45), description: said.ferias }),
    await api.post('/holidays', { nome: said.feriado, data: date(20), anual: true }),
  ];
  const contract = await api.post('/contracts', {
    titulo: said.contrato,
    conteudo: '<p>{{aluno}}, {{plano}}</p>',
  });
  const imported = await api.post('/student-imports', {
    import_id: randomUUID(),
    linhas: [
      {
        linha: 1,
        aluno: { nome: said.nome, whatsapp: said.telefone },
        saldo: [{ quantidade: 2, expira_em: date(90) }],
      },
    ],
  });
  return {
    planId: plan.body.id,
    serviceId: service.body.id,
    locationId: location.body.id,
    studentId,
    noteId: note.body.id,
    payerId: payer.body.id,
    sessionId: session.body.id,
    transactionId: transaction.body.id,
    taskId: task.body.id,
    taskListId: list.body.id,
    vacationId: vacation.body.id,
    holidayId: holiday.body.id,
    chargeId: charge.body.id,
    lotId: renewal.body.lot_id,
    expenseId: expense.body.id,
    paymentId: payment.body.payment_id,
    seriesId: series.body.id,
    classId: opened.body.id,
    contractId: contract.body.id,
    importId: imported.body.id,
  };
}

/** A visitor books a time by day; another one joins the waitlist for evenings. */
async function bookAsStranger(api: Client): Promise<Pick<Day, 'visitId' | 'waitId'>> {
  // After this read of the trainer, the location is projected, so the public page has it too.
  await api.get('/locations');
  const { slug } = (await api.get<PublicLink>('/public-link')).body;
  const { locais, horarios } = (await api.get<PublicPage>(`/public/pages/${slug}`)).body;
  const who = { nome: said.visitante, whatsapp: said.telefone, email: said.email, consentimento: 1 };
  const { inicio } = horarios.at(-1)!;
  const where = { slug, location_id: locais[0]!.id };
  const visit = await api.post('/public/bookings', { ...who, ...where, inicio });
  const [de, ate] = [1, 3].map((days) => dayOf(addDays(new Date(), days)));
  const wish = await api.post('/public/waitlist', { ...who, ...where, de, ate, periodos: ['noite'] });
  return { visitId: visit.body.id, waitId: wish.body.id };
}
