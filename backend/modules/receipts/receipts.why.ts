import { sql } from 'kysely';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { Asked, Asker, PastEvent, WhyLink, WhySource } from '../../platform/event-store/why.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import type { ReceiptChannel } from './receipts.api.js';

interface Row {
  student_id: string | null;
  numero: number;
  valor: number;
  de: string;
  ate: string;
  descricao: string | null;
  emitido: number;
  envios: { posicao: number; canal: ReceiptChannel }[];
  /** Position of the reversal of its receita. */
  cancelado: number | null;
  /** The receipt of the receita that corrects its own. */
  novo: { id: string; numero: number } | null;
  receitas: string[];
}

/** Without the payer's name, which the law keeps for other ends. */
const row = statement((db, { id }: Blanks<Asked>) =>
  sql<Row>`
  with past as (
    select position, type, data from history where subject = 'transaction:' || ${id}::text
      and type in ('ReceiptIssued', 'ReceiptSent')
  ), entries as (
    select t.* from receipt_entries e join transactions t on t.tenant_id = e.tenant_id and t.id = e.id where e.receipt_id = ${id}
  )
  select r.student_id, r.numero, r.valor, r.de, r.ate, r.descricao,
    (select position from past where type = 'ReceiptIssued') as emitido,
    (select coalesce(json_agg(json_build_object('posicao', position, 'canal', data ->> 'canal') order by position desc), '[]')
     from past where type = 'ReceiptSent') as envios,
    (select min(position) from history where type = 'TransactionReversed'
      and subject = any(array(select 'transaction:' || id from entries where estornada_por is not null))) as cancelado,
    array(select id::text from entries order by id) as receitas,
    (select json_build_object('id', n.id, 'numero', n.numero) from receipts n
     where n.tenant_id = r.tenant_id and n.id = t.corrigida_por and n.student_id is not distinct from r.student_id) as novo
  from receipts r left join transactions t on t.tenant_id = r.tenant_id and t.id = r.id
  where r.id = ${id}`.compile(db),
);

/** A receipt says what was paid when it was issued, until its receita is reversed; the payment says the rest. */
export const receiptWhy: WhySource = {
  rows: row,
  explain([receipt]: [Row], _events: readonly PastEvent[], { isOwn }: Asker) {
    const { student_id, numero, valor, de, ate, descricao, emitido, envios, cancelado, novo } = receipt;
    const issued = `nº ${numero}, de ${brl(valor)}, referente a ${descricao ?? 'aulas'}, de ${shortDate(de)} a ${shortDate(ate)}`;
    const links: WhyLink[] = [
      ...(novo === null
        ? []
        : [
            {
              titulo: 'Recibo',
              texto: `Vale agora o recibo nº ${novo.numero}.`,
              posicao: null,
              of: { kind: 'receipt', id: novo.id },
            },
          ]),
      ...(cancelado === null
        ? []
        : [
            {
              titulo: 'Recibo',
              texto: `Cancelado: ${receipt.receitas.length > 1 ? 'uma parte do pagamento foi estornada' : `o pagamento foi ${novo === null ? 'estornado' : 'corrigido'}`}.`,
              posicao: cancelado,
            },
          ]),
      ...envios.map(({ posicao, canal }) => ({
        titulo: 'Recibo',
        posicao,
        texto: `Enviado por ${canal === 'email' ? 'e-mail' : 'WhatsApp'}.`,
      })),
      { titulo: 'Recibo', texto: `Emitido: ${issued}.`, posicao: emitido },
    ];
    return {
      student_id,
      pergunta: questionOf(receipt, isOwn),
      links,
      causes: receipt.receitas.map((id) => ({ kind: 'transaction', id })),
    };
  },
};

function questionOf({ numero, valor, cancelado }: Row, isOwn: boolean): string {
  if (cancelado !== null) return `Por que o recibo nº ${numero} está cancelado?`;
  return isOwn ? `Por que paguei ${brl(valor)}?` : `Por que o recibo nº ${numero} é de ${brl(valor)}?`;
}
