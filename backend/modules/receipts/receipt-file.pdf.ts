import { writePdf } from '../../platform/pdf/pdf.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import { amountInWords } from './amount-in-words.js';
import type { PaymentMethod } from '../finance/finance.api.js';
import { methodNames } from '../finance/money-words.api.js';
import { formatDocument } from '../students/document.api.js';
import type { Issuer } from './receipt-issuer.js';

export interface PrintedReceipt {
  numero: number;
  /** Of several receitas, what each is; empty for one. */
  partes: { aluno: string | null; descricao: string | null; valor: number }[];
  nome: string | null;
  cpf: string | null;
  descricao: string | null;
  valor: number;
  data: string;
  metodo_pagamento: PaymentMethod;
  de: string;
  ate: string;
  prestador: Issuer;
  /** Day on which it was issued. */
  dia: string;
  emitido_em: Date;
  /** Day of the reversing entry; null while it is valid. */
  cancelado: string | null;
  codigo: string;
  /** Names the payment's entry of the log. */
  lacre: string;
  verificacao: string;
}

const LONG = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
const longDate = (day: string) => new Date(`${day}T12:00:00Z`).toLocaleDateString('pt-BR', LONG);

const kindOf = (document: string | null) => (document?.length === 14 ? 'CNPJ' : 'CPF');

/** A period, or its one day. */
export const periodOf = ({ de, ate }: Pick<PrintedReceipt, 'de' | 'ate'>): string =>
  de === ate ? shortDate(de) : `${shortDate(de)} a ${shortDate(ate)}`;

/** Name and document of the payer. */
const payerOf = ({ nome, cpf }: PrintedReceipt) =>
  [nome ?? 'Nome apagado', cpf ? `${kindOf(cpf)} ${formatDocument(cpf)}` : null].filter(Boolean).join(', ');

/** The receipt as one page: amount in figures and words, payer, issuer, and how to verify it. */
export function receiptFile(receipt: PrintedReceipt): Promise<Buffer> {
  const { numero, valor, data, metodo_pagamento, de, ate, prestador, descricao, cancelado, partes } = receipt;
  // No line break between currency and digits.
  const amount = brl(valor);
  const info = {
    title: `Recibo nº ${numero}`,
    author: prestador.nome ?? 'Rende',
    createdAt: receipt.emitido_em,
    footer: `Recibo nº ${numero} · Código ${receipt.codigo}`,
    keywords: `Rende ${receipt.codigo}`,
  };
  return writePdf(info, async (sheet) => {
    sheet.heading(`Recibo nº ${numero}`);
    sheet.paragraph(amount, { size: 26, bold: true, gap: 14 });
    if (cancelado !== null) {
      sheet.alarm(
        'CANCELADO',
        `${partes.length > 0 ? 'Uma receita' : 'A receita'} deste recibo foi estornada em ${shortDate(cancelado)}. Este recibo não tem mais validade.`,
      );
    }
    sheet.paragraph(
      [
        { text: 'Recebi de ' },
        { text: payerOf(receipt), bold: true },
        { text: ', a importância de ' },
        { text: `${amount} (${amountInWords(valor)})`, bold: true },
        {
          text: `, referente a ${descricao ?? 'serviços prestados'}, ${de === ate ? 'no dia' : 'no período de'} ${periodOf(receipt)}.`,
        },
      ],
      { size: 12, gap: 18 },
    );
    if (partes.length > 0)
      await sheet.table(
        [
          { label: 'Aluno', width: 2.4 },
          { label: 'Referente a', width: 4.8 },
          { label: 'Valor', width: 1.5, align: 'right' },
        ],
        partes.map((part) => [part.aluno ?? 'Nome apagado', part.descricao ?? '', brl(part.valor)]),
        { total: ['Total', '', amount] },
      );
    sheet.facts([
      ['Quem pagou', receipt.nome ?? 'Nome apagado'],
      [`${kindOf(receipt.cpf)} de quem pagou`, receipt.cpf ? formatDocument(receipt.cpf) : 'Não informado'],
      // The table says of each what it is for.
      ...(partes.length > 0 ? [] : [['Referente a', descricao ?? 'Serviços prestados'] as const]),
      ['Período', periodOf(receipt)],
      ['Data do pagamento', shortDate(data)],
      ['Meio de pagamento', methodNames[metodo_pagamento]],
    ]);
    sheet.rule();
    sheet.facts([
      ['Quem recebeu', prestador.nome ?? ''],
      [kindOf(prestador.documento), formatDocument(prestador.documento ?? '')],
      ...(prestador.cref ? [['CREF', prestador.cref] as const] : []),
    ]);
    sheet.paragraph(`${prestador.cidade ?? ''}, ${longDate(receipt.dia)}`);
    sheet.signature(prestador.nome ?? '', ...(prestador.cref ? [`CREF ${prestador.cref}`] : []));
    sheet.space(10);
    sheet.qr(receipt.verificacao, [
      'Confira se este recibo é verdadeiro e se continua válido:',
      receipt.verificacao,
      `Código ${receipt.codigo} · lacre ${receipt.lacre}`,
    ]);
  });
}
