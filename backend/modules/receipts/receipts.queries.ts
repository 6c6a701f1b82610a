import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type InferResult, type Kysely, sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { PdfWriter } from '../../platform/pdf/pdf-writer.service.js';
import { brl, initialsOf } from '../../platform/portuguese.js';
import { FindCpf } from '../accounts/profile.queries.js';
import { partsInWords } from '../charges/charge-terms.js';
import type { PaymentMethod } from '../finance/finance.api.js';
import type { PrintedReceipt } from './receipt-file.pdf.js';
import { ReceiptLinks } from './receipt-links.service.js';
import type { Receipt, ShownReceipt, ShownReceiptIssuer } from './receipts.api.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import { sealCodeOf } from '../seals/seal-code.js';
import { firstHash } from '../../platform/event-store/stored-events.js';
import { trainersName } from '../accounts/trainers-name.queries.js';

export const ShowReceipt = defineQuery(
  'ShowReceipt',
  { links: ReceiptLinks },
  async ({ read }, { links }, id: string): Promise<ShownReceipt> => {
    const [[row], [entry]] = await Promise.all([read(issued({ id })), read(payment({ id }))]);
    if (!entry) throw new Problem('finance.transaction_not_found');
    const first = `${entry.mes ?? entry.data.slice(0, 7)}`.slice(0, 7);
    return {
      recibo: row ? shown(row, links) : null,
      sugestao: {
        ...payerOf(entry),
        // What the charge says, since its receita only says that it was one.
        descricao: entry.cobranca ? `${entry.cobranca}${partsInWords(entry)}` : (entry.descricao ?? ''),
        ...{ de: `${first}-01`, ate: lastDay(first) },
      },
    };
  },
);

function shown(row: IssuedRow, links: ReceiptLinks): Receipt {
  const link = links.urlOf(row.id);
  const { prestador, student_nome, whatsapp, email, emitido_em, cancelado_em, ...rest } = row;
  const { tenantId, position, hash, novo_id: _id, novo_numero: _number, ...fields } = rest;
  const lacre = sealCodeOf({ tenantId, position, hash });
  const words = `Oi, ${(student_nome ?? row.nome ?? '').split(' ')[0]}! Segue o recibo nº ${row.numero}, de ${brl(row.valor)} · lacre ${lacre}: ${link}`;
  return {
    ...fields,
    metodo_pagamento: row.metodo_pagamento as PaymentMethod,
    emitido_em: emitido_em.toISOString(),
    cancelado_em: cancelado_em?.toISOString() ?? null,
    codigo: links.codeOf(row.id),
    lacre,
    link,
    whatsapp: whatsapp && whatsAppAddress(whatsapp, words),
    por_email: email !== null,
  };
}

/** Who paid last time, or the student, whose CPF is the one of the student's record. */
function payerOf({ pagador, cpf, student_nome, student_cpf }: PaymentRow) {
  const nome = pagador ?? student_nome ?? '';
  return { nome, cpf: (nome === student_nome ? (student_cpf ?? cpf) : cpf) ?? '' };
}

const lastDay = (month: string) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);

/** A receipt as it is printed, with the one that replaced it when its receita was corrected. */
export interface ReadableReceipt extends PrintedReceipt {
  novo: { numero: number; path: string } | null;
}

/** The receipt of a receita, for everybody with its link. */
export const ReadReceipt = defineQuery(
  'ReadReceipt',
  { links: ReceiptLinks },
  async ({ context: { timezone }, read }, { links }, id: string): Promise<ReadableReceipt> => {
    const [row] = await read(issued({ id }));
    if (!row) throw new Problem('receipts.not_found');
    const { numero, nome, cpf, descricao, valor, data, de, ate, emitido_em, cancelado_em } = row;
    return {
      ...{ numero, nome, cpf, descricao, valor, data, de, ate, emitido_em },
      prestador: row.prestador as PrintedReceipt['prestador'],
      metodo_pagamento: row.metodo_pagamento as PaymentMethod,
      dia: dateOf(emitido_em, timezone),
      cancelado: cancelado_em && dateOf(cancelado_em, timezone),
      codigo: links.codeOf(id),
      lacre: sealCodeOf(row),
      verificacao: links.verificationUrlOf(id),
      novo: row.novo_id === null ? null : { numero: row.novo_numero!, path: links.pathOf(row.novo_id) },
    };
  },
);

/** The same as a file. */
export const PrintReceipt = defineQuery(
  'PrintReceipt',
  { pdfs: PdfWriter, queries: QueryBus },
  async ({ context }, { pdfs, queries }, id: string) => {
    const receipt = await queries.execute(new ReadReceipt(context, id));
    const file = await pdfs.write<PrintedReceipt>(context.tenantId, 'receipt', receipt);
    return { numero: receipt.numero, file };
  },
);

/** What a receipt's code reveals of it. */
export interface VerifiedReceipt {
  resultado: 'valido' | 'cancelado';
  numero: number;
  valor: number;
  data: string;
  iniciais: string;
}

export class VerifyReceipt extends Query<VerifiedReceipt> {
  constructor(readonly code: string) {
    super();
  }
}

@QueryHandler(VerifyReceipt)
export class VerifyReceiptHandler implements IQueryHandler<VerifyReceipt> {
  constructor(
    private readonly database: Database,
    private readonly links: ReceiptLinks,
  ) {}

  async execute({ code }: VerifyReceipt): Promise<VerifiedReceipt> {
    const { tenantId, transactionId } = await this.links.findCode(code);
    const [row] = await this.database.read(tenantId, issued({ id: transactionId }));
    // The receipt is not projected yet.
    if (!row) throw new Problem('receipts.code_not_found');
    const { numero, valor, data, nome } = row;
    return {
      resultado: row.cancelado_em === null ? 'valido' : 'cancelado',
      ...{ numero, valor, data, iniciais: initialsOf(nome) },
    };
  }
}

export const ShowReceiptIssuer = defineQuery(
  'ShowReceiptIssuer',
  { queries: QueryBus },
  async ({ context, read }, { queries }): Promise<ShownReceiptIssuer> => {
    const [row] = await read(issuer({}));
    const { nome, documento, cref, cidade, personal } = row!;
    const isSet = nome !== null && documento !== null && cidade !== null;
    return {
      emitente: isSet ? { nome, documento, cref, cidade } : null,
      nome: personal ?? '',
      cpf: isSet ? null : await queries.execute(new FindCpf(context)),
    };
  },
);

/** Receipts with the current state of their receita. That of the corrected receita replaces one for the same payer. */
const fullReceipts = (db: Kysely<DB>) =>
  db
    .selectFrom('receipts as r')
    .leftJoin('transactions as t', (join) => sameTenant(join, 't.id', 'r.id'))
    .leftJoin('transactions as e', (join) => sameTenant(join, 'e.id', 't.estornada_por'))
    .leftJoin('receipts as n', (join) =>
      sameTenant(join, 'n.id', 't.corrigida_por')
        .on(sql<boolean>`n.student_id is not distinct from r.student_id`)
        .onRef('n.nome', '=', 'r.nome'),
    )
    .leftJoin('students as s', (join) => sameTenant(join, 's.id', 'r.student_id'))
    .innerJoinLateral(
      (first) =>
        first
          .selectFrom('events as e')
          .select(['e.tenant_id', 'e.position', 'e.meta', 'e.hash'])
          .whereRef('e.tenant_id', '=', 'r.tenant_id')
          .where('e.stream_id', '=', sql<string>`'transaction:' || r.id`)
          .where('e.version', '=', 1)
          .limit(1)
          .as('v'),
      (join) => join.onTrue(),
    )
    .select(['v.tenant_id as tenantId', 'v.position'])
    .select(sql<string>`${sql.raw(firstHash('v'))}`.as('hash'))
    .select(['r.id', 'r.numero', 'r.nome', 'r.cpf', 'r.descricao', 'r.valor', 'r.data', 'r.metodo_pagamento'])
    .select(['r.de', 'r.ate', 'r.prestador', 'r.emitido_em', 'e.registrada_em as cancelado_em'])
    .select(['n.id as novo_id', 'n.numero as novo_numero'])
    .select(['s.nome as student_nome', 's.whatsapp', 's.email']);

export const issued = statement((db, { id }: Blanks<{ id: string }>) =>
  fullReceipts(db).where('r.id', '=', id).compile(),
);

type IssuedRow = InferResult<ReturnType<typeof fullReceipts>>[number];

type PaymentRow = InferResult<ReturnType<typeof payment>>[number];

/** With `coalesce` no index would serve under row security. */
const payer = sql<string>`case when t.student_id is null then p.student_id else t.student_id end`;

/** A receita, its student, and the payer of the student's last receipt. */
const payment = statement((db, { id }: Blanks<{ id: string }>) =>
  db
    .selectFrom('transactions as t')
    .leftJoin('charge_payments as p', (join) => sameTenant(join, 'p.id', 't.id'))
    .leftJoin('charges as c', (join) => sameTenant(join, 'c.id', 'p.charge_id'))
    .leftJoin('students as s', (join) => join.onRef('s.tenant_id', '=', 't.tenant_id').on('s.id', '=', payer))
    .leftJoinLateral(
      sql<{ multa: number | null; juros: number | null; desconto: number | null }>`(
        select (e ->> 'multa')::int as multa, (e ->> 'juros')::int as juros, (e ->> 'desconto')::int as desconto
        from jsonb_array_elements(c.pagamentos) e where e ->> 'transaction_id' = t.id::text)`.as('parts'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (other) =>
        other
          .selectFrom('receipts as r')
          .select(['r.nome as pagador', 'r.cpf'])
          .where('r.student_id', '=', payer)
          .orderBy('r.numero', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select([
      't.data',
      't.descricao',
      'c.descricao as cobranca',
      'c.mes',
      'parts.multa',
      'parts.juros',
      'parts.desconto',
      's.nome as student_nome',
      's.cpf as student_cpf',
    ])
    .select(['last.pagador', 'last.cpf'])
    .where('t.id', '=', id)
    .compile(),
);

const issuer = statement((db) =>
  db
    .selectFrom(sql`(select 1)`.as('one'))
    .leftJoin('receipt_issuers as i', (join) => join.onTrue())
    .select(['i.nome', 'i.documento', 'i.cref', 'i.cidade'])
    .select(trainersName.as('personal'))
    .compile(),
);
