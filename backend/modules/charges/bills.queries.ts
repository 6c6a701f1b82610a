import { type RawBuilder, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { brl, firstName } from '../../platform/portuguese.js';
import type { Bill, BillItem, BillPayment } from './bills.api.js';
import { billTxidOf } from '../payers/payer.js';
import { type OpenCharge, owedOn } from './charge-terms.api.js';
import { openCharge, whatsAppLink } from './charges.queries.js';
import { PaymentLinks } from './payment-links.service.js';
import { codeFor, pixAccount } from './pix-notices.queries.js';

/** An open charge as it is stored. */
export interface OpenOfPayer extends Pick<BillItem, 'id' | 'student_id' | 'aluno' | 'descricao'> {
  aberto: OpenCharge;
  avisada: boolean;
}

/**
 * The open charges of a payer's students, the earliest due date first; null if there is none, or no payer. Without those of bookings
 * that do not stand yet, which their own page asks for.
 */
export const openOfPayer = (payer: RawBuilder<string | null>) => sql<OpenOfPayer[] | null>`(
  select json_agg(json_build_object('id', c.id, 'student_id', s.id, 'aluno', s.nome, 'descricao', c.descricao,
    'avisada', c.avisada_em is not null, 'aberto', ${openCharge}) order by c.vencimento, c.id)
  from student_payers l
  join students s on s.tenant_id = l.tenant_id and s.id = l.id
  join charges c on c.tenant_id = l.tenant_id and c.student_id = l.id
  where l.payer_id = ${payer} and c.status = 'aberta' and s.nome is not null
    and (c.entrada is null or c.pago >= c.entrada))`;

/** What is owed today, in cents. */
export const sumOf = (open: readonly OpenOfPayer[], today: string): number =>
  open.reduce((sum, { aberto }) => sum + owedOn(aberto, today).total, 0);

/** `Ana e Bia` */
export function studentsIn(open: readonly OpenOfPayer[]): string {
  const names = new Set(open.map(({ aluno }) => firstName(aluno)));
  return new Intl.ListFormat('pt-BR').format(names);
}

/** The message about all that is open. */
export function billMessage(
  { nome, open, link }: { nome: string; open: readonly OpenOfPayer[]; link: string },
  today: string,
): string {
  const overdue = open.filter(({ aberto }) => aberto.vencimento < today);
  const late = overdue.length > 0 ? `, sendo ${brl(sumOf(overdue, today))} já vencidos` : '';
  return `Oi, ${firstName(nome)}! Segue a conta de ${studentsIn(open)}: ${brl(sumOf(open, today))}${late}. Para ver e pagar tudo de uma vez: ${link}`;
}

export const ShowBill = defineQuery(
  'ShowBill',
  { links: PaymentLinks },
  async ({ context, now, read }, { links }, payerId: string): Promise<Bill> => {
    const today = dateOf(now, context.timezone);
    const [[row], [account]] = await Promise.all([read(billOf({ payerId })), read(pixAccount({}))]);
    if (!row) throw new Problem('payers.not_found');
    const open = row.conta ?? [];
    const total = sumOf(open, today);
    const link = open.length > 0 && row.link_id && row.nome !== null ? links.urlOf(row.link_id) : null;
    const mensagem = link && billMessage({ nome: row.nome!, open, link }, today);
    return {
      total,
      itens: open.map((one) => shownItem(one, today)),
      pagamentos: row.pagamentos,
      link,
      mensagem,
      whatsapp: mensagem && whatsAppLink(row.whatsapp, mensagem),
      pix: codeFor(account, total, billTxidOf(payerId)),
    };
  },
);

export const shownItem = ({ aberto, avisada: _, ...item }: OpenOfPayer, today: string): BillItem => ({
  ...item,
  vencimento: aberto.vencimento,
  falta: aberto.falta,
  hoje: owedOn(aberto, today),
});

const MOST_PAYMENTS = 10;

export const billOf = statement((db, { payerId }: Blanks<{ payerId: string }>) =>
  db
    .selectFrom('payers as y')
    .select(['y.nome', 'y.whatsapp', 'y.link_id', openOfPayer(sql`y.id`).as('conta')])
    .select(
      sql<BillPayment[]>`coalesce((select json_agg(p.one order by p.em desc) from (
        select b.em, json_build_object('id', b.id, 'valor', kept.valor, 'data', b.data, 'metodo_pagamento', b.metodo_pagamento,
          'cobrancas', kept.n, 'transaction_id', kept.receita) as one
        from bill_payments b
        cross join lateral (
          select sum(p.valor)::bigint as valor, count(*)::int as n, (array_agg(p.transaction_id order by part.n))[1] as receita
          from rows from (jsonb_to_recordset(b.partes) as (charge_id uuid, payment_id uuid)) with ordinality as part (charge_id, payment_id, n)
          join charges c on c.tenant_id = b.tenant_id and c.id = part.charge_id
          cross join jsonb_to_recordset(c.pagamentos) as p (id uuid, transaction_id uuid, valor bigint, estornado boolean)
          where p.id = part.payment_id and not p.estornado and p.valor > 0
        ) kept
        where b.payer_id = y.id and not b.desfeito and kept.n > 0 order by b.em desc
        limit ${sql.lit(MOST_PAYMENTS)}) p), '[]')`.as('pagamentos'),
    )
    .where('y.id', '=', payerId)
    .where('y.removed', '=', false)
    .compile(),
);
