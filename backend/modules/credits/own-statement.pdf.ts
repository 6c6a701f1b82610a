import { writePdf } from '../../platform/pdf/pdf.js';
import { plural } from '../../platform/plural.api.js';
import { dayAndTime } from '../../platform/portuguese.js';
import { lineKinds, type StatementLine } from './credits.api.js';

export interface OwnStatementFile {
  /** Null once the person is forgotten. */
  nome: string | null;
  saldo: number;
  /** With whom credits are shared, in a sentence; null where none are. */
  divisao: string | null;
  lacre: string | null;
  /** Where the code is verified. */
  verificacao: string;
  linhas: readonly (StatementLine & { por_que: string })[];
  /** The instant of the statement. */
  em: string;
  zone: string;
  /** False if the oldest lines are omitted. */
  isWhole: boolean;
  writtenAt: Date;
}

/** A student's statement, line by line, newest first. */
export function ownStatementFile({
  nome,
  saldo,
  divisao,
  lacre,
  verificacao,
  linhas,
  em,
  zone,
  isWhole,
  writtenAt,
}: OwnStatementFile): Promise<Buffer> {
  const title = 'Extrato de créditos';
  return writePdf({ title, author: 'Rende', createdAt: writtenAt, footer: title }, async (sheet) => {
    sheet.heading(title);
    sheet.facts([
      ...(nome === null ? [] : [['Aluno', nome] as const]),
      ['Como estava em', dayAndTime(em, zone)],
      [
        'Saldo',
        [plural(saldo, 'crédito', 'créditos'), lacre && `lacre ${lacre}`].filter(Boolean).join(' · '),
      ],
      ...(divisao === null ? [] : [['Créditos divididos', divisao] as const]),
    ]);
    if (linhas.length === 0) return sheet.paragraph('Nenhum crédito ainda.', { dim: true });
    await sheet.table(
      [
        { label: 'Data', width: 2.4 },
        { label: 'Lançamento', width: 2 },
        { label: 'Por quê', width: 4 },
        { label: 'Créditos', width: 1.2, align: 'right' },
        { label: 'Saldo', width: 1, align: 'right' },
      ],
      linhas.map(({ em: moment, tipo, por_que, quantidade, saldo: after }) => [
        dayAndTime(moment, zone),
        lineKinds[tipo],
        por_que,
        signed(quantidade),
        String(after),
      ]),
    );
    if (!isWhole) sheet.paragraph('Só as linhas mais recentes aparecem aqui.', { dim: true });
    if (lacre) sheet.paragraph(`Confira em ${verificacao} se este extrato continua valendo.`, { dim: true });
  });
}

function signed(quantity: number): string {
  if (quantity === 0) return '0';
  return quantity > 0 ? `+${quantity}` : `\u2212${-quantity}`;
}
