import { TZDate } from '@date-fns/tz';
import { addDays, addMinutes, format, parseISO } from 'date-fns';
import { brl } from '../../platform/portuguese.js';
import type { Act } from './advisor.api.js';
import { categoryOf } from './asked.js';
import type { Named } from './names.js';
import { day, linked, lines, money, type Part, say, studentLink } from './saying.js';
import type { Understood } from './understand.js';

const SESSION_MINUTES = 60;
/** Days until a new charge is due, as on the page of charges. */
const DAYS_TO_PAY = 3;

export interface OpenCharge {
  id: string;
  descricao: string | null;
  falta: number;
  vencimento: string;
}

/** Where and how long a student usually trains. */
export interface Usual {
  minutes: number | null;
  location_id: string | null;
  location_nome: string | null;
}

/** The data from which an act is decided. */
export interface ActContext {
  message: string;
  today: string;
  timezone: string;
  /** The plan of the student in the order. */
  plano: { id: string; nome: string; valor: number } | null;
  /** That student's open charges, earliest due date first. */
  abertas: readonly OpenCharge[];
  /** Of the student who is to be booked. */
  usual: Usual | null;
}

const card = (ato: Act): Part => ({ content: '', ato });

/** The answer to an order: a card that offers the act, or a question for missing data. */
export function actAnswer(read: Understood, context: ActContext): Part[] {
  const { intent, pessoa } = read;
  if (pessoa.length > 1) return whichOne(pessoa);
  const [whom] = pessoa;
  switch (intent) {
    case 'receita':
      return received(read, whom, context);
    case 'despesa':
      return spent(read, context);
    default:
      if (!whom)
        return say`${read.desconhecido === null ? 'De qual aluno? Diga o nome.' : notFound(read.desconhecido)}`;
      if (intent === 'cobrar') return charged(read, whom, context);
      if (intent === 'pagar') return paid(read, whom, context);
      return booked(read, whom, context);
  }
}

export const notFound = (name: string): string => `Não encontrei ${name} entre os seus alunos.`;

export const whichOne = (found: readonly Named[]): Part[] =>
  say`De quem você fala?${lines(found.slice(0, 5).map(({ id, nome }) => say`${linked(nome, studentLink(id))}`))}`;

/** The specification's short form of a receita; if the amount equals an open charge, offers to pay that charge instead. */
function received(read: Understood, whom: Named | undefined, { today, abertas }: ActContext): Part[] {
  const valor = read.valor!;
  const pays = abertas.find(({ falta }) => falta === valor);
  if (whom && pays) return paid(read, whom, { abertas: [pays], today });
  // No student's name in the text, because it stays when the student is forgotten.
  const descricao = whom
    ? 'Mensalidade'
    : read.desconhecido
      ? `Mensalidade ${read.desconhecido}`
      : 'Recebimento';
  const corpo = {
    tipo: 'receita' as const,
    valor,
    metodo_pagamento: read.metodo,
    data: read.feitoEm ?? today,
    descricao,
    student_id: whom?.id ?? null,
  };
  return recorded(read, { aluno: whom?.nome ?? null, corpo });
}

function spent(read: Understood, { message, today }: ActContext): Part[] {
  const { valor, metodo, feitoEm, semDias } = read;
  const corpo = {
    tipo: 'despesa' as const,
    descricao: descriptionOf(semDias),
    valor: valor!,
    metodo_pagamento: metodo,
    data: feitoEm ?? today,
    categoria: categoryOf(message),
  };
  return recorded(read, { aluno: null, corpo });
}

/** The card of an entry: done at once if the message states it without any other word, otherwise it asks. */
function recorded(
  { isStated }: Understood,
  entry: Pick<Extract<Act, { tipo: 'lancamento' }>, 'aluno' | 'corpo'>,
): Part[] {
  const offer = card({ tipo: 'lancamento', agora: isStated, ...entry });
  return isStated ? [offer] : say`Registrar esta ${entry.corpo.tipo}?${offer}`;
}

/** The description in an order without its day: "gasolina" in "gastei 80 com gasolina". */
function descriptionOf(order: string): string {
  const words = order
    .replace(/r\$\s*/gi, ' ')
    .replace(/[\d.,]*\d(\s*(mil|reais|real|conto|pila|pratas?))?/gi, ' ')
    .split(/\s+/)
    .filter(
      (word) =>
        !/^(gastei|paguei|comprei|anot\w*|registr\w*|lan[cç]\w*|adicion\w*|coloc\w*|p[oõ]e|bota|a[ií]|um|uma|despesas?|gastos?|por|n[oa]s?|pix|cart[aã]o|hoje|hj|em|dinheiro)?[.,!/-]*$/i.test(
          word,
        ),
    )
    .join(' ')
    .replace(/^((com|de|do|da|em|para|pr[ao]|ao?)\s+)+/i, '')
    .replace(/(\s+(com|de|do|da|em|para|pr[ao]|ao?))+$/i, '')
    .trim();
  return words === '' ? 'Despesa' : words.charAt(0).toUpperCase() + words.slice(1, 200);
}

function charged(
  { valor, vencimento: due }: Understood,
  { id, nome }: Named,
  { today, plano }: ActContext,
): Part[] {
  if (due === undefined)
    return say`Quando vence? Por exemplo: “cobrar ${valor === undefined ? '' : `${brl(valor)} `}de ${nome}, vence dia 10”.`;
  const vencimento = due ?? format(addDays(parseISO(today), DAYS_TO_PAY), 'yyyy-MM-dd');
  if (valor === undefined && (!plano || plano.valor === 0))
    return say`Quanto cobrar de ${nome}? Por exemplo: “cobrar 200 de ${nome}”.`;
  const corpo =
    valor === undefined
      ? { student_id: id, plano_id: plano!.id, descricao: plano!.nome, valor: plano!.valor, vencimento }
      : { student_id: id, descricao: 'Cobrança avulsa', valor, vencimento };
  return say`Emitir esta cobrança?${card({ tipo: 'cobranca', aluno: nome, corpo })}`;
}

function paid(
  { valor, metodo, feitoEm }: Understood,
  { id, nome }: Named,
  { abertas, today }: Pick<ActContext, 'abertas' | 'today'>,
): Part[] {
  const [first] = abertas;
  if (!first) return say`${linked(nome, studentLink(id))} não tem cobranças em aberto.`;
  if (valor !== undefined && valor > first.falta)
    return say`Faltam ${money(first.falta, studentLink(id))} na cobrança de ${nome}, menos que ${brl(valor)}.`;
  const corpo = { valor: valor ?? first.falta, data: feitoEm ?? today, metodo_pagamento: metodo };
  const others = abertas.length > 1 ? ` É a que vence primeiro, em ${day(first.vencimento)}.` : '';
  return say`Registrar este pagamento?${others}${card({ tipo: 'pagamento', charge_id: first.id, descricao: first.descricao, aluno: nome, corpo })}`;
}

function booked({ quando }: Understood, { id, nome }: Named, { timezone, usual }: ActContext): Part[] {
  const { dia = null, hora = null } = quando ?? {};
  if (dia === null || hora === null) return say`Quando? Por exemplo: “agendar ${nome} amanhã às 7h”.`;
  const [year, month, date] = dia.split('-').map(Number) as [number, number, number];
  const [hours, minutes] = hora.split(':').map(Number) as [number, number];
  const begin = new TZDate(year, month - 1, date, hours, minutes, timezone);
  const inicio = new Date(begin.getTime());
  const fim = addMinutes(inicio, usual?.minutes ?? SESSION_MINUTES).toISOString();
  const { location_id = null, location_nome: local = null } = usual ?? {};
  const corpo = { student_id: id, inicio: inicio.toISOString(), fim, location_id };
  return say`Agendar esta sessão?${card({ tipo: 'sessao', aluno: nome, local, corpo })}`;
}
