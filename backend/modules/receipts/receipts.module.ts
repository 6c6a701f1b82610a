import { Module, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { DEAD_LINK, pageFailures } from '../../platform/http/pages/page-failures.html.js';
import { together, serve } from '../../platform/http/serve.js';
import { defineGuard } from '../../platform/event-store/guard.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { brl, firstName } from '../../platform/portuguese.js';
import { reassignedWords } from '../students/reassigned.js';
import { ownPaymentsApi } from './own-payments.api.js';
import { ListOwnPayments, ListPaymentsOfStudent } from './own-payments.queries.js';
import { receipt, type ReceiptEvent } from './receipt.js';
import { type Issuer, receiptIssuerStream, type ReceiptIssuerEvent } from './receipt-issuer.js';
import { ReceiptLinks } from './receipt-links.service.js';
import { receiptsApi, receiptIssuerApi, receiptErrors } from './receipts.api.js';
import { IssueReceipt, SendReceipt, SetReceiptIssuer } from './receipts.commands.js';
import { PrintMonth, WriteCarneLeao, WriteCarneLeaoWeb } from './month-sheets.queries.js';
import { MonthSheetsController, ReceiptPageController } from './receipts.controller.js';
import { receiptWhy } from './receipts.why.js';
import {
  ShowReceipt,
  ShowReceiptIssuer,
  PrintReceipt,
  ReadReceipt,
  VerifyReceiptHandler,
  issued,
} from './receipts.queries.js';
import type { TransactionEvent } from '../finance/transaction.js';
import { sqlProjection, stateProjection, studentIfAny } from '../../platform/projections/projection.js';
import { Database } from '../../platform/database/database.js';
import type { Letter } from '../../platform/mail/letter.js';
import { ALL_MAILS, type Mail, Outbox } from '../../platform/mail/outbox.js';
import { defineReaction, Reactions } from '../../platform/reactions/define-reaction.js';

const KIND = 'receipts.receipt';

/** Mails a receipt to who paid, if the trainer requested that. */
const receiptMail = defineReaction({
  name: 'receipt-mail',
  events: ['ReceiptSent'] satisfies ReceiptEvent['type'][],
});

@Injectable()
class ReceiptMails implements OnModuleInit {
  constructor(
    private readonly reactions: Reactions,
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly links: ReceiptLinks,
  ) {}

  onModuleInit(): void {
    this.outbox.define(KIND, (mail) => this.compose(mail), ALL_MAILS);
    this.reactions.handle(receiptMail, async (occasion) => {
      const { canal, student_id, transaction_id } = occasion.event.data;
      if (canal !== 'email') return undefined;
      const subjectId = transaction_id as string;
      const [row] = await this.database.read(occasion.event.tenantId, issued({ id: subjectId }));
      const personId = row?.payer_id ?? (student_id as string | null);
      if (personId === null) return undefined;
      return this.outbox.react(occasion, { kind: KIND, personId, subjectId });
    });
  }

  /** Null if who paid no longer has an e-mail address. */
  private async compose({ tenantId, subjectId }: Mail): Promise<Letter | null> {
    const [row] = await this.database.read(tenantId!, issued({ id: subjectId }));
    if (!row?.email || !row.pagador_nome) return null;
    return {
      to: row.email,
      subject: `Recibo nº ${row.numero}: ${brl(row.valor)}`,
      paragraphs: [
        `Oi, ${firstName(row.pagador_nome)}!`,
        `Segue o recibo nº ${row.numero}, de ${brl(row.valor)}${row.descricao ? ` (${row.descricao})` : ''}.`,
      ],
      button: { label: 'Abrir o recibo', url: this.links.urlOf(subjectId) },
      footnote: `Código de verificação: ${this.links.codeOf(subjectId)}`,
    };
  }
}

interface ReceiptRow {
  partes: object[];
  student_id: string | null;
  payer_id: string | null;
  numero: number;
  valor: number;
  data: string;
  metodo_pagamento: string;
  nome: string | null;
  cpf: string | null;
  descricao: string | null;
  de: string;
  ate: string;
  prestador: object;
  guardar_ate: string;
  emitido_em: string;
  enviado_em: string | null;
}

/** Receipts, under the receita's id, or that of the payment that its receitas are parts of. */
const receipts = stateProjection(receipt, {
  name: 'receipts',
  version: 3,
  topic: 'receipts',
  table: 'receipts',
  students: studentIfAny,
  evolve(row: ReceiptRow | undefined, event) {
    const { type, data } = event;
    const at = event.recordedAt.toISOString();
    switch (type) {
      case 'ReceiptIssued': {
        const { transaction_id: _id, token_hash: _token, codigo_hash: _code, ...fields } = data;
        return { ...fields, emitido_em: at, enviado_em: null };
      }
      case 'ReceiptSent':
        return row ? { ...row, enviado_em: at } : null;
      case 'ReceiptReassigned':
        return row ? { ...row, student_id: data.student_id } : null;
    }
  },
});

/** The receitas of each receipt. */
const ISSUED = `select b.tenant_id, (b.data ->> 'transaction_id')::uuid as receipt_id, b.position,
    (e.of ->> 'transaction_id')::uuid as id
  from batch b cross join jsonb_array_elements(coalesce(nullif(b.data -> 'partes', '[]'), jsonb_build_array(b.data))) e (of)
  where b.type = 'ReceiptIssued'`;
const REVERSED = `select tenant_id, (data ->> 'transaction_id')::uuid as id from batch where type = 'TransactionReversed'`;
/** A receita of several that were paid at once gets one of its own once another was reversed. */
const LAST = `select distinct on (tenant_id, id) tenant_id, id, receipt_id from (${ISSUED}) issued
  order by tenant_id, id, position desc`;

/** The receipt of each receita, by the receita. One reversal cancels the receipt for all of its receitas. */
const receiptEntries = sqlProjection({
  name: 'receipt-entries',
  topic: 'receipts',
  tables: ['receipt_entries'],
  events: { ReceiptIssued: [1, 2, 3], TransactionReversed: [1, 2] } satisfies Partial<
    Record<(ReceiptEvent | TransactionEvent)['type'], number[]>
  >,
  statements: [
    `insert into receipt_entries (tenant_id, id, receipt_id, cancelada)
    select tenant_id, id, receipt_id, false from (${LAST}) last
    on conflict (tenant_id, id) do update set receipt_id = excluded.receipt_id, cancelada = false`,
    `update receipt_entries r set cancelada = true
    from (${REVERSED}) x
    join receipt_entries own on own.tenant_id = x.tenant_id and own.id = x.id
    where r.tenant_id = own.tenant_id and r.receipt_id = own.receipt_id`,
  ],
  asOf: {
    receipt_entries: `select last.*, exists (select from (${REVERSED}) x join (${ISSUED}) own using (tenant_id, id)
      where own.receipt_id = last.receipt_id) as cancelada from (${LAST}) last`,
  },
});

const receiptIssuers = stateProjection(receiptIssuerStream, {
  name: 'receipt-issuers',
  topic: 'receipts',
  table: 'receipt_issuers',
  evolve(_row: Issuer | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'ReceiptIssuerSet': {
        const { receipt_issuer_id: _id, ...fields } = data;
        return fields;
      }
    }
  },
});

interface Subjects {
  transaction_id: string;
  student_id: string | null;
  payer_id?: string | null;
  partes?: { transaction_id: string }[];
}

const subjects = ({ transaction_id, student_id, payer_id = null, partes = [] }: Subjects) => [
  `transaction:${transaction_id}`,
  ...partes.map((part) => `transaction:${part.transaction_id}`),
  ...(student_id === null ? [] : [`student:${student_id}`]),
  ...(payer_id === null ? [] : [`payer:${payer_id}`]),
];

const receiptHistory: HistoryWords<ReceiptEvent | ReceiptIssuerEvent> = {
  ReceiptIssued: {
    subjects,
    words: ({ transaction_id, numero, valor }, _zone, of) =>
      `Emitiu o recibo nº ${numero}${of === `transaction:${transaction_id}` ? '' : `, de ${brl(valor)}`}`,
  },
  ReceiptSent: {
    subjects,
    words: ({ canal }) => `Enviou o recibo por ${canal === 'email' ? 'e-mail' : 'WhatsApp'}`,
  },
  // The receita's own line says it.
  ReceiptReassigned: { subjects: () => [], words: reassignedWords },
  ReceiptIssuerSet: {
    subjects: ({ receipt_issuer_id }) => [`receiptissuer:${receipt_issuer_id}`],
    words: () => 'Salvou os dados dos recibos',
  },
};

/** Numbers of receipts, and receipts by the hashes of their link and code. */
const receiptNumbers = defineGuard<ReceiptEvent>({
  name: 'receipt-numbers',
  tables: ['receipt_numbers'],
  writes: {
    ReceiptIssued: ({ numero, transaction_id, token_hash, codigo_hash }) => [
      [
        `insert into receipt_numbers (tenant_id, numero, transaction_id, token_hash, codigo_hash)
          values ($1, $2, $3, decode($4, 'hex'), decode($5, 'hex'))`,
        numero,
        transaction_id,
        token_hash,
        codigo_hash,
      ],
    ],
  },
});

const CANCELLED =
  'exists (select from receipt_entries e where e.tenant_id = r.tenant_id and e.receipt_id = r.id and e.cancelada)';

/**
 * Numbered receipts of receitas.
 *
 * Receipts (`receipts`) have the id of their receita, so there is at most one, and the next number of the guard
 * `receipt_numbers`, which is read under the tenant's lock: numbers have no gaps. Receitas that were paid at once (`BillPaid`) have one
 * receipt together, with a line of each and the id of that payment; `receipt_entries` says which receita has which receipt. The printed
 * data is in the event (the payer under a retention key) and never changes; reversing a receita cancels its receipt, after which the others
 * of that receipt can have their own. Its link is a page (`/recibo/{token}`); the PDF is generated when it is downloaded (the same with
 * `.pdf`). Receipts, statements, months and signed copies are drawn in one thread
 (`pdf-writer.service.ts`), once where the input is the same. The month's receitas with their payers are a CSV for the
 * Carnê-Leão; receitas and deductible despesas are also two files in the layout that the Carnê-Leão Web imports
 * (`carne-leao-web.ts`), without what it does not take: expenses that the standard plan of accounts has no account for.
 * The month's PDF carries the code of the newest entry that it follows from (`month-seal.queries.ts`), which `/verificar` answers for.
 */
@Module(
  together(
    serve(receiptsApi, { show: ShowReceipt, issue: IssueReceipt, send: SendReceipt }),
    serve(ownPaymentsApi, { ofStudent: ListPaymentsOfStudent, list: ListOwnPayments }),
    serve(receiptIssuerApi, { show: ShowReceiptIssuer, set: SetReceiptIssuer }),
    {
      controllers: [MonthSheetsController, ReceiptPageController],
      providers: [
        ReceiptLinks,
        ReceiptMails,
        PrintMonth.Handler,
        WriteCarneLeao.Handler,
        WriteCarneLeaoWeb.Handler,
        ReadReceipt.Handler,
        PrintReceipt.Handler,
        VerifyReceiptHandler,
      ],
    },
  ),
)
export class ReceiptsModule {
  static readonly feature: Feature = {
    aggregates: [receipt, receiptIssuerStream],
    guards: [receiptNumbers],
    projections: [receipts, receiptEntries, receiptIssuers],
    history: receiptHistory,
    why: { receipt: receiptWhy },
    ownData: {
      trainer: { 'dados-dos-recibos': `select nome, documento, cref, cidade from receipt_issuers` },
      sheets: {
        recibos: `select r.numero, coalesce((select string_agg(p ->> 'transaction_id', ' ') from jsonb_array_elements(r.partes) p), r.id::text)
          as transaction_id, r.student_id, r.nome, r.cpf, r.descricao, r.valor, r.data, r.metodo_pagamento,
        r.de, r.ate, r.prestador ->> 'nome' as prestador, r.prestador ->> 'documento' as documento,
        r.prestador ->> 'cref' as cref, r.emitido_em, ${CANCELLED} as cancelado, r.guardar_ate
      from receipts r order by r.numero`,
      },
      student: {
        // With the descriptions of charges and receipts, which are meant for the student, not those of entries.
        pagamentos: `select t.id, t.data, t.valor, t.metodo_pagamento, coalesce(r.descricao, c.descricao) as descricao,
        t.estornada_por is not null as estornado
      from transactions t
      left join charge_payments p on p.tenant_id = t.tenant_id and p.id = t.id
      left join charges c on c.tenant_id = p.tenant_id and c.id = p.charge_id
      left join receipts r on r.tenant_id = t.tenant_id and r.id = t.id and r.student_id = $1
      where t.tipo = 'receita' and t.estorno_de is null and $1 in (t.student_id, p.student_id) order by t.data, t.id`,
        // Without the document of somebody else who paid; of one for several students only what is this one's.
        recibos: `select r.numero, r.nome, case when r.payer_id is null and r.partes = '[]' then r.cpf end as cpf,
        case when p.valor is null then r.descricao else p.descricao end as descricao, coalesce(p.valor, r.valor) as valor,
        r.data, r.metodo_pagamento, r.de, r.ate, r.emitido_em, ${CANCELLED} as cancelado
      from receipts r
      cross join lateral (select sum((one ->> 'valor')::int)::int as valor, string_agg(one ->> 'descricao', ', ') as descricao
        from jsonb_array_elements(r.partes) one
        where (one ->> 'transaction_id')::uuid = any(array(select id from charge_payments where student_id = $1))) p
      where r.student_id = $1 or p.valor is not null order by r.numero`,
      },
    },
    errors: receiptErrors,
    failures: [pageFailures('/recibo', () => DEAD_LINK)],
    reactions: [receiptMail],
  };
}
