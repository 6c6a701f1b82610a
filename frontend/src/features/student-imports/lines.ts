import {
  importLine,
  IMPORT_BYTES,
  IMPORT_VALUES,
  LINES_AT_ONCE,
  type ImportLine,
} from '../../../../backend/modules/student-imports/student-imports.api.js';
import { pageMessage } from '../../lib/messages.js';
import { formatPhone } from '../../../../backend/modules/students/phone-format.api.js';
import { wrongPhone } from '../../../../backend/modules/students/phone.api.js';
import { formatMoney, parseMoney } from '../../lib/money.js';
import { searchable } from '../../../../backend/platform/searchable.api.js';
import { birthOfCell, cpfOf, creditsOf, dayOfCell, emailsOf, phonesOf, standingOf, tagsOf } from './cells.js';
import { fieldNames, type ImportField, type Table } from './columns.js';

type MonthlyPrice = NonNullable<ImportLine['mensalidade']>;

/** An existing student with a phone. */
export interface KnownPhone {
  id: string;
  nome: string;
  arquivado: boolean;
}

/** The data against which the lines of a file are checked. */
export interface Surroundings {
  /** Area code of numbers without one; empty for none. */
  ddd: string;
  /** Ids of plans by name, in lower case without accents. */
  plans: ReadonlyMap<string, string>;
  /** The plan chosen for an unknown plan name in the file; null for no plan. */
  chosen: Readonly<Record<string, string | null>>;
  /** The plans for which a monthly price can be agreed, with their own. */
  monthly: ReadonlyMap<string, number>;
  /** Start and due day of agreements for which the file has none. */
  agreed: Pick<MonthlyPrice, 'desde' | 'vence_dia'>;
  /** Existing students, by phone. */
  known: ReadonlyMap<string, KnownPhone>;
  today: string;
}

/** Preview of a line of the file. */
export interface PreviewLine {
  linha: number;
  nome: string;
  facts: string[];
  /** Why the line cannot be imported. */
  errors: string[];
  /** The cells with these errors, and those that go into the notes: both can be mended. */
  wrong: { field: ImportField; cell: string }[];
  /** Cells that a student can do without, which go into the notes as they are. */
  noted: string[];
  /** Another student or line with the same phone, or another line with the same CPF. */
  double: { same: 'WhatsApp' | 'CPF'; as: string; known?: KnownPhone } | null;
  /** Whether its agreement takes the start or the due day that the page asks for. */
  isAsked: boolean;
  /** The data to import; null if there are errors. */
  body: ImportLine | null;
}

/** Why a line is not imported as it is: its errors, or the student that it repeats. */
const reasonsOf = ({ errors, double }: PreviewLine): string[] =>
  double === null ? errors : [...errors, `Mesmo ${double.same} de ${double.as}`];

export const isTroubled = (line: PreviewLine): boolean => reasonsOf(line).length > 0;

/** A birthday as Google exports it when its year is unknown: `--05-17`. */
const WITHOUT_YEAR = /^--(\d\d)-?(\d\d)$/;

type Cells = Partial<Record<ImportField, string>>;

const cellsOf = ({ columns }: Table, row: readonly string[]): Cells =>
  Object.fromEntries(
    columns.flatMap(({ field }, n) => (field && row[n]!.trim() !== '' ? [[field, row[n]!.trim()]] : [])),
  );

/** Plan names in the file that no plan has, in their first spelling. */
export function unknownPlans(table: Table, plans: ReadonlyMap<string, string>): string[] {
  const names = new Map<string, string>();
  for (const row of table.rows) {
    const { plano, mensalidade_plano } = cellsOf(table, row);
    for (const name of [plano, mensalidade_plano])
      if (name && !plans.has(searchable(name)) && !names.has(searchable(name)))
        names.set(searchable(name), name);
  }
  return [...names.values()];
}

export function previewOf(table: Table, around: Surroundings): PreviewLine[] {
  const seen = new Map<string, string>();
  return table.rows.map((row, index) => {
    const cells = cellsOf(table, row);
    const line = lineOf(index + 1, cells, around);
    const { aluno } = line.body ?? {};
    const phones = [aluno?.telefone, aluno?.whatsapp].filter(
      (phone) => phone !== undefined && phone !== null,
    );
    const cpf = aluno?.cpf;
    const known = phones.map((phone) => around.known.get(phone)).find(Boolean);
    const twin = known?.nome ?? phones.map((phone) => seen.get(phone)).find(Boolean);
    const namesake = cpf ? seen.get(cpf) : undefined;
    for (const mark of cpf ? [...phones, cpf] : phones)
      if (!seen.has(mark)) seen.set(mark, `${line.nome} (linha ${line.linha})`);
    if (twin) return { ...line, double: { same: 'WhatsApp', as: twin, ...(known && { known }) } };
    return { ...line, double: namesake ? { same: 'CPF', as: namesake } : null };
  });
}

function lineOf(linha: number, cells: Cells, around: Surroundings): PreviewLine {
  const { ddd, plans, chosen, monthly, agreed, today } = around;
  const nome = [cells.nome, cells.nome_do_meio, cells.sobrenome].filter(Boolean).join(' ');
  const notes = [cells.observacoes];
  const errors: string[] = [];
  const wrong = new Map<ImportField, string>();
  const noted: string[] = [];
  const doubted = new Map<ImportField, string>();
  const refuse = (field: ImportField, error: string) => {
    errors.push(error);
    wrong.set(field, cells[field] ?? '');
  };
  const note = (field: ImportField) => {
    notes.push(`${fieldNames[field]}: ${cells[field]}`);
    doubted.set(field, cells[field] ?? '');
    noted.push(`${fieldNames[field]} vai para as observações: ${cells[field]}`);
  };
  const number = (
    field: 'whatsapp' | 'telefone' | 'emergencia_telefone' | 'responsavel_telefone',
    isNeeded: boolean,
  ) => {
    const cell = cells[field];
    const [phone = null, ...others] = phonesOf(cell ?? '', ddd);
    if (cell !== undefined && phone === null) {
      if (isNeeded) refuse(field, `${wrongPhone(cell, 'WhatsApp') ?? 'WhatsApp inválido'}: ${cell}`);
      else note(field);
    }
    if (field === 'whatsapp' || field === 'telefone')
      notes.push(...others.map((other) => `Outro telefone: ${formatPhone(other)}`));
    return phone;
  };
  const whatsapp = number('whatsapp', true);
  const telefone = number('telefone', whatsapp === null);
  const [email = null, ...otherEmails] = emailsOf(cells.email ?? '');
  if (email === null && cells.email !== undefined) note('email');
  notes.push(...otherEmails.map((other) => `Outro e-mail: ${other}`));
  const { emergencia_nome, emergencia_relacao, responsavel_nome } = cells;
  const emergencia_telefone = number('emergencia_telefone', false);
  const responsavel_telefone = number('responsavel_telefone', false);
  const cpf = cpfOf(cells.cpf ?? '');
  if (cells.cpf !== undefined && cpf === null) note('cpf');
  const nascimento = cells.nascimento === undefined ? null : birthOfCell(cells.nascimento, today);
  const [, month, day] = WITHOUT_YEAR.exec(cells.nascimento ?? '') ?? [];
  if (day) notes.push(`Aniversário: ${day}/${month}`);
  else if (cells.nascimento !== undefined && nascimento === null) note('nascimento');
  const etiquetas = tagsOf(cells.etiquetas ?? '');
  const saldo = creditsOf(cells.creditos ?? '', cells.validade ?? '');
  if (saldo === null)
    refuse(
      'creditos',
      `Créditos não reconhecidos: ${[cells.creditos, cells.validade].filter(Boolean).join(', ')}`,
    );
  if (saldo?.some(({ expira_em }) => expira_em !== null && expira_em < today))
    refuse('validade', 'A validade dos créditos já passou');
  const standing = standingOf(cells.situacao ?? '');
  if (standing === 'excluido') refuse('situacao', 'Aluno excluído');
  const planOf = (name = '') => plans.get(searchable(name)) ?? chosen[searchable(name)] ?? null;
  const plano_id = planOf(cells.plano);
  const agreedId = planOf(cells.mensalidade_plano ?? cells.plano);
  const isMonthly = agreedId !== null && monthly.has(agreedId);
  // An inactive student gets an agreement only if the file has one.
  const price = isMonthly && standing !== 'inativo' ? monthly.get(agreedId)! : 0;
  const priced = monthlyOf(cells, price, agreed);
  if (typeof priced === 'string' && isMonthly) refuse('mensalidade', priced);
  const parse = (without: readonly ImportField[] = []) => {
    const aluno = {
      nome,
      ...(telefone && { telefone }),
      ...(whatsapp && { whatsapp }),
      email,
      plano_id,
      observacoes: notes.filter(Boolean).join('\n') || null,
      ...(cpf && { cpf }),
      ...(nascimento && { nascimento }),
      ...(emergencia_nome && { emergencia_nome }),
      ...(emergencia_telefone && { emergencia_telefone }),
      ...(emergencia_relacao && { emergencia_relacao }),
      ...(responsavel_nome && { responsavel_nome }),
      ...(responsavel_telefone && { responsavel_telefone }),
    };
    const kept = Object.entries(aluno).filter(([field]) => !without.includes(field as ImportField));
    return importLine.safeParse(
      {
        linha,
        aluno: Object.fromEntries(kept),
        ...(etiquetas.length > 0 && { etiquetas }),
        inativo: standing === 'inativo',
        saldo: saldo ?? [],
        ...(isMonthly &&
          priced !== null &&
          typeof priced === 'object' && {
            mensalidade: { ...priced, ...(agreedId !== plano_id && { plano_id: agreedId }) },
          }),
      },
      { error: pageMessage },
    );
  };
  let parsed = parse();
  const dispensable = DISPENSABLE.filter((field) =>
    parsed.error?.issues.some(({ path: [thing, its] }) => thing === 'aluno' && its === field),
  );
  if (dispensable.length > 0) {
    for (const field of dispensable) note(field);
    parsed = parse(dispensable);
  }
  // An unreadable number already has an error.
  const isTold = wrong.has('whatsapp') || wrong.has('telefone');
  for (const { message, path } of parsed.error?.issues ?? []) {
    const its = path[0] === 'saldo' ? 'creditos' : String(path.at(-1));
    if (its === 'whatsapp' && isTold) continue;
    if (its in fieldNames) refuse(its as ImportField, message);
    else errors.push(message);
  }
  const total = saldo?.reduce((sum, { quantidade }) => sum + quantidade, 0);
  return {
    linha,
    nome: nome || 'Sem nome',
    facts: [
      cells.whatsapp ?? cells.telefone,
      cells.plano,
      total ? `saldo ${total}` : null,
      (cells.mensalidade || isMonthly) &&
        priced !== null &&
        (isMonthly
          ? mensalidadeInWords(priced, agreedId !== plano_id ? cells.mensalidade_plano : '')
          : agreedId === null
            ? NO_PLAN
            : NOT_MONTHLY),
    ].filter((fact): fact is string => typeof fact === 'string' && fact !== ''),
    errors: [...new Set(errors)],
    wrong: [...wrong, ...doubted].map(([field, cell]) => ({ field, cell })),
    noted,
    double: null,
    isAsked: isMonthly && priced !== null && !(cells.vence_dia && cells.mensalidade_desde),
    body: parsed.success && errors.length === 0 ? parsed.data : null,
  };
}

/** Cells that a student can do without. */
const DISPENSABLE = [
  'email',
  'nascimento',
  'emergencia_nome',
  'emergencia_telefone',
  'emergencia_relacao',
  'responsavel_nome',
  'responsavel_telefone',
] as ImportField[];

const NO_PLAN = 'valor fica de fora: escolha um plano mensal';
const NOT_MONTHLY = 'valor fica de fora: o plano não é mensal';
/** `plano`: where it is not the student's. */
const mensalidadeInWords = (priced: string | MonthlyPrice, plano = '') =>
  typeof priced === 'string'
    ? null
    : `mensalidade ${formatMoney(priced.valor)}${plano && ` do plano ${plano}`}`;

/** The agreement of a line, by the plan's `price` unless it has another; null if there is nothing to bill, or an error. */
function monthlyOf(
  cells: Cells,
  price: number,
  agreed: Surroundings['agreed'],
): MonthlyPrice | string | null {
  const { mensalidade = '', vence_dia = '', mensalidade_desde, mensalidade_ate } = cells;
  const valor = mensalidade === '' ? price : parseMoney(mensalidade);
  if (valor === null || valor < 0) return `Valor não reconhecido: ${mensalidade}`;
  if (valor === 0) return null;
  const desde = mensalidade_desde === undefined ? agreed.desde : dayOfCell(mensalidade_desde);
  const ate = mensalidade_ate === undefined ? null : dayOfCell(mensalidade_ate);
  if (desde === null || (mensalidade_ate !== undefined && ate === null))
    return `Data da mensalidade não reconhecida: ${desde === null ? mensalidade_desde : mensalidade_ate}`;
  return { valor, desde, ate, vence_dia: Number(/\d+/.exec(vence_dia)?.[0] ?? agreed.vence_dia) };
}

/** The limits of a request's body, reduced by what surrounds the lines. */
const BYTES_AT_ONCE = IMPORT_BYTES - 1024;
const VALUES_AT_ONCE = IMPORT_VALUES - 100;

/** Splits lines into the portions of the requests. */
export function portionsOf(lines: readonly ImportLine[]): ImportLine[][] {
  const portions: ImportLine[][] = [];
  const encoder = new TextEncoder();
  let [bytes, values] = [Infinity, Infinity];
  for (const line of lines) {
    const text = JSON.stringify(line);
    const size = encoder.encode(text).length;
    const count = text.split(/[,{[]/).length;
    const last = portions.at(-1);
    if (
      last &&
      last.length < LINES_AT_ONCE &&
      bytes + size <= BYTES_AT_ONCE &&
      values + count <= VALUES_AT_ONCE
    ) {
      last.push(line);
      bytes += size;
      values += count;
    } else {
      portions.push([line]);
      [bytes, values] = [size, count];
    }
  }
  return portions;
}

/**
 * The id of an import, derived from its lines, so that the same file can be continued after an interruption. `attempt` differs
 * for a file that was imported and undone. (Without `crypto.subtle`, which is missing on plain http.)
 */
export function importIdOf(lines: readonly ImportLine[], attempt: number): string {
  const text = `${attempt}\n${JSON.stringify(lines)}`;
  const hex = [1, 2, 3, 4].map((seed) => hash(text, seed).toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** A hash of a text with MurmurHash3's mixing. */
function hash(text: string, seed: number): number {
  let state = Math.imul(seed, 0x9e3779b1);
  for (let at = 0; at < text.length; at += 1) {
    state = Math.imul(state ^ text.charCodeAt(at), 0xcc9e2d51);
    state = (state << 15) | (state >>> 17);
    state = Math.imul(state, 0x1b873593) + 0xe6546b64;
  }
  state ^= state >>> 16;
  state = Math.imul(state, 0x85ebca6b);
  state ^= state >>> 13;
  state = Math.imul(state, 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

/** A file of these lines as they were, with the reasons in a last column; the import reads it like any other. */
export async function leftOutFile(lines: readonly PreviewLine[], { columns, rows }: Table): Promise<Blob> {
  const { default: csv } = await import('papaparse');
  const text = csv.unparse(
    [
      [...columns.map(({ title }) => title), 'Por que ficou de fora'],
      ...lines.map((line) => [...rows[line.linha - 1]!, reasonsOf(line).join('; ')]),
    ],
    { delimiter: ';', escapeFormulae: true },
  );
  // Excel takes a file for UTF-8 only if it begins with this mark.
  return new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' });
}
