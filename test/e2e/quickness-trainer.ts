import { randomUUID } from 'node:crypto';
import { addDays, addHours, startOfDay, subDays } from 'date-fns';
import { LINES_AT_ONCE } from '../../backend/modules/student-imports/student-imports.api.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf } from '../agenda/trainer.js';
import { seriesOf } from '../series/trainer.js';
import { dayOf } from '../support/clock.js';
import type { Trainer } from '../support/people.js';

const STUDENTS = 40;
const DAYS_AROUND = 7;
const SESSIONS_A_DAY = 7;
const TRANSACTIONS = 60;
/** 7:00 in São Paulo. */
const FIRST_HOUR_UTC = 10;

/** Creates a full agenda around today, a list of students that scrolls, and a month of transactions, like `npm run demo`. */
export async function keepBusy({ api }: Trainer): Promise<void> {
  const { plan, location, student, book, renew } = agendaOf(api);
  const planId = await plan({ nome: '2x por semana', valor: 56_000, creditos: 8 });
  const locationId = await location('Studio Vila Serena');
  const names = Array.from({ length: STUDENTS }, (_, at) => `Aluno Turma ${String(at + 1).padStart(2, '0')}`);
  const students = await Promise.all(names.map((nome) => student(nome, planId)));
  await Promise.all(students.filter((_, at) => at % 4 > 0).map(renew));
  const today = startOfDay(new Date());
  const slots = Array.from({ length: 2 * DAYS_AROUND * SESSIONS_A_DAY }, (_, at) => {
    const day = addDays(today, Math.floor(at / SESSIONS_A_DAY) - DAYS_AROUND);
    const inicio = addHours(day, FIRST_HOUR_UTC + (at % SESSIONS_A_DAY));
    return { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString(), location_id: locationId };
  });
  await Promise.all(slots.map((slot, at) => book({ ...slot, student_id: students[(at * 7) % STUDENTS] })));
  await Promise.all(
    Array.from({ length: TRANSACTIONS }, (_, at) =>
      api.post('/transactions', {
        tipo: at % 4 === 0 ? 'despesa' : 'receita',
        descricao: `Lançamento ${at + 1}`,
        valor: 8_000 + at * 1_000,
        metodo_pagamento: 'pix',
        data: dayOf(subDays(new Date(), at % 20)),
      }),
    ),
  );
}

/** The six weeks that the month view shows for March 2030. */
const CROWDED_FROM = '2030-02-24';
const CROWDED_DAYS = 42;
const HALF_HOURS = 48;

/** Books 2,016 sessions in the six weeks of the month view: one in every half hour, day and night. */
export async function crowd({ api }: Trainer): Promise<void> {
  const { student } = agendaOf(api);
  const students = await Promise.all(['Ana Souza', 'Bia Rocha', 'Caio Melo'].map((nome) => student(nome)));
  const dates = Array.from({ length: CROWDED_DAYS }, (_, at) =>
    addDays(new Date(`${CROWDED_FROM}T12:00:00Z`), at)
      .toISOString()
      .slice(0, 10),
  );
  for (let at = 0; at < HALF_HOURS; at += 1) {
    const hora = `${String(Math.floor(at / 2)).padStart(2, '0')}:${at % 2 ? '30' : '00'}`;
    await seriesOf(api).start({
      student_id: students[at % students.length],
      data: CROWDED_FROM,
      hora,
      duracao: 30,
      intervalo: 1,
      dias: [0, 1, 2, 3, 4, 5, 6],
      vezes: CROWDED_DAYS,
      mesmo_assim: dates,
    });
  }
}

const MANY_STUDENTS = 2000;

/** 2,000 students with and without credits, imported as from a file. */
export async function fillTheList({ api }: Trainer): Promise<void> {
  const import_id = randomUUID();
  for (let first = 1; first <= MANY_STUDENTS; first += LINES_AT_ONCE) {
    const linhas = Array.from({ length: LINES_AT_ONCE }, (_, n) => {
      const linha = first + n;
      const nome = `Aluno Turma ${String(linha).padStart(4, '0')}`;
      return {
        linha,
        aluno: { nome, whatsapp: `+55119${10_000_000 + linha}` },
        saldo: linha % 4 > 0 ? [{ quantidade: linha % 4, expira_em: null }] : [],
      };
    });
    await api.post('/student-imports', { import_id, linhas });
  }
}

/** A student of this trainer with an account, sessions, credits and a charge: its e-mail address and password. */
export async function ownAreaOf(app: { url: string }, trainer: Trainer) {
  const { api } = trainer;
  const { plan, location, student, book, renew } = agendaOf(api);
  const id = await student('Bia Lima', await plan({ creditos: 10 }));
  await renew(id);
  const location_id = await location('Studio Vila Serena');
  const first = addHours(startOfDay(new Date()), FIRST_HOUR_UTC);
  for (let at = 3; at < 8; at += 1) {
    const inicio = addDays(first, at);
    const times = { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString() };
    await book({ ...times, student_id: id, location_id });
  }
  const vencimento = addDays(first, 5).toISOString().slice(0, 10);
  await api.post('/charges', { student_id: id, descricao: 'Pacote', valor: 56_000, vencimento });
  const { person, password } = await studentAccount(app, trainer, id, 'Bia Lima');
  return { email: person.email, password };
}
