import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type InferResult, type Kysely, sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { PdfWriter } from '../../platform/pdf/pdf-writer.service.js';
import { plural } from '../../platform/plural.api.js';
import { brl, firstName, initialsOf } from '../../platform/portuguese.js';
import { FindCpf } from '../accounts/profile.queries.js';
import { partsInWords } from '../charges/charge-terms.js';
import type { PaymentMethod } from '../finance/finance.api.js';
import type { ReceiptPart } from './receipt.js';
import type { PrintedReceipt } from './receipt-file.pdf.js';
import { ReceiptLinks } from './receipt-links.service.js';
import type { Receipt, ShownReceipt, ShownReceiptIssuer } from './receipts.api.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import { whoPays } from '../payers/payers.queries.js';
import { sealCodeOf } from '../seals/seal-code.js';
import { firstHash } from '../../platform/event-store/stored-events.js';
import { trainersName } from '../accounts/trainers-name.queries.js';

export const ShowReceipt = defineQuery(
  'ShowReceipt',
  { links: ReceiptLinks },
  async ({ read }, { links }, id: string): Promise<ShownReceipt> => {
    const [[row], [entry]] = await Promise.all([read(issuedFor({ id })), read(payment({ id }))]);
    if (!entry) throw new Problem('finance.transaction_not_found');
    const first = `${entry.mes ?? entry.data.slice(0, 7)}`.slice(0, 7);
    const partes = row ? (row.partes as ReceiptPart[]) : (entry.conta ?? []).map(ofPart);
    return {
      recibo: row ? shown(row, links) : null,
      partes: partes.map(({ aluno, descricao, valor }) => ({ aluno, descricao, valor })),
      sugestao: {
        ...payerOf(entry),
        descricao: partes.length > 0 ? purposeOfAll(partes) : purposeOf(entry),
        de: `${first}-01`,
        ate: lastDay(first),
      },
    };
  },
);

interface Part extends Purpose {
  aluno: string | null;
  valor: number;
}
interface Purpose extends ChargeParts {
  cobranca: string | null;
  descricao: string | null;
}
type ChargeParts = Record<'multa' | 'juros' | 'desconto', number | null>;

/** What the charge says, since its receita only says that it was one. */
const purposeOf = ({ cobranca, descricao, ...parts }: Purpose): string =>
  cobranca ? `${cobranca}${partsInWords(parts)}` : (descricao ?? '');

const ofPart = (part: Part) => ({ aluno: part.aluno, descricao: purposeOf(part), valor: part.valor });

/** `Aulas de 2 alunos`. The parts name them: what is said of all stays when one of them is forgotten. */
function purposeOfAll(parts: readonly { aluno: string | null }[]): string {
  const students = new Set(parts.map(({ aluno }) => aluno)).size;
  return students > 1 ? `Aulas de ${plural(students, 'aluno', 'alunos')}` : 'Aulas';
}

function shown(row: IssuedRow, links: ReceiptLinks): Receipt {
  const link = links.urlOf(row.id);
  const {
    prestador,
    pagador_nome,
    payer_id: _payer,
    whatsapp,
    email,
    emitido_em,
    cancelado_em,
    partes: _parts,
    ...rest
  } = row;
  const { tenantId, position, hash, novo_id: _id, novo_numero: _number, ...fields } = rest;
  const lacre = sealCodeOf({ tenantId, position, hash });
  const words = `Oi, ${firstName(pagador_nome ?? row.nome ?? '')}! Segue o recibo nº ${row.numero}, de ${brl(row.valor)} · lacre ${lacre}: ${link}`;
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

/** The payer who paid, or who pays by now; without one who paid last time, or the student, whose CPF is the one of the student's record. */
function payerOf({ payer_id, quem_paga, documento, pagador, cpf, student_nome, student_cpf }: PaymentRow) {
  if (quem_paga !== null) return { payer_id, nome: quem_paga, cpf: documento ?? '' };
  const nome = pagador ?? student_nome ?? '';
  return { payer_id: null, nome, cpf: (nome === student_nome ? (student_cpf ?? cpf) : cpf) ?? '' };
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
    const partes = row.partes as ReceiptPart[];
    return {
      numero,
      nome,
      cpf,
      descricao,
      valor,
      data,
      de,
      ate,
      emitido_em,
      partes: partes.map((part) => ({ aluno: part.aluno, descricao: part.descricao, valor: part.valor })),
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
  /** Whether it is of several receitas, of which the reversal of one cancels it. */
  varias: boolean;
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
    const { numero, valor, data, nome, partes } = row;
    return {
      resultado: row.cancelado_em === null ? 'valido' : 'cancelado',
      numero,
      valor,
      data,
      iniciais: initialsOf(nome),
      varias: (partes as ReceiptPart[]).length > 0,
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

/** Receipts with the current state of their receitas. That of the corrected receita replaces one for the same payer. */
const fullReceipts = (db: Kysely<DB>) =>
  db
    .selectFrom('receipts as r')
    .leftJoin('transactions as t', (join) => sameTenant(join, 't.id', 'r.id'))
    .leftJoin('receipts as n', (join) =>
      sameTenant(join, 'n.id', 't.corrigida_por')
        .on(sql<boolean>`n.student_id is not distinct from r.student_id`)
        .on(
          sql<boolean>`n.payer_id is not distinct from r.payer_id and (n.payer_id is not null or n.nome = r.nome)`,
        ),
    )
    .leftJoin('students as s', (join) => sameTenant(join, 's.id', 'r.student_id'))
    .leftJoin('payers as y', (join) => sameTenant(join, 'y.id', 'r.payer_id'))
    .innerJoinLateral(
      (first) =>
        first
          .selectFrom('events as e')
          .select(['e.tenant_id', 'e.position', 'e.meta', 'e.hash'])
          .whereRef('e.tenant_id', '=', 'r.tenant_id')
          .where(
            'e.stream_id',
            '=',
            sql<string>`case when r.partes = '[]' then 'transaction:' else 'bill-payment:' end || r.id`,
          )
          .where('e.version', '=', 1)
          .limit(1)
          .as('v'),
      (join) => join.onTrue(),
    )
    .select(['v.tenant_id as tenantId', 'v.position'])
    .select(sql<string>`${sql.raw(firstHash('v'))}`.as('hash'))
    .select(['r.id', 'r.numero', 'r.nome', 'r.cpf', 'r.descricao', 'r.valor', 'r.data', 'r.metodo_pagamento'])
    .select(['r.de', 'r.ate', 'r.prestador', 'r.emitido_em', 'r.partes'])
    .select(
      sql<Date | null>`(select min(x.registrada_em) from receipt_entries e
        join transactions one on one.tenant_id = e.tenant_id and one.id = e.id
        join transactions x on x.tenant_id = one.tenant_id and x.id = one.estornada_por
        where e.tenant_id = r.tenant_id and e.receipt_id = r.id)`.as('cancelado_em'),
    )
    .select(['n.id as novo_id', 'n.numero as novo_numero'])
    .select('r.payer_id')
    .select([whoPays.nome.as('pagador_nome'), whoPays.whatsapp.as('whatsapp'), whoPays.email.as('email')]);

export const issued = statement((db, { id }: Blanks<{ id: string }>) =>
  fullReceipts(db).where('r.id', '=', id).compile(),
);

/** That of a receita. One that is cancelled by the reversal of another receita is none of this one any more. */
const issuedFor = statement((db, { id }: Blanks<{ id: string }>) =>
  fullReceipts(db)
    .where(
      'r.id',
      '=',
      sql<string>`(select e.receipt_id from receipt_entries e join transactions own on own.tenant_id = e.tenant_id and own.id = e.id
        where e.id = ${id} and (not e.cancelada or own.estornada_por is not null))`,
    )
    .compile(),
);

type IssuedRow = InferResult<ReturnType<typeof fullReceipts>>[number];

type PaymentRow = InferResult<ReturnType<typeof payment>>[number];

/** With `coalesce` no index would serve under row security. */
const payer = sql<string>`case when t.student_id is null then p.student_id else t.student_id end`;

/** What a receita `t` has of a charge `c` besides its amount. */
const partsOf = (t: string, c: string) =>
  sql<ChargeParts>`(
    select (e ->> 'multa')::int as multa, (e ->> 'juros')::int as juros, (e ->> 'desconto')::int as desconto
    from jsonb_array_elements(${sql.ref(`${c}.pagamentos`)}) e where e ->> 'transaction_id' = ${sql.ref(`${t}.id`)}::text)`;

/** Of a receita that is part of a payment of several charges, what each is; null where each has a receipt of its own. */
const PAID_AT_ONCE = sql<Part[] | null>`(
  select case when count(*) > 1 and bool_and(one.estornada_por is null and re.id is null) then
    json_agg(json_build_object('aluno', w.nome, 'cobranca', k.descricao, 'descricao', one.descricao, 'valor', one.valor,
      'multa', terms.multa, 'juros', terms.juros, 'desconto', terms.desconto) order by k.vencimento, k.id) end
  from charge_payments b
  join transactions one on one.tenant_id = b.tenant_id and one.id = b.id
  join charges k on k.tenant_id = b.tenant_id and k.id = b.charge_id
  join students w on w.tenant_id = b.tenant_id and w.id = b.student_id
  left join receipt_entries re on re.tenant_id = b.tenant_id and re.id = b.id
  left join lateral ${partsOf('one', 'k')} terms on true
  where b.tenant_id = t.tenant_id and b.bill_id = p.bill_id)`;

/** A receita, its student, and the payer of the student's last receipt. */
const payment = statement((db, { id }: Blanks<{ id: string }>) =>
  db
    .selectFrom('transactions as t')
    .leftJoin('charge_payments as p', (join) => sameTenant(join, 'p.id', 't.id'))
    .leftJoin('charges as c', (join) => sameTenant(join, 'c.id', 'p.charge_id'))
    .leftJoin('students as s', (join) => join.onRef('s.tenant_id', '=', 't.tenant_id').on('s.id', '=', payer))
    .leftJoin('student_payers as l', (join) => sameTenant(join, 'l.id', 's.id'))
    .leftJoin('payers as y', (join) =>
      join
        .onRef('y.tenant_id', '=', 't.tenant_id')
        .on('y.id', '=', sql<string>`case when p.payer_id is null then l.payer_id else p.payer_id end`),
    )
    .leftJoinLateral(partsOf('t', 'c').as('parts'), (join) => join.onTrue())
    .leftJoinLateral(
      (other) =>
        other
          .selectFrom('receipts as r')
          .select(['r.nome as pagador', 'r.cpf'])
          .where('r.student_id', '=', payer)
          .where('r.payer_id', 'is', null)
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
      PAID_AT_ONCE.as('conta'),
      's.nome as student_nome',
      's.cpf as student_cpf',
    ])
    .select(['last.pagador', 'last.cpf', 'y.id as payer_id', 'y.nome as quem_paga', 'y.documento'])
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
