import { addDays, addHours, startOfDay, subDays } from 'date-fns';
import { agendaOf } from '../agenda/trainer.js';
import type { Trainer } from '../support/people.js';

const STUDENTS = 40;
const DAYS_AROUND = 7;
const SESSIONS_A_DAY = 7;
const TRANSACTIONS = 60;
/** In São Paulo 7:00. */
const FIRST_HOUR_UTC = 10;

/** A full agenda around today, a list of students that scrolls, and a month of money: as `npm run demo` makes them. */
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
        data: subDays(today, at % 20)
          .toISOString()
          .slice(0, 10),
      }),
    ),
  );
}
