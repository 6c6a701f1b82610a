import { writePdf } from '../../platform/pdf/pdf.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import type { ExpenseCategory } from '../finance/finance.api.js';
import { categoryNames } from '../finance/money-words.api.js';
import { formatDocument } from '../students/document.api.js';

export interface ReportedEntry {
  data: string;
  /** Cents. */
  valor: number;
  descricao: string | null;
  categoria: ExpenseCategory | null;
  pagador: string | null;
  cpf: string | null;
  recibo: number | null;
}

export interface MonthReport {
  /** `2026-11` */
  month: string;
  /** The issuer of receipts; null if not set. */
  prestador: { nome: string | null; documento: string | null; cref: string | null } | null;
  /** Totals of the whole month, even if the lists below are shortened. */
  quantidade: number;
  recebido: number;
  gasto: number;
  /** Oldest first; shortened for a long month. */
  receitas: readonly ReportedEntry[];
  despesas: readonly ReportedEntry[];
  /** Names the newest entry of the month, and the page that verifies it; null for a month without entries. */
  lacre: string | null;
  verificacao: string;
  writtenAt: Date;
  /** Of a past moment: when, in words. */
  asOf?: string;
}

const MONTH = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;

/** A month's receitas and despesas for the accountant, without reversed ones. */
export function monthReport({
  month,
  prestador,
  quantidade,
  recebido,
  gasto,
  receitas,
  despesas,
  lacre,
  verificacao,
  writtenAt,
  asOf,
}: MonthReport): Promise<Buffer> {
  const title = `Financeiro de ${new Date(`${month}-15T12:00:00Z`).toLocaleDateString('pt-BR', MONTH)}`;
  const info = { title, author: prestador?.nome ?? 'Rende', createdAt: writtenAt, footer: title };
  const printed = receitas.length + despesas.length;
  return writePdf(info, async (sheet) => {
    sheet.heading(title);
    if (asOf) sheet.paragraph(`Como estava em ${asOf}, também onde algo mudou depois.`);
    sheet.facts([
      ...(prestador?.nome ? [['Profissional', prestador.nome] as const] : []),
      ...(prestador?.cref ? [['CREF', prestador.cref] as const] : []),
      ['Recebido', brl(recebido)],
      ['Despesas', brl(gasto)],
      ['Lucro', brl(recebido - gasto)],
      ...(lacre ? [['Lacre', lacre] as const] : []),
    ]);
    if (printed < quantidade)
      sheet.paragraph(
        `Este arquivo mostra os primeiros ${printed} de ${quantidade} lançamentos. Os totais são do mês inteiro; a lista completa está em “Baixar CSV”, no Financeiro.`,
      );
    sheet.heading('Receitas', 2);
    await sheet.table(
      [
        { label: 'Data', width: 1.75 },
        { label: 'Quem pagou', width: 2.6 },
        { label: 'CPF ou CNPJ', width: 2.9 },
        { label: 'Referente a', width: 2.4 },
        { label: 'Recibo', width: 1.2, align: 'right' },
        { label: 'Valor', width: 1.7, align: 'right' },
      ],
      receitas.map(({ data, pagador, cpf, descricao, recibo, valor }) => [
        shortDate(data),
        pagador ?? '',
        cpf ? formatDocument(cpf) : '',
        descricao ?? '',
        recibo === null ? '' : String(recibo),
        brl(valor),
      ]),
      { total: ['Total', '', '', '', '', brl(recebido)] },
    );
    sheet.heading('Despesas', 2);
    await sheet.table(
      [
        { label: 'Data', width: 1.75 },
        { label: 'Categoria', width: 2.2 },
        { label: 'Descrição', width: 5 },
        { label: 'Valor', width: 1.7, align: 'right' },
      ],
      despesas.map(({ data, categoria, descricao, valor }) => [
        shortDate(data),
        categoria === null ? '' : categoryNames[categoria],
        descricao ?? '',
        brl(valor),
      ]),
      { total: ['Total', '', '', brl(gasto)] },
    );
    sheet.paragraph('Lançamentos estornados não entram nestas listas nem nos totais.', { dim: true });
    if (lacre) sheet.paragraph(`Confira em ${verificacao} se o mês continua assim.`, { dim: true });
  });
}
