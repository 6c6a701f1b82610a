// `npm run demo`: fills a running instance (RENDE_URL, http://localhost:3000 by default) with a trainer and a year of
// plausible data, only through the public HTTP API. Each run creates another trainer. `--every n`: creates only every n-th
// student and transaction.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fail } from '../start/expected-error.mjs';
import { Api } from './api.mjs';
import { inventTimeOff, nextSaturday, week } from './availability.mjs';
import {
  agreed,
  chargeTerms,
  charges,
  contract,
  expenses,
  details,
  known,
  locations,
  makeUps,
  onboarding,
  pixKey,
  plans,
  services,
  quarterlyPlan,
  receiptIssuer,
  revisedContract,
  signers,
  ways,
} from './business.mjs';
import { Chance } from './chance.mjs';
import { calendarDay, inventLife } from './life.mjs';
import { publicLink, visitors, waiting } from './visitors.mjs';
import { newAccount } from './people.mjs';
import { inventTasks, lists } from './tasks.mjs';

const SEED = 2026;
/** How many students have an account. */
const STUDENT_ACCOUNTS = 2;
/** How many students attend the class on Saturdays at any time. */
const CLASS_STUDENTS = 6;
/** Fees and sessions without a credit that are older than this are paid. */
const SETTLED_DAYS = 21;
/** Price of a session without a plan, in cents. */
const LESSON = 9_000;

const monthly = expenses
  .filter(({ recurring }) => recurring)
  .map(({ descricao, categoria, low, day }) => ({
    descricao,
    categoria,
    valor: low,
    vence_dia: day,
    metodo_pagamento: 'pix',
    desde: dayFromNow(0),
    ate: null,
  }));

const { values } = parseArgs({ options: { every: { type: 'string', default: '1' } } });
const isChosen = (_, index) => index % Number(values.every) === 0;

/** How many steps of the students' past are recorded. */
let lived = 0;
const api = new Api(process.env.RENDE_URL || 'http://localhost:3000');
try {
  await fill();
} catch (error) {
  process.stdout.write('\n');
  fail(error);
  process.exit();
}

async function fill() {
  const started = performance.now();
  const account = newAccount('Marina Demonstração');
  await api.signUp(account);
  await api.write('POST', '/onboarding', onboarding);

  const { students, transactions } = inventLife(new Chance(SEED), Date.now(), plans);
  const life = { students: students.filter(isChosen), transactions: transactions.filter(isChosen) };
  const tasks = inventTasks(Date.now()).filter(isChosen);
  const stopShowing = showProgress(life.students.flatMap(({ steps }) => steps).length);
  const [planIds, locationIds, fit, duo, online] = await Promise.all([
    Promise.all(plans.map((plan) => create('/plans', plan))),
    Promise.all(locations.map(openLocation)),
    create('/services', services.fit),
    create('/services', services.duo),
    create('/services', services.online),
    create('/services', services.lesson),
  ]);
  for (const { from, to, minutos } of ways)
    await api.write('PATCH', `/locations/${locationIds[from]}`, {
      deslocamentos: [{ location_id: locationIds[to], minutos }],
    });
  await api.write('PUT', '/settings/pix', pixKey);
  await api.write('PUT', '/charge-terms', chargeTerms);
  await api.write('PUT', '/settings/make-up', makeUps);
  await api.write('POST', '/general-terms/acceptance', { versao: '2025-01-31' });
  const registered = life.students.map((student, index) => register(student, planIds, index));
  const idsByName = new Map(life.students.map(({ person }, index) => [person.nome, registered[index]]));
  const present = (ids) => ids.filter((_, index) => !life.students[index].person.archived);
  // Signed first, so that what is charged and cancelled leads to its clauses.
  await sendContract(present(await Promise.all(registered)));
  const [studentIds, ...entryIds] = await Promise.all([
    Promise.all(
      life.students.map((student, index) => live(student, registered[index], planIds, locationIds, index)),
    ),
    ...life.transactions.map(({ person, ...transaction }) =>
      record(transaction, person && (idsByName.get(person.nome) ?? registered[0])),
    ),
    planTasks(tasks),
  ]);
  const groups = sharedHours(life.students, studentIds, locationIds);
  for (const group of groups) await api.write('POST', '/sessions/groups', { ...group, service_id: duo });
  await assess(present(studentIds), fit, locationIds[0]);
  await meetOnline(present(studentIds), online);
  // After the sessions, because blocked times refuse sessions.
  await takeTimeOff(inventTimeOff(Date.now()));
  let recurring = 0;
  for (const [index, { person, weekly }] of life.students.entries())
    for (const wanted of weekly)
      recurring += await repeat({
        student_id: studentIds[index],
        location_id: locationIds[person.location],
        ...wanted,
      });
  const active = present(studentIds);
  if (active.length >= CLASS_STUDENTS)
    recurring += await holdClass(active.slice(-CLASS_STUDENTS), locationIds[0]);
  await receiveVisitors();
  await shareCalendar();
  const wrong = life.transactions.findLastIndex(({ tipo, reversed }) => tipo === 'despesa' && !reversed);
  await correct(entryIds[wrong].id, life.transactions[wrong]);
  await api.write('POST', '/integrity/checks');
  await api.write('PUT', '/integrity/mail', { ativo: true });
  await api.write('PUT', '/settings/receipts', receiptIssuer);
  for (const expense of monthly) await create('/recurring-expenses', expense);
  await transfer(active);
  await shareCredits(active);
  await collectLate(active);
  await payByQuarter(active[4], planIds[quarterlyPlan]);
  const payer = await payForOthers(active, life.students);
  await pauseLast(active);
  await mergeSecondRecord(active);
  await deliverLastMonth(active);
  const logins = [];
  for (const [n, id] of active.slice(0, STUDENT_ACCOUNTS).entries()) {
    const { nome } = life.students[studentIds.indexOf(id)].person;
    // Another number than the register's, about which the trainer is asked.
    logins.push(await openAccount(id, n === 0 ? { nome, telefone: '(11) 97777-0142' } : { nome }));
  }
  if (logins.length > 0) await enterClass(logins, active);
  const [, , third] = active;
  if (payer) await joinFamily(logins.at(-1), payer);
  const area = third && (await api.write('POST', `/students/${third}/area-link`)).url;
  if (third) await giveReceipt(third, life.students[studentIds.indexOf(third)].person);
  stopShowing();

  const single = life.students.flatMap(({ steps }) => steps).filter(({ kind }) => kind === 'session').length;
  const sessions = single + recurring + groups.flatMap(({ student_ids }) => student_ids).length;
  const seconds = ((performance.now() - started) / 1000).toFixed(1).replace('.', ',');
  console.log(
    `Alunos: ${life.students.length}. Sessões: ${sessions}. Transações: ${life.transactions.length}. Tempo: ${seconds} s.`,
  );
  console.log(`Entre com\n  e-mail  ${account.email}\n  senha   ${account.password}`);
  for (const { nome, email, password } of logins) console.log(`Aluno ${nome}: ${email} / ${password}`);
  if (area) console.log(`Área de um aluno sem conta: ${area}`);
}

/** Assesses two students: one yesterday, who is still to be charged for it, and one tomorrow. */
async function assess([first, second], service_id, location_id) {
  if (!second) return;
  const at = (days) => {
    const inicio = new Date(`${dayFromNow(days)}T14:00:00-03:00`);
    const fim = new Date(inicio.getTime() + 30 * 60_000);
    return { inicio: inicio.toISOString(), fim: fim.toISOString(), permitir_conflito: true };
  };
  const done = await create('/sessions', { student_id: first, service_id, location_id, ...at(-1) });
  await api.write('POST', `/sessions/${done}/complete`);
  await create('/sessions', { student_id: second, service_id, location_id, ...at(1) });
}

/** Meets the student with an account online, in three days. */
async function meetOnline([student_id], service_id) {
  if (!student_id) return;
  const inicio = new Date(`${dayFromNow(3)}T19:00:00-03:00`);
  const fim = new Date(inicio.getTime() + 45 * 60_000);
  const times = { inicio: inicio.toISOString(), fim: fim.toISOString(), permitir_conflito: true };
  await create('/sessions', { student_id, service_id, ...times });
}

/** Transfers credits from the first student who has enough to the next one. */
async function transfer(students) {
  const index = await firstWithCredits(students.slice(0, -1));
  if (index < 0) return;
  const wanted = { para: students[index + 1], quantidade: 1, motivo: 'Mesma família' };
  await api.write('POST', `/students/${students[index]}/credits/transfer`, wanted);
}

async function firstWithCredits(students) {
  for (const [index, id] of students.entries()) {
    if ((await api.read(`/students/${id}/credits?limit=1`)).saldo >= 4) return index;
  }
  return -1;
}

/** Somebody of the household of the first student who has enough credits uses them too, and has come yesterday. */
async function shareCredits(students) {
  const id = students[await firstWithCredits(students)];
  if (!id) return;
  const name = (await api.read(`/students/${id}`)).nome.split(' ').at(-1);
  const other = await create('/students', { nome: `Paula ${name}`, whatsapp: '(11) 97777-0195' });
  await api.write('PUT', `/students/${other}/credits/sharing`, { dono_id: id });
  const inicio = new Date(`${dayFromNow(-1)}T13:00:00-03:00`);
  const fim = new Date(inicio.getTime() + 60 * 60_000);
  const times = { inicio: inicio.toISOString(), fim: fim.toISOString(), permitir_conflito: true };
  const done = await create('/sessions', { student_id: other, ...times });
  await api.write('POST', `/sessions/${done}/complete`);
}

/**
 * Marks the last month as handed to the accountant. After that an expense of it is recorded, a part of what a student paid in it is
 * refunded, one of its charges is cancelled, and another gets a discount.
 */
async function deliverLastMonth(students) {
  const month = calendarDay(Date.parse(`${dayFromNow(0).slice(0, 7)}-01T12:00:00Z`) - 86_400_000).slice(0, 7);
  const issued = [];
  for (const [at, student_id] of students.slice(0, 3).entries()) {
    const terms = { descricao: 'Avaliação física', valor: 15_000, vencimento: `${month}-${at + 11}` };
    issued.push(await create('/charges', { student_id, ...terms }));
  }
  const [paid, mistaken, reduced] = issued;
  const payment = { valor: 15_000, data: `${month}-11`, metodo_pagamento: 'pix' };
  const done = paid && (await api.write('POST', `/charges/${paid}/payments`, payment));
  await api.write('PUT', `/finance/months/${month}/delivery`);
  const back = { valor: 5_000, valor_atual: 15_000, creditos: 0, motivo: 'Faltou a bioimpedância' };
  if (done) await api.write('POST', `/charges/${paid}/payments/${done.payment_id}/refund`, back);
  if (mistaken) await api.write('POST', `/charges/${mistaken}/cancel`);
  if (reduced) await api.write('PATCH', `/charges/${reduced}`, { valor: 12_000 });
  const late = { descricao: 'Elásticos e colchonetes', categoria: 'equipamentos', data: `${month}-20` };
  await create('/transactions', { ...late, tipo: 'despesa', valor: 12_000, metodo_pagamento: 'pix' });
}

/** Merges a second record of the last but one student, from another phone, into the first. */
async function mergeSecondRecord(students) {
  const id = students.at(-2);
  if (!id) return;
  const com = await create('/students', { nome: 'Aluno do link', whatsapp: '(11) 97777-0188' });
  await api.write('POST', `/students/${id}/merge`, { com });
}

/**
 * Charges of the first three students: one that was paid late with fine and interest, one that is overdue, and one with a discount until
 * five days before it is due.
 */
async function collectLate([payer, debtor, early]) {
  if (!early) return;
  const fit = { descricao: 'Avaliação postural', valor: 15_000, vencimento: dayFromNow(-15) };
  const id = await create('/charges', { student_id: payer, ...fit });
  // 2% of fine, and interest of 15 days.
  const payment = { valor: fit.valor + 300 + 75, data: dayFromNow(0), metodo_pagamento: 'pix' };
  await api.write('POST', `/charges/${id}/payments`, payment);
  await create('/charges', { student_id: debtor, ...fit });
  const discount = { desconto_percentual: 500, desconto_dias: 5 };
  await api.write('PUT', '/charge-terms', { ...chargeTerms, ...discount });
  await create('/charges', { student_id: early, ...fit, vencimento: dayFromNow(12) });
  await api.write('PUT', '/charge-terms', chargeTerms);
}

/** A student goes on with the plan of three months, due on the last day of the month. */
async function payByQuarter(id, plano_id) {
  if (!id) return;
  const { valor } = plans[quarterlyPlan];
  const mensalidade = { valor, desde: dayFromNow(0), ate: null, vence_dia: 31 };
  await api.write('PATCH', `/students/${id}`, { plano_id, mensalidade });
}

/**
 * A mother pays for the second student and the fourth one, whose areas her account has too. She paid what fell due first at once, with one
 * receipt, and then a part of the rest; a company pays for the sixth.
 */
async function payForOthers([, second, , fourth, , sixth], [, { person }]) {
  if (!fourth) return undefined;
  const mother = { nome: `Carla ${person.nome.split(' ').at(-1)}`, documento: '529.982.247-25' };
  const contact = { whatsapp: '(11) 97777-0190', email: 'carla@example.com' };
  const payer_id = await create('/payers', { ...mother, ...contact, student_id: second });
  await api.write('PUT', `/students/${fourth}/payer`, { payer_id });
  const data = dayFromNow(0);
  const assessment = { student_id: fourth, descricao: 'Avaliação física', valor: 12_000, vencimento: data };
  await create('/charges', assessment);
  await create('/charges', { ...assessment, descricao: 'Consultoria', vencimento: dayFromNow(10) });
  const pay = (valor) =>
    api.write('POST', `/payers/${payer_id}/payments`, { valor, data, metodo_pagamento: 'pix' });
  const { itens } = await api.read(`/payers/${payer_id}/bill`);
  await pay(itens.slice(0, 3).reduce((sum, { hoje }) => sum + hoje.total, 0));
  const { pagamentos } = await api.read(`/payers/${payer_id}/bill`);
  const receipt = `/transactions/${pagamentos[0].transaction_id}/receipt`;
  await api.write('POST', receipt, (await api.read(receipt)).sugestao);
  await pay(10_000);
  const company = { nome: 'Padaria do Bairro Ltda', documento: '11.222.333/0001-81' };
  if (sixth) await create('/payers', { ...company, whatsapp: '(11) 3222-0191', student_id: sixth });
  return payer_id;
}

/** Pauses the last student for three weeks. */
async function pauseLast(students) {
  const id = students.at(-1);
  if (!id) return;
  await api.write('PUT', `/students/${id}/pause`, { ate: dayFromNow(20) });
}

async function create(path, body) {
  return (await api.write('POST', path, body)).id;
}

async function openLocation({ policy, ...location }) {
  const id = await create('/locations', location);
  if (policy) await api.write('PUT', `/locations/${id}/policy`, policy);
  return id;
}

/** How a student's last renewal is charged after it; null or undefined: it was paid at once. */
function chargeOf({ person: { plan, archived } }, index) {
  return plan === null || archived ? null : charges[index % charges.length];
}

/** Creates the charge of a student's last renewal: some are open, overdue, paid or partly paid. */
async function charge(student_id, plano_id, plan, kind) {
  // A monthly student's next charge is of the agreement.
  const days = plan.tipo === 'mensal' ? Math.min(kind.vence, 0) : kind.vence;
  const terms = { descricao: plan.nome, valor: plan.valor, vencimento: dayFromNow(days) };
  const id = await create('/charges', { student_id, plano_id, creditos_ja_concedidos: true, ...terms });
  if (kind.pago === undefined) return;
  const valor = Math.round(plan.valor * kind.pago);
  await api.write('POST', `/charges/${id}/payments`, { valor, data: dayFromNow(0), metodo_pagamento: 'pix' });
}

function dayFromNow(days) {
  return calendarDay(Date.now() + days * 86_400_000);
}

/** The hours that two students share, and one hour of three students. */
function sharedHours(students, ids, locationIds) {
  const duos = students.flatMap(({ person, shared }, index) => {
    const other = students.findIndex((one, at) => at > index && one.person.hours === person.hours);
    if (other === -1) return [];
    const location_id = locationIds[person.location];
    return shared.map((times) => ({ student_ids: [ids[index], ids[other]], ...times, location_id }));
  });
  const trio = { student_ids: ids.slice(0, 3), ...nextSaturday(Date.now()), location_id: locationIds[0] };
  return [...duos, trio];
}

/** Books a series, without the dates that have conflicts. Returns how many sessions were created. */
async function repeat(wanted, pular = []) {
  try {
    return (await api.write('POST', '/series', { ...wanted, pular })).sessoes;
  } catch (error) {
    if (error.problem?.code !== 'series.agenda_changed' || pular.length > 0) throw error;
    return repeat(wanted, error.problem.datas);
  }
}

/**
 * Books a class on Saturdays from the week after next on: five students begin, one of them leaves after two weeks, and
 * another takes their place. There is one more seat, which students take by themselves. Returns how many sessions were created.
 */
async function holdClass([first, second, third, fourth, leaving, joining], location_id) {
  const data = dayAfter(calendarDay(Date.parse(nextSaturday(Date.now()).inicio)), 7);
  const hours = { data, dias: [6], intervalo: 1, vezes: 8, hora: '12:00', duracao: 60 };
  const wanted = {
    student_id: first,
    outros_alunos: [second, third, fourth, leaving],
    location_id,
    ...hours,
  };
  const begun = await repeat(wanted);
  const from = new Date(`${dayAfter(data, 14)}T00:00:00Z`).toISOString();
  const { id } = await firstSession(leaving, from);
  await api.write('POST', `/sessions/${id}/series/delete`, { escopo: 'proximas' });
  const other = await firstSession(second, from);
  await api.write('PUT', `/sessions/${other.id}/class`, {
    escopo: 'todas',
    aberta: true,
    nome: 'Funcional',
    vagas: 6,
    ate_horas: 2,
    minimo_alunos: 3,
    minimo_horas: 2,
  });
  const change = { escopo: 'proximas', student_ids: [joining] };
  return begun + (await api.write('POST', `/sessions/${other.id}/series/students`, change)).sessoes;
}

/** The student's first session of the class, once it is projected. */
async function firstSession(student_id, from) {
  const { items } = await api.read(`/sessions?student_id=${student_id}&from=${from}&limit=20`);
  const found = items.find(({ serie_id, grupo_id }) => serie_id !== null && grupo_id !== null);
  if (found) return found;
  await delay(200);
  return firstSession(student_id, from);
}

function dayAfter(day, days) {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

function register({ person: { nome, whatsapp, email, observacoes, plan } }, planIds, index) {
  const plano_id = plan === null ? null : planIds[plan];
  const mensalidade = agreementOf(plans[plan]);
  return create('/students', {
    nome,
    whatsapp,
    email,
    observacoes,
    plano_id,
    mensalidade,
    ...details(index, dayFromNow(0)),
  });
}

/** A monthly plan comes with its agreement. */
function agreementOf(plan) {
  if (plan?.tipo !== 'mensal') return undefined;
  return { valor: plan.valor, desde: dayFromNow(0), ate: null, vence_dia: 5 };
}

/** Sends one student's steps in order, because what a session costs depends on the credits before it. */
async function live(student, registered, planIds, locationIds, index) {
  const { person, steps } = student;
  const { plan, location } = person;
  const id = await registered;
  const charged = chargeOf(student, index);
  const unpaid = charged && steps.findLast(({ kind }) => kind === 'renew');
  for (const each of steps) {
    const { kind, ...step } = each;
    if (each === unpaid) await api.write('POST', `/students/${id}/credits/renew`);
    else if (kind === 'renew') await api.write('POST', `/students/${id}/credits/renew/payment`, step);
    else if (kind === 'adjust') await api.write('POST', `/students/${id}/credits/adjust`, step);
    else await hold(step, id, locationIds[location]);
    lived += 1;
  }
  const { tags, notes } = known(index);
  if (tags.length > 0) await api.write('PUT', `/students/${id}/tags`, { etiquetas: tags });
  for (const { days, texto } of notes)
    await api.write('POST', `/students/${id}/notes`, { dia: dayFromNow(-days), texto });
  if (person.archived) await api.write('POST', `/students/${id}/archive`);
  if (charged) await charge(id, planIds[plan], plans[plan], charged);
  return id;
}

async function hold({ inicio, fim, duo, status, motivo, aplicar_politica }, student_id, location_id) {
  const permitir_conflito = duo;
  const id = await create('/sessions', { student_id, inicio, fim, location_id, permitir_conflito });
  if (status === 'agendada') return;
  const outcome =
    status === 'feita'
      ? await api.write('POST', `/sessions/${id}/complete`, {})
      : await api.write('POST', `/sessions/${id}/cancel`, { motivo, aplicar_politica });
  await settle(outcome, id, student_id, inicio);
}

/** Issues the receipt of the student's last payment, which the link to the student's area opens. */
async function giveReceipt(student, { nome }) {
  const [{ id, data, descricao }] = (await api.read(`/students/${student}/payments?limit=1`)).items;
  const receipt = { nome, cpf: '111.444.777-35', descricao };
  await api.write('POST', `/transactions/${id}/receipt`, { ...receipt, de: data, ate: data });
}

/** Records an entry; a registered student's is a charge with its payment. */
async function record({ reversed, ...transaction }, registered) {
  if (registered) {
    const student_id = await registered;
    const { descricao, valor, data, metodo_pagamento } = transaction;
    const id = await create('/charges', { student_id, descricao, valor, vencimento: data });
    await api.write('POST', `/charges/${id}/payments`, { valor, data, metodo_pagamento });
    return { id };
  }
  const id = await create('/transactions', { ...transaction, student_id: null });
  if (reversed) {
    await api.write('POST', `/transactions/${id}/reverse`, { motivo: 'Lançado em dobro' });
  }
  return { id };
}

/** Corrects an expense with a wrong amount. */
async function correct(id, { reversed: _reversed, person: _person, ...entry }) {
  const right = { ...entry, valor: entry.valor + 1_000, motivo: 'Valor digitado errado' };
  await api.write('POST', `/transactions/${id}/correct`, right);
}

/** Charges an old session that no credit paid, or takes the charge of its fee, and records the payment. */
async function settle({ sem_credito, taxa }, session_id, student_id, inicio) {
  const begun = new Date(inicio).getTime();
  if ((!sem_credito && taxa === 0) || begun > Date.now() - SETTLED_DAYS * 86_400_000) return;
  const data = calendarDay(begun);
  const lesson = { student_id, session_id, descricao: 'Sessão avulsa', valor: LESSON, vencimento: data };
  const { id, valor } =
    taxa > 0 ? await feeOf(session_id, data) : { id: await create('/charges', lesson), valor: LESSON };
  await api.write('POST', `/charges/${id}/payments`, { valor, data, metodo_pagamento: 'pix' });
}

/** The charge of a session's fee once it is listed, due when the session was. */
async function feeOf(session_id, vencimento) {
  for (;;) {
    const { items } = await api.read(`/charges?session_id=${session_id}`);
    if (items.length === 0) await delay(50);
    else {
      await api.write('PATCH', `/charges/${items[0].id}`, { vencimento });
      return items[0];
    }
  }
}

/** Creates tasks one after the other, because their order is that of their creation. */
async function planTasks(tasks) {
  const listIds = [];
  for (const list of lists) listIds.push(await create('/task-lists', list));
  for (const { list, isDone, body } of tasks) {
    const id = await create('/tasks', { ...body, list_id: list === null ? null : listIds[list] });
    if (isDone) await api.write('POST', `/tasks/${id}/complete`);
  }
}

async function takeTimeOff({ exception: { data, horarios }, vacation, holiday }) {
  await api.write('PUT', '/availability', { horarios: week });
  await api.write('PUT', `/availability/exceptions/${data}`, { horarios });
  await api.write('POST', '/vacations', vacation);
  await api.write('POST', '/holidays', holiday);
}

/** Sends a contract to these students: some sign it, one declines, others do nothing. Then the contract gets a version 2. */
async function sendContract(alunos) {
  const id = await create('/contracts', contract);
  if (alunos.length > 0) {
    await api.write('POST', `/contracts/${id}/send`, { alunos, canal: 'link' });
    const requests = await sentRequests(id);
    for (const [at, { student_nome, url }] of requests.slice(0, signers.length).entries())
      await answerContract(url.split('/').at(-1), student_nome, signers[at]);
  }
  await api.write('PATCH', `/contracts/${id}`, { conteudo: revisedContract });
}

/** The contract's signature requests, once they are projected. */
async function sentRequests(id) {
  const { items } = await api.read(`/contracts/${id}/requests`);
  if (items.length > 0) return items;
  await delay(200);
  return sentRequests(id);
}

/** Answers a signature request through its link. */
async function answerContract(token, nome, { cpf, withdraws, motivo }) {
  const step = (name, body) => api.write('POST', `/signature-links/${name}`, { token, ...body });
  await step('open');
  if (motivo) await step('decline', { motivo });
  if (!cpf) return;
  await step('sign', { nome, cpf, telefone: '(11) 97777-0000', ...agreed });
  if (withdraws) await step('withdraw', { cpf });
}

/** Creates a student's account by invite, the student's request about the next session, and a charge with a notification. */
async function openAccount(id, person) {
  const { inviteUrl } = await api.write('POST', `/students/${id}/invites`);
  const { nome } = person;
  const login = { ...newAccount(nome), data: { ...person, convite: inviteUrl.split('/').at(-1) } };
  const student = new Api(process.env.RENDE_URL || 'http://localhost:3000');
  await student.signUp(login);
  const [next] = (await student.read('/student/sessions')).items;
  if (next)
    await student.write('POST', `/student/sessions/${next.id}/request`, { motivo: 'Consulta no dentista' });
  const charged = { descricao: 'Avaliação física', valor: 12_000, vencimento: dayFromNow(7) };
  await create('/charges', { student_id: id, ...charged });
  await student.write('PUT', '/student/calendar-feed');
  return { nome, student, ...login };
}

/** The first student takes the last seat of the class on Saturdays; the others wait for one. All get credits for it. */
async function enterClass(logins, studentIds) {
  for (const [n, { student }] of logins.entries()) {
    const { turmas } = await student.read('/student/free-times');
    const hour = turmas.items.find(({ minha }) => !minha);
    if (!hour) continue;
    const credit = { quantidade: 8, motivo: 'Pacote de aulas em turma' };
    await api.write('POST', `/students/${studentIds[n]}/credits/adjust`, credit);
    const step = n === 0 ? 'book' : 'wait';
    await student.write('POST', `/student/classes/${hour.id}/${step}`, { inicio: hour.inicio });
  }
}

/** The account of a student is that of who pays for them too: one invite gives it the others whom they pay for. */
async function joinFamily({ student }, payerId) {
  const { inviteUrl } = await api.write('POST', `/payers/${payerId}/invites`);
  await student.write('POST', '/invites/accept', { token: inviteUrl.split('/').at(-1) });
}

async function shareCalendar() {
  await api.write('PUT', '/calendar-feed', { com_nomes: true });
}

function payNow({ id, pedido: valor }) {
  return api.write('POST', `/charges/${id}/payments`, {
    valor,
    data: dayFromNow(0),
    metodo_pagamento: 'pix',
  });
}

/** A visitor's booking, once it is projected. */
async function projectedVisit(id) {
  const found = (await api.read('/visits')).items.find((visit) => visit.id === id);
  if (found) return found;
  await delay(200);
  return projectedVisit(id);
}

/** Books at the first of the locations where the time is free: those that the page shows are free at one at least. */
async function bookWhereFree([{ id: location_id, porta }, ...others], wanted) {
  try {
    return await api.write('POST', '/public/bookings', { ...wanted, location_id, porta });
  } catch (error) {
    if (others.length === 0 || error.problem?.code !== 'public.taken') throw error;
    return bookWhereFree(others, wanted);
  }
}

/** Creates visits, which the trainer has yet to confirm, and entries of the waitlist. */
async function receiveVisitors() {
  await api.write('PUT', '/public-link', publicLink);
  const { slug } = await api.read('/public-link');
  for (const [n, { pays, isDeclined, ...visitor }] of visitors.entries()) {
    const { locais, horarios, servicos } = await api.read(`/public/pages/${slug}`);
    const slot = horarios[Math.floor((horarios.length * (n + 1)) / (visitors.length + 1))];
    if (!slot) return;
    const wanted = { ...visitor, slug, service_id: servicos[0].id, inicio: slot.inicio, consentimento: 3 };
    const { id } = await bookWhereFree(locais, wanted);
    if (!pays) continue;
    await payNow((await projectedVisit(id)).cobranca);
    if (isDeclined) await api.write('POST', `/visits/${id}/decline`, { mensagem: 'Nesse dia viajo.' });
  }
  // At least a week ahead, so that the date is in the future in every time zone.
  const sunday = new Date(Date.now() + (14 - new Date().getUTCDay()) * 86_400_000).toISOString().slice(0, 10);
  const { locais, servicos } = await api.read(`/public/pages/${slug}`);
  const where = { slug, location_id: locais[0].id, service_id: servicos[0].id };
  const wish = { ...where, de: sunday, ate: sunday, consentimento: 2 };
  for (const person of waiting) await api.write('POST', '/public/waitlist', { ...person, ...wish });
}

/**
 * Shows how much of the students' past is recorded, which takes most of the time: one updated line on a terminal, otherwise a
 * line for each tenth. Returns a function that ends it.
 */
function showProgress(steps) {
  let tenths = 0;
  const show = () => {
    const done = lived / steps;
    const text = `Rende: aulas e créditos, ${lived} de ${steps} (${Math.floor(done * 100)} %)`;
    if (process.stdout.isTTY) process.stdout.write(`\r${text}`);
    else if (Math.floor(done * 10) > tenths) {
      tenths = Math.floor(done * 10);
      console.log(text);
    }
  };
  const timer = setInterval(show, 100);
  return () => {
    clearInterval(timer);
    show();
    if (process.stdout.isTTY) process.stdout.write('\n');
  };
}
