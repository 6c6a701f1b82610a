import { adjustments, duoPlan, expenses, extras, locations, plansByFrequency } from './business.mjs';
import { names, student } from './people.mjs';

const DAY = 86_400_000;
const WEEKS_BEFORE = 52;
const WEEKS_AFTER = 3;
/** São Paulo has been three hours behind UTC all year since 2019. */
const UTC_OFFSET_HOURS = 3;
const OPENING = { 1: [6, 20], 2: [6, 20], 3: [6, 20], 4: [6, 20], 5: [6, 20], 6: [7, 11] };
const LUNCH_HOUR = 12;
const BUSY_HOURS = new Set([6, 7, 8, 17, 18, 19]);

/** The students: in which weeks they join and leave, and how often they train. Without a plan, they pay each session. */
function cast(chance) {
  return names(chance, 40).map((nome, number) => {
    const left = number >= 34;
    // One comes less for three weeks, and one has not come for five.
    const [fades, gone] = [number === 24, number === 9];
    const joined = number < 17 ? 0 : left ? chance.whole(0, 12) : chance.whole(2, 46);
    const frequency = Number(chance.weighted({ 1: 4, 2: 5, 3: 1 }));
    const kind = number < 4 ? 'duo' : number >= 31 && number < 34 ? 'without plan' : 'single';
    return {
      ...student(chance, nome),
      kind,
      joined,
      left: left ? joined + chance.whole(12, 34) : WEEKS_BEFORE + (gone ? -5 : WEEKS_AFTER + 1),
      fades,
      archived: left,
      frequency: kind === 'duo' || fades ? 2 : frequency,
      plan:
        kind === 'duo'
          ? duoPlan
          : kind === 'single'
            ? chance.of(plansByFrequency[fades ? 2 : frequency])
            : null,
      location: chance.whole(0, locations.length - 1),
      // Most have fixed hours; the sessions of a few are booked one by one.
      fixed: kind === 'single' && !left && number % 3 > 0,
      // A few do not renew in time at the end, so there is no credit for their last sessions.
      forgetful: number >= 15 && number < 20,
    };
  });
}

/** Gives each student weekly hours that no other current student has; the students of a duo share theirs. */
function assignHours(chance, people) {
  const taken = new Map();
  const isFree = (hour, person) =>
    (taken.get(hour) ?? []).every(({ joined, left }) => person.joined >= left || person.left <= joined);
  const all = Object.entries(OPENING).flatMap(([day, [first, last]]) =>
    Array.from({ length: last - first + 1 }, (_, at) => ({ day: Number(day), hour: first + at })).filter(
      ({ hour }) => hour !== LUNCH_HOUR,
    ),
  );
  people.forEach((person, number) => {
    const partner = person.kind === 'duo' && number % 2 === 1 ? people[number - 1] : undefined;
    if (partner) {
      Object.assign(person, { hours: partner.hours, location: partner.location });
      return;
    }
    person.hours = [];
    const wished = chance
      .shuffled(all)
      .sort((a, b) => Number(BUSY_HOURS.has(b.hour)) - Number(BUSY_HOURS.has(a.hour)));
    for (const slot of wished) {
      if (person.hours.length === person.frequency) break;
      const key = `${slot.day} ${slot.hour}`;
      if (!isFree(key, person) || person.hours.some(({ day }) => day === slot.day)) continue;
      taken.set(key, [...(taken.get(key) ?? []), person]);
      person.hours.push(slot);
    }
    person.hours.sort((a, b) => a.day - b.day);
  });
}

/** How a session ended; `costs`: whether it uses a credit. */
function outcome(chance, person, start, now) {
  const { policy } = locations[person.location];
  if (start > now) {
    const inTime = start - now > 4 * DAY && chance.happens(0.04);
    return inTime
      ? { status: 'cancelada', motivo: 'aluno_no_prazo', aplicar_politica: true }
      : { status: 'agendada' };
  }
  const status = chance.weighted({
    feita: 87,
    personal: 3,
    aluno_no_prazo: 4,
    aluno_fora_do_prazo: 3,
    falta: 3,
  });
  if (status === 'feita') return { status, costs: true };
  const applies = ['aluno_fora_do_prazo', 'falta'].includes(status) && chance.happens(0.75);
  return {
    status: 'cancelada',
    motivo: status,
    ...(applies && { aplicar_politica: true }),
    costs: applies && (policy?.queima_credito ?? false),
  };
}

/**
 * All steps of one student in order, what was charged for sessions without a plan, and the hours from tomorrow on that are not booked one by
 * one: `weekly` as series, `shared` as groups.
 */
function biography(chance, person, { monday, now, plans, tomorrow }) {
  const steps = [];
  const income = [];
  const shared = [];
  const plan = person.plan === null ? null : plans[person.plan];
  let credits = 0;
  const buy = (at) => {
    if (plan) {
      steps.push({
        kind: 'renew',
        valor: plan.valor,
        data: calendarDay(at),
        metodo_pagamento: method(chance),
      });
      credits += plan.creditos;
    } else {
      steps.push({ kind: 'adjust', quantidade: 4, motivo: 'Quatro aulas avulsas pagas' });
      credits += 4;
      income.push({ at, valor: 36_000, descricao: 'Quatro aulas avulsas' });
    }
  };
  // Who was there from the beginning has credits left, so that not all of them renew in the first week.
  const had = plan && person.joined === 0 ? chance.whole(0, plan.creditos - 1) : 0;
  if (had > 0)
    steps.push({ kind: 'adjust', quantidade: had, motivo: 'Créditos que já tinha antes do Rende' });
  credits += had;
  for (let week = person.joined; week < Math.min(person.left, WEEKS_BEFORE + WEEKS_AFTER); week += 1) {
    for (const { day, hour } of person.hours) {
      const start = monday + (week * 7 + day - 1) * DAY + (hour + UTC_OFFSET_HOURS) * 3_600_000;
      if (isHoliday(start) || chance.happens(0.09)) continue;
      if (person.fades && start > now - 21 * DAY && start <= now) continue;
      if (start >= tomorrow && person.fixed) continue;
      if (start >= tomorrow && person.kind === 'duo') {
        const [inicio, fim] = [start, start + 3_600_000].map((at) => new Date(at).toISOString());
        shared.push({ inicio, fim });
        continue;
      }
      const forgets = person.forgetful && week > WEEKS_BEFORE - 5;
      if (credits === 0 && start <= now && !forgets) buy(start);
      const result = outcome(chance, person, start, now);
      if (result.costs && credits > 0) credits -= 1;
      steps.push({
        kind: 'session',
        inicio: new Date(start).toISOString(),
        fim: new Date(start + (chance.happens(0.15) ? 45 : 60) * 60_000).toISOString(),
        duo: person.kind === 'duo',
        ...result,
      });
    }
    if (week < WEEKS_BEFORE && credits > 0 && chance.happens(0.012)) {
      const adjustment = chance.of(adjustments);
      credits += adjustment.quantidade;
      steps.push({ kind: 'adjust', ...adjustment });
    }
  }
  return { person, steps, income, shared, weekly: person.fixed ? weeklyHours(person, tomorrow) : [] };
}

/** Weekly days with the same hour become one series. */
function weeklyHours({ hours }, tomorrow) {
  return [...new Set(hours.map(({ hour }) => hour))].map((hour) => ({
    data: calendarDay(tomorrow),
    hora: `${String(hour).padStart(2, '0')}:00`,
    duracao: 60,
    dias: hours.filter((one) => one.hour === hour).map(({ day }) => day),
    intervalo: 1,
  }));
}

/** No sessions from 24 December to 1 January, and on 1 May. */
function isHoliday(start) {
  const day = calendarDay(start).slice(5);
  return day >= '12-24' || day === '01-01' || day === '05-01';
}

/** The calendar date of an instant in São Paulo. */
export function calendarDay(instant) {
  return new Date(instant - UTC_OFFSET_HOURS * 3_600_000).toISOString().slice(0, 10);
}

function method(chance) {
  return chance.weighted({ pix: 7, cartao_credito: 2, dinheiro: 1 });
}

/** Entries by date; those with a `person` are charges that were paid on their due date. */
function bookkeeping(chance, income, people, now) {
  const first = now - WEEKS_BEFORE * 7 * DAY;
  const someDay = () => first + chance.next() * (now - first);
  const amount = ({ low, high }) => Math.round(chance.whole(low, high) / 100) * 100;
  const entry = (tipo, at, valor, { descricao, categoria = null, person = null }) => ({
    tipo,
    descricao,
    categoria,
    person,
    valor,
    metodo_pagamento: method(chance),
    data: calendarDay(at),
    reversed: chance.happens(0.012),
  });
  const months = Array.from({ length: 12 }, (_, back) => {
    const date = new Date(now);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1, 12);
  });
  const regular = expenses
    .filter(({ day }) => day)
    .flatMap((kind) =>
      months.map((month) => entry('despesa', month + (kind.day - 1) * DAY, amount(kind), kind)),
    );
  const irregular = (tipo, kinds) =>
    kinds
      .filter(({ perYear }) => perYear)
      .flatMap((kind) =>
        Array.from({ length: kind.perYear }, () =>
          entry(tipo, someDay(), amount(kind), {
            ...kind,
            person: tipo === 'receita' ? chance.of(people) : null,
          }),
        ),
      );
  const today = calendarDay(now);
  return [
    ...income.map(({ at, valor, ...about }) => entry('receita', at, valor, about)),
    ...regular,
    ...irregular('despesa', expenses),
    ...irregular('receita', extras),
  ]
    .filter(({ data }) => data <= today)
    .sort((a, b) => a.data.localeCompare(b.data));
}

/** A trainer's year before `now` (ms), and the three weeks after it. */
export function inventLife(chance, now, plans) {
  const local = new Date(now - UTC_OFFSET_HOURS * 3_600_000);
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
  const monday = midnight - ((local.getUTCDay() + 6) % 7) * DAY - WEEKS_BEFORE * 7 * DAY;
  const tomorrow = midnight + DAY + UTC_OFFSET_HOURS * 3_600_000;
  const people = cast(chance);
  assignHours(chance, people);
  const students = people.map((person) => biography(chance, person, { monday, now, plans, tomorrow }));
  const transactions = bookkeeping(
    chance,
    students.flatMap(({ person, income }) => income.map((one) => ({ ...one, person }))),
    people.filter(({ archived }) => !archived),
    now,
  );
  return { students, transactions };
}
