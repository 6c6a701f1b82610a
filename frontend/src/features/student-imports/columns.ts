import { searchable } from '../../../../backend/platform/searchable.api.js';
import { emailsOf, phonesOf } from './cells.js';

/** The possible contents of a column, with their names on the page. */
export const fieldNames = {
  nome: 'Nome',
  nome_do_meio: 'Nome do meio',
  sobrenome: 'Sobrenome',
  whatsapp: 'WhatsApp',
  telefone: 'Outro telefone',
  email: 'E-mail',
  cpf: 'CPF',
  plano: 'Plano',
  creditos: 'Créditos',
  validade: 'Validade dos créditos',
  mensalidade: 'Mensalidade combinada (R$)',
  mensalidade_plano: 'Plano da mensalidade',
  vence_dia: 'Dia do vencimento da mensalidade',
  mensalidade_desde: 'Início da mensalidade',
  mensalidade_ate: 'Fim da mensalidade',
  observacoes: 'Observações',
  situacao: 'Situação',
  etiquetas: 'Etiquetas',
  nascimento: 'Data de nascimento',
  emergencia_nome: 'Contato de emergência',
  emergencia_telefone: 'Telefone de emergência',
  emergencia_relacao: 'Parentesco do contato de emergência',
  responsavel_nome: 'Responsável',
  responsavel_telefone: 'Telefone do responsável',
} as const;
export type ImportField = keyof typeof fieldNames;

/** Patterns of headers, without case and accents. Other people come first, since their headers also have names and phones. */
const headers: Record<ImportField, RegExp> = {
  emergencia_telefone: /^(emergencia_telefone|(tel|fone|cel|whats)\S* (de |do contato de )?emergencia)/,
  emergencia_relacao: /^(emergencia_relacao|parentesco|relacao)/,
  emergencia_nome: /^((nome do )?contato (de )?emergencia|emergencia)/,
  responsavel_telefone: /^(responsavel_telefone|(tel|fone|cel|whats)\S* d[oa] responsavel)/,
  responsavel_nome: /^((nome d[oa] )?responsavel|mae|pai)\b|^responsavel_nome/,
  mensalidade_plano: /^(mensalidade_plano|plano d[ae] mensalidade)/,
  mensalidade_desde: /^(mensalidade_desde|inicio d[ao] (mensalidade|plano|contrato))/,
  mensalidade_ate: /^(mensalidade_ate|(fim|termino) d[ao] (mensalidade|plano|contrato))/,
  vence_dia: /^(vence_dia|dia d[eo] (vencimento|pagamento|cobranca)|vencimento d[ao] (mensalidade|plano))/,
  mensalidade:
    /^(mensalidade|(valor|preco)( combinado| mensal| d[ao] (mensalidade|plano|pacote))?)( ?\(?r\$\)?)?$/,
  nascimento: /^(nascimento|nasc\b|data (de )?nasc|dt\.? nasc|aniversario|birthday)/,
  etiquetas: /^(etiquetas?|tags?|grupos?|group membership|labels?)\b/,
  nome_do_meio: /^(nome do meio|segundo nome|middle name|additional name)/,
  nome: /^(nome|name|first name|given name|alun[oa]s?|clientes?)\b/,
  sobrenome: /^(sobrenome|last name|family name)/,
  whatsapp: /^(whats|zap|wpp|cel|mobile|phone 1 - value|contato|numero)/,
  telefone: /^(telefone|fone|phone|tel\b)/,
  cpf: /^cpf\b(?!.* (responsavel|pagador|mae|pai)\b)/,
  email: /^(e-?mail|mail)\b/,
  plano: /^(plano|pacote|plan\b|modalidade)(?!_id)/,
  validade: /^(validade|valid[ao] ate|vencimento|vence|expira)/,
  creditos: /^(creditos?|saldo|aulas|sessoes)/,
  observacoes: /^(obs|anotac|notas?\b|notes?\b|comentario)/,
  situacao: /^(situacao|status|ativo)/,
};
const order = Object.keys(headers) as ImportField[];

export interface Column {
  title: string;
  field: ImportField | null;
}

export interface Table {
  columns: Column[];
  rows: string[][];
}

const HEADER_WITHIN = 10;
const LOOKED_AT = 100;
const MOST = 0.6;

/** Of "Phone 1 - Value" and its like in Google's export only the value is a field. */
const BESIDE_A_VALUE = /^\D+ \d+ - (?!value$)/;
/** "Name" beside its parts is the whole name. */
const FIRST_NAME = /^(first|given) name/;

const isPhone = (cell: string) => phonesOf(cell, '').length > 0;
const isEmail = (cell: string) => emailsOf(cell).length > 0;
/** A spreadsheet's number without its fraction of zero: `11987654321.0`. */
const withoutFraction = (cell: string) => cell.replace(/^(\s*\d+)\.0+(?=\s*$)/, '$1');
/** Whether a cell is a day of the month, not a date: `10`, `dia 10`, `todo dia 10`. */
const isDueDay = (cell: string) => /^((todo )?dia )?(0?[1-9]|[12]\d|3[01])$/.test(searchable(cell));
const isName = (cell: string) => /\p{L}{2}/u.test(cell) && !/\d{3}|@/.test(cell);

/** Finds the header of a sheet, and the field of each column: by its title, otherwise by its content. */
export function tableOf(given: readonly string[][], planNames: readonly string[]): Table {
  const rows = given.map((row) => row.map(withoutFraction));
  const [at, named] = headerOf(rows);
  const width = Math.max(...rows.map(({ length }) => length));
  const below = rows.slice(at + 1).map((row) => Array.from({ length: width }, (_, n) => row[n] ?? ''));
  const columns: Column[] = Array.from({ length: width }, (_, n) => ({
    title: (at >= 0 && rows[at]![n]?.trim()) || `Coluna ${n + 1}`,
    field: named[n] ?? null,
  }));
  const cellsIn = (n: number) => below.slice(0, LOOKED_AT).map((row) => row[n]!);
  // "Vencimento" may be the expiry of credits or the due day of the monthly plan.
  const ends = columns.findIndex(({ field }) => field === 'validade');
  if (ends >= 0 && !columns.some(({ field }) => field === 'vence_dia') && isMostly(cellsIn(ends), isDueDay))
    columns[ends]!.field = 'vence_dia';
  const plans = new Set(planNames.map(searchable));
  const byContent: [ImportField, (cell: string) => boolean][] = [
    ['whatsapp', isPhone],
    ['email', isEmail],
    ['plano', (cell) => plans.has(searchable(cell))],
    ['nome', isName],
  ];
  for (const [field, holds] of byContent) {
    const isKnown = (known: ImportField) => columns.some((column) => column.field === known);
    if (isKnown(field) || (field === 'whatsapp' && isKnown('telefone'))) continue;
    const found = columns.find((column, n) => column.field === null && isMostly(cellsIn(n), holds));
    if (found) found.field = field;
  }
  return { columns, rows: below };
}

/** Index of the header row, with its fields; -1 without a header. */
function headerOf(rows: readonly string[][]): [at: number, named: (ImportField | null)[]] {
  const candidates = rows
    .slice(0, HEADER_WITHIN)
    .map((row, at) => [at, row.some((cell) => isPhone(cell) || isEmail(cell)) ? [] : namedBy(row)] as const);
  const known = (named: readonly unknown[]) => named.filter(Boolean).length;
  const [best] = candidates.toSorted(([, one], [, other]) => known(other) - known(one));
  return best && known(best[1]) > 0 ? [best[0], [...best[1]]] : [-1, []];
}

/** The field of each column, by its title; each field only once, for the first such column. */
function namedBy(row: readonly string[]): (ImportField | null)[] {
  const taken = new Set<ImportField>();
  const titles = row.map(searchable);
  if (titles.includes('name') && titles.some((title) => FIRST_NAME.test(title)))
    for (const part of ['nome_do_meio', 'sobrenome'] as const) taken.add(part);
  return titles.map((title) => {
    const fits = (each: ImportField) => !taken.has(each) && headers[each].test(title);
    const field = BESIDE_A_VALUE.test(title) ? null : (order.find(fits) ?? null);
    if (field) taken.add(field);
    return field;
  });
}

function isMostly(cells: readonly string[], holds: (cell: string) => boolean): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length > 0 && filled.filter((cell) => holds(cell)).length / filled.length >= MOST;
}
