import { plural } from '../../platform/plural.api.js';
import type { DebtorPage, Receivables } from '../charges/receivables.api.js';
import type { LowCreditsPage } from '../credits/credits.api.js';
import { daysOf } from './days.js';
import type { Named } from './names.js';
import type { Period } from './period.js';
import {
  capital,
  day,
  inPeriod,
  lines,
  linked,
  linesLink,
  money,
  type Part,
  say,
  studentLink,
  sumLink,
} from './saying.js';

/** Maximum of names in one answer. */
export const MOST_NAMED = 5;

export function debtorsAnswer({ falta, vencido }: Receivables, { items, next }: DebtorPage): Part[] {
  if (falta === 0) return say`Ninguém está devendo: não há cobranças em aberto.`;
  const late = items.filter((debtor) => debtor.vencido > 0).slice(0, MOST_NAMED);
  if (vencido === 0) return say`Ninguém está em atraso. A vencer, há ${money(falta, '/cobrancas')}.`;
  const each = late.map(
    ({ id, nome, vencido: owed, desde }) =>
      say`${linked(nome ?? 'Aluno apagado', studentLink(id))}: ${money(owed, studentLink(id))}, desde ${linked(day(desde), studentLink(id))}`,
  );
  const more = next !== null || items.filter((debtor) => debtor.vencido > 0).length > MOST_NAMED;
  return say`Estão em atraso ${money(vencido, '/cobrancas')}; em aberto ao todo, ${money(falta, '/cobrancas')}.${lines(each)}${more ? say`\n${linked('Ver todos', '/cobrancas')}` : []}`;
}

export interface Owed {
  falta: number;
  quantidade: number;
  /** The earliest due date; null if nothing is open. */
  desde: string | null;
}

export function owedByAnswer({ id, nome }: Named, { falta, quantidade, desde }: Owed, today: string): Part[] {
  if (falta === 0 || desde === null)
    return say`${linked(nome, studentLink(id))} não tem cobranças em aberto.`;
  const link = studentLink(id);
  const since = desde < today ? 'a mais antiga venceu' : quantidade > 1 ? 'a primeira vence' : 'vence';
  return say`${linked(nome, link)} tem ${money(falta, link)} em aberto, em ${linked(plural(quantidade, 'cobrança', 'cobranças'), link)}: ${since} em ${linked(day(desde), link)}.`;
}

export function paidByAnswer({ id, nome }: Named, sum: number, period: Period, today: string): Part[] {
  const link = linesLink(daysOf(period), 'recebido', { aluno: id });
  return say`${linked(nome, studentLink(id))} pagou ${money(sum, link)} ${inPeriod(period, today)}.`;
}

export interface Payers {
  alunos: readonly { id: string; nome: string | null; soma: number }[];
  quantos: number;
}

/** Who paid in a period, and how much. */
export function payersAnswer({ alunos, quantos }: Payers, period: Period, today: string): Part[] {
  const when = capital(inPeriod(period, today));
  if (quantos === 0) return say`${when}, nenhum aluno pagou.`;
  const paid = (aluno: string) => linesLink(daysOf(period), 'recebido', { aluno });
  const each = alunos.map(
    ({ id, nome, soma }) =>
      say`${linked(nome ?? 'Aluno apagado', studentLink(id))}: ${money(soma, paid(id))}`,
  );
  const students = (count: number) => linked(plural(count, 'aluno', 'alunos'), sumLink(period, 'recebido'));
  const rest = quantos > alunos.length ? say`\nE mais ${students(quantos - alunos.length)}.` : [];
  return say`${when}, ${students(quantos)} ${quantos === 1 ? 'pagou' : 'pagaram'}:${lines(each)}${rest}`;
}

export function creditsAnswer({ items, next }: LowCreditsPage): Part[] {
  if (items.length === 0) return say`Ninguém está com créditos acabando.`;
  const each = items.slice(0, MOST_NAMED).map(({ id, nome, creditos, vence_em }) => {
    const expires =
      vence_em === null ? [] : say`, vencem a partir de ${linked(day(vence_em), studentLink(id))}`;
    return say`${linked(nome, studentLink(id))}: ${linked(plural(creditos, 'crédito', 'créditos'), studentLink(id))}${expires}`;
  });
  const more = next !== null || items.length > MOST_NAMED ? say`\n${linked('Ver todos', '/')}` : [];
  return say`Créditos acabando:${lines(each)}${more}`;
}

export const creditsOfAnswer = ({ id, nome }: Named, creditos: number): Part[] =>
  say`${linked(nome, studentLink(id))} tem ${linked(plural(creditos, 'crédito', 'créditos'), studentLink(id))}.`;

export interface OwedLessons {
  total: number;
  alunos: readonly { id: string; nome: string | null; creditos: number }[];
  quantos: number;
}

export function owedLessonsAnswer({ total, alunos, quantos }: OwedLessons): Part[] {
  if (total === 0) return say`Você não deve nenhuma sessão: nenhum aluno tem créditos.`;
  const each = alunos.map(
    ({ id, nome, creditos }) =>
      say`${linked(nome ?? 'Aluno apagado', studentLink(id))}: ${linked(String(creditos), studentLink(id))}`,
  );
  const students = (count: number) => linked(plural(count, 'aluno', 'alunos'), '/alunos');
  const rest = quantos > alunos.length ? say`\nE mais ${students(quantos - alunos.length)}.` : [];
  return say`Você deve ${linked(plural(total, 'sessão já paga', 'sessões já pagas'), '/alunos')} a ${students(quantos)}, em créditos válidos.${lines(each)}${rest}`;
}

export interface Missing {
  id: string;
  nome: string;
  /** Day of the last done session; null if there was none. */
  ultima: string | null;
}

/** Days without a session after which a student counts as missing. */
export const MISSED_DAYS = 14;

export function missingAnswer(missing: readonly Missing[], hasMore: boolean): Part[] {
  if (missing.length === 0)
    return say`Ninguém está sumindo: sem contar novos e pausados, todos os alunos ativos fizeram uma sessão nos últimos ${MISSED_DAYS} dias ou têm uma agendada.`;
  const each = missing.map(({ id, nome, ultima }) => {
    const last = ultima === null ? 'nenhuma sessão feita' : `última sessão em ${day(ultima)}`;
    return say`${linked(nome, studentLink(id))}: ${linked(last, studentLink(id))}`;
  });
  return say`Sem sessão nos últimos ${MISSED_DAYS} dias e sem nada agendado:${lines(each)}${hasMore ? '\nE outros.' : ''}`;
}
