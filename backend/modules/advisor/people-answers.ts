import { plural } from '../../platform/plural.api.js';
import type { DebtorPage, Receivables } from '../charges/receivables.api.js';
import type { LowCreditsPage } from '../credits/credits.api.js';
import type { OwedSessionsPage } from '../owed-sessions/owed-sessions.api.js';
import type { Days } from './days.js';
import type { Named } from './names.js';
import {
  capital,
  counted,
  day,
  daysLink,
  lines,
  linked,
  linesLink,
  money,
  onDays,
  type Part,
  say,
  studentLink,
} from './saying.js';

/** Maximum of names in one answer. */
export const MOST_NAMED = 5;

export interface Ranking {
  total: number;
  quantos: number;
  /** `desde`: of debts, the earliest due date. */
  alunos: readonly { id: string; nome: string | null; soma: number; desde: string }[];
}

/** A student with the link; null is the name of one who was removed. */
const student = (nome: string | null, id: string): Part => linked(nome ?? 'Aluno apagado', studentLink(id));
const inCharges = (cents: number): Part => money(cents, '/cobrancas');
const credits = (count: number, id: string): Part => counted(count, 'crédito', 'créditos', studentLink(id));
const seeAll = (hasMore: boolean, page: string): Part[] =>
  hasMore ? say`\n${linked('Ver todos', page)}` : [];

type Debtor = Ranking['alunos'][number];
const owes = ({ id, nome, soma, desde }: Debtor): Part[] =>
  say`${student(nome, id)}: ${money(soma, studentLink(id))}, desde ${linked(day(desde), studentLink(id))}`;

export function debtorsAnswer({ falta, vencido }: Receivables, { items, next }: DebtorPage): Part[] {
  if (falta === 0) return say`Ninguém está devendo: não há cobranças em aberto.`;
  if (vencido === 0) return say`Ninguém está em atraso. A vencer, há ${inCharges(falta)}.`;
  const late = items.filter((debtor) => debtor.vencido > 0);
  const each = late.slice(0, MOST_NAMED).map((debtor) => owes({ ...debtor, soma: debtor.vencido }));
  const more = seeAll(next !== null || late.length > MOST_NAMED, '/cobrancas');
  return say`Estão em atraso ${inCharges(vencido)}; em aberto ao todo, ${inCharges(falta)}.${lines(each)}${more}`;
}

/** What is open, as the page of charges sums it up. */
export function receivableAnswer({ falta, vencido }: Receivables): Part[] {
  if (falta === 0) return say`Você não tem nada a receber: não há cobranças em aberto.`;
  const late = vencido > 0 ? say`, sendo ${inCharges(vencido)} em atraso` : [];
  return say`Você tem ${inCharges(falta)} a receber em cobranças em aberto${late}.`;
}

/** Who owes charges that are overdue for this many days at least. */
export function lateAnswer({ alunos, quantos, total }: Ranking, dias: number): Part[] {
  const since = `há ${plural(dias, 'dia', 'dias')} ou mais`;
  if (quantos === 0) return say`Ninguém está em atraso ${since}.`;
  const more = seeAll(quantos > alunos.length, '/cobrancas');
  return say`Em atraso ${since}, são ${inCharges(total)}:${lines(alunos.map(owes))}${more}`;
}

export interface Owed {
  falta: number;
  quantidade: number;
  /** The earliest due date; null if nothing is open. */
  desde: string | null;
}

export function owedByAnswer({ id, nome }: Named, { falta, quantidade, desde }: Owed, today: string): Part[] {
  if (falta === 0 || desde === null) return say`${student(nome, id)} não tem cobranças em aberto.`;
  const link = studentLink(id);
  const since = desde < today ? 'a mais antiga venceu' : quantidade > 1 ? 'a primeira vence' : 'vence';
  return say`${student(nome, id)} tem ${money(falta, link)} em aberto, em ${counted(quantidade, 'cobrança', 'cobranças', link)}: ${since} em ${linked(day(desde), link)}.`;
}

export function paidByAnswer({ id, nome }: Named, sum: number, days: Days, today: string): Part[] {
  const link = linesLink(days, 'recebido', { aluno: id });
  return say`${student(nome, id)} pagou ${money(sum, link)} ${onDays(days, today)}.`;
}

/** Who paid on some days, and how much. */
export function payersAnswer({ alunos, quantos }: Ranking, days: Days, today: string): Part[] {
  const when = capital(onDays(days, today));
  if (quantos === 0) return say`${when}, nenhum aluno pagou.`;
  const each = alunos.map(
    ({ id, nome, soma }) =>
      say`${student(nome, id)}: ${money(soma, linesLink(days, 'recebido', { aluno: id }))}`,
  );
  const students = (count: number) => counted(count, 'aluno', 'alunos', daysLink(days, 'recebido'));
  const rest = quantos > alunos.length ? say`\nE mais ${students(quantos - alunos.length)}.` : [];
  return say`${when}, ${students(quantos)} ${quantos === 1 ? 'pagou' : 'pagaram'}:${lines(each)}${rest}`;
}

/** Who did not show up on some days, and how often; of one student, if `whom` is given. */
export function absencesAnswer(
  { alunos, quantos }: Ranking,
  days: Days,
  today: string,
  whom?: Named,
): Part[] {
  const when = onDays(days, today);
  if (whom) {
    const often = alunos[0]?.soma ?? 0;
    const how =
      often === 0 ? 'não faltou' : say`faltou ${counted(often, 'vez', 'vezes', studentLink(whom.id))}`;
    return say`${student(whom.nome, whom.id)} ${how} ${when}.`;
  }
  if (quantos === 0) return say`${capital(when)}, ninguém faltou.`;
  const each = alunos.map(
    ({ id, nome, soma }) => say`${student(nome, id)}: ${counted(soma, 'falta', 'faltas', studentLink(id))}`,
  );
  const rest =
    quantos > alunos.length ? `\nE mais ${plural(quantos - alunos.length, 'aluno', 'alunos')}.` : '';
  return say`${capital(when)}, ${plural(quantos, 'aluno faltou', 'alunos faltaram')}:${lines(each)}${rest}`;
}

export function creditsAnswer({ items, next }: LowCreditsPage): Part[] {
  if (items.length === 0) return say`Ninguém está com créditos acabando.`;
  const each = items.slice(0, MOST_NAMED).map(({ id, nome, creditos, vence_em }) => {
    const expires =
      vence_em === null
        ? []
        : say`, ${creditos === 1 ? 'vence em' : 'vencem a partir de'} ${linked(day(vence_em), studentLink(id))}`;
    return say`${student(nome, id)}: ${credits(creditos, id)}${expires}`;
  });
  return say`Créditos acabando:${lines(each)}${seeAll(next !== null || items.length > MOST_NAMED, '/')}`;
}

export const creditsOfAnswer = ({ id, nome }: Named, creditos: number): Part[] =>
  say`${student(nome, id)} tem ${credits(creditos, id)}.`;

const OWED_LINK = '/financeiro?figura=sessoes_a_dar';

/** `pagas`: what of them is paid. */
export function owedLessonsAnswer(
  { total, alunos, quantos }: Ranking,
  pagas: OwedSessionsPage['total'],
): Part[] {
  if (total === 0) return say`Você não deve nenhuma sessão: nenhum aluno tem créditos.`;
  const each = alunos.map(
    ({ id, nome, soma }) => say`${student(nome, id)}: ${linked(String(soma), studentLink(id))}`,
  );
  const students = (count: number) => counted(count, 'aluno', 'alunos', '/alunos');
  const rest = quantos > alunos.length ? say`\nE mais ${students(quantos - alunos.length)}.` : [];
  const paid =
    pagas.valor > 0
      ? say`\nJá foram pagas ${counted(pagas.sessoes, 'sessão', 'sessões', OWED_LINK)}, que somam ${money(pagas.valor, OWED_LINK)}.`
      : [];
  return say`Você deve ${counted(total, 'sessão', 'sessões', '/alunos')} a ${students(quantos)}, em créditos válidos.${lines(each)}${rest}${paid}`;
}

export interface Fading {
  id: string;
  nome: string;
  /** Sessions that took place in the last weeks, and in as many before. */
  ultimas: number;
  anteriores: number;
  /** Day of the last done session; null if there was none. */
  ultima: string | null;
}

export function fadingAnswer(fading: readonly Fading[], hasMore: boolean): Part[] {
  if (fading.length === 0)
    return say`Ninguém está sumindo: sem contar novos e pausados, ninguém está há semanas sem sessão e sem nada agendado, nem vem metade do que vinha.`;
  const each = fading.map(({ id, nome, ultimas, anteriores, ultima }) => {
    const last = ultima === null ? 'nenhuma sessão feita' : `última sessão em ${day(ultima)}`;
    const rate =
      ultimas === 0 ? '' : `, ${plural(ultimas, 'sessão', 'sessões')} em quatro semanas, antes ${anteriores}`;
    return say`${student(nome, id)}: ${linked(`${last}${rate}`, studentLink(id))}`;
  });
  return say`Há semanas sem sessão e sem nada agendado, ou vindo no máximo metade do que vinham:${lines(each)}${seeAll(hasMore, '/alunos?situacao=sumidos')}`;
}
