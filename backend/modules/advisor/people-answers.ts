import { plural } from '../../platform/plural.api.js';
import type { DebtorPage, Receivables } from '../charges/receivables.api.js';
import type { LowCreditsPage } from '../credits/credits.api.js';
import type { Days } from './days.js';
import type { Named } from './names.js';
import {
  capital,
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

/** What is open, as the page of charges sums it up. */
export function receivableAnswer({ falta, vencido }: Receivables): Part[] {
  if (falta === 0) return say`Você não tem nada a receber: não há cobranças em aberto.`;
  const late = vencido > 0 ? say`, sendo ${money(vencido, '/cobrancas')} em atraso` : [];
  return say`Você tem ${money(falta, '/cobrancas')} a receber em cobranças em aberto${late}.`;
}

export interface Late {
  alunos: readonly { id: string; nome: string | null; falta: number; desde: string }[];
  quantos: number;
  total: number;
}

/** Who owes charges that are overdue for this many days at least. */
export function lateAnswer({ alunos, quantos, total }: Late, dias: number): Part[] {
  const since = `há ${plural(dias, 'dia', 'dias')} ou mais`;
  if (quantos === 0) return say`Ninguém está em atraso ${since}.`;
  const each = alunos.map(({ id, nome, falta, desde }) => {
    const link = studentLink(id);
    return say`${linked(nome ?? 'Aluno apagado', link)}: ${money(falta, link)}, desde ${linked(day(desde), link)}`;
  });
  const more = quantos > alunos.length ? say`\n${linked('Ver todos', '/cobrancas')}` : [];
  return say`Em atraso ${since}, são ${money(total, '/cobrancas')}:${lines(each)}${more}`;
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

export function paidByAnswer({ id, nome }: Named, sum: number, days: Days, today: string): Part[] {
  const link = linesLink(days, 'recebido', { aluno: id });
  return say`${linked(nome, studentLink(id))} pagou ${money(sum, link)} ${onDays(days, today)}.`;
}

export interface Payers {
  alunos: readonly { id: string; nome: string | null; soma: number }[];
  quantos: number;
}

/** Who paid on some days, and how much. */
export function payersAnswer({ alunos, quantos }: Payers, days: Days, today: string): Part[] {
  const when = capital(onDays(days, today));
  if (quantos === 0) return say`${when}, nenhum aluno pagou.`;
  const paid = (aluno: string) => linesLink(days, 'recebido', { aluno });
  const each = alunos.map(
    ({ id, nome, soma }) =>
      say`${linked(nome ?? 'Aluno apagado', studentLink(id))}: ${money(soma, paid(id))}`,
  );
  const students = (count: number) => linked(plural(count, 'aluno', 'alunos'), daysLink(days, 'recebido'));
  const rest = quantos > alunos.length ? say`\nE mais ${students(quantos - alunos.length)}.` : [];
  return say`${when}, ${students(quantos)} ${quantos === 1 ? 'pagou' : 'pagaram'}:${lines(each)}${rest}`;
}

export interface Absences {
  alunos: readonly { id: string; nome: string | null; faltas: number }[];
  quantos: number;
}

/** Who did not show up on some days, and how often; of one student, if `whom` is given. */
export function absencesAnswer(
  { alunos, quantos }: Absences,
  days: Days,
  today: string,
  whom?: Named,
): Part[] {
  const when = onDays(days, today);
  if (whom) {
    const link = studentLink(whom.id);
    const often = alunos[0]?.faltas ?? 0;
    return often === 0
      ? say`${linked(whom.nome, link)} não faltou ${when}.`
      : say`${linked(whom.nome, link)} faltou ${linked(plural(often, 'vez', 'vezes'), link)} ${when}.`;
  }
  if (quantos === 0) return say`${capital(when)}, ninguém faltou.`;
  const each = alunos.map(
    ({ id, nome, faltas }) =>
      say`${linked(nome ?? 'Aluno apagado', studentLink(id))}: ${linked(plural(faltas, 'falta', 'faltas'), studentLink(id))}`,
  );
  const rest =
    quantos > alunos.length ? `\nE mais ${plural(quantos - alunos.length, 'aluno', 'alunos')}.` : '';
  return say`${capital(when)}, ${plural(quantos, 'aluno faltou', 'alunos faltaram')}:${lines(each)}${rest}`;
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
