import { sqlProjection, stateProjection } from '../../platform/projections/projection.js';
import { afterReplacing, type HookSecrets, pixHookStream } from './pix-hook.js';
import { pixAccountStream } from './pix-account.js';
import { monthlyPlan } from './monthly-plan.js';
import { arrivedPix } from './arrived-pix.js';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import { billPayment, type BillPaymentEvent } from './bill-payment.js';
import { addedBy, charge, type ChargeEvent } from './charge.js';
import { chargeTermsStream } from './charge-terms.js';
import { type ChargeTerms, keptParts } from './charge-terms.api.js';
import type { ChargePayment } from './charges.api.js';

interface ChargeRow {
  student_id: string;
  plano_id: string | null;
  session_id: string | null;
  origem: string;
  mes: string | null;
  descricao: string | null;
  valor: number;
  pago: number;
  vencimento: string;
  status: 'aberta' | 'paga' | 'cancelada';
  creditos: number;
  link_id: string;
  txid: string;
  /** The lot that was granted by settling the charge. */
  lot_id: string | null;
  grant_id: string | null;
  emitida_em: string;
  avisada_em: string | null;
  prometida: string | null;
  pagamentos: ChargePayment[];
  termos: ChargeTerms | null;
  entrada: number | null;
  devolver: number;
  /** `degrau`: null of the charge itself, and once the charge has another due date. */
  lembretes: { degrau: number | null; canal: string; dia: string }[];
}

/** The folded state of each charge. */
export const charges = stateProjection(charge, {
  name: 'charges',
  version: 8,
  topic: 'charges',
  table: 'charges',
  students: ({ student_id }) => [student_id as string],
  evolve(row: ChargeRow | undefined, event): ChargeRow | null {
    const { type, data } = event;
    if (type === 'ChargeIssued') {
      const { charge_id: _id, token_hash: _hash, validade_dias: _days, ...issued } = data;
      return {
        ...issued,
        lot_id: null,
        grant_id: data.grant_id ?? null,
        entrada: data.entrada ?? null,
        devolver: 0,
        pago: 0,
        status: 'aberta',
        emitida_em: event.recordedAt.toISOString(),
        avisada_em: null,
        prometida: null,
        pagamentos: [],
        lembretes: [],
      };
    }
    if (!row) return null;
    switch (type) {
      case 'ChargeChanged': {
        const { charge_id: _id, student_id: _student, antes: _antes, ...changes } = data;
        // That of a booking may come to what was paid of it.
        const isPaid = row.pago > 0 && row.pago >= (changes.valor ?? row.valor);
        const status = row.status === 'cancelada' ? row.status : isPaid ? 'paga' : 'aberta';
        if (changes.vencimento === undefined) return { ...row, ...changes, status };
        const lembretes = row.lembretes.map((sent) => ({ ...sent, degrau: null }));
        return { ...row, ...changes, lembretes };
      }
      case 'ChargeCancelled':
        return { ...row, status: 'cancelada' };
      case 'ChargeRestored':
        return { ...row, status: 'aberta' };
      case 'ChargeGrantLinked':
        return { ...row, grant_id: data.grant_id, creditos: data.creditos };
      case 'ChargePaid': {
        const { payment_id, transaction_id, metodo_pagamento, falta, lot_id } = data;
        const { multa, juros, desconto, dispensado } = data;
        const payment = {
          id: payment_id,
          transaction_id,
          valor: data.valor,
          data: data.data,
          metodo_pagamento,
          multa,
          juros,
          desconto,
          dispensado,
        };
        const valor = row.valor + addedBy(data);
        return {
          ...row,
          valor,
          pago: valor - falta,
          status: falta === 0 ? 'paga' : 'aberta',
          avisada_em: null,
          lot_id,
          pagamentos: [...row.pagamentos, { ...payment, estornado: false, devolvido: 0 }],
        };
      }
      case 'ChargePaymentReversed':
        return {
          ...row,
          valor: row.valor - data.acrescimo,
          pago: row.valor - data.acrescimo - data.falta,
          status: 'aberta',
          lot_id: null,
          pagamentos: row.pagamentos.map((payment) =>
            payment.id === data.payment_id ? { ...payment, estornado: true } : payment,
          ),
        };
      case 'ChargeRefunded': {
        const { payment_id, resta, valor, valor_cobrado, creditos_retirados } = data;
        const isAll = valor_cobrado === 0;
        return {
          ...row,
          ...(isAll ? { status: 'cancelada' as const, lot_id: null } : { valor: valor_cobrado }),
          pago: valor_cobrado,
          devolver: Math.max(row.devolver - valor, 0),
          creditos: isAll ? creditos_retirados : row.creditos - creditos_retirados,
          pagamentos: row.pagamentos.map((payment) =>
            payment.id === payment_id
              ? {
                  ...payment,
                  ...(resta ?? { valor: 0, estornado: true }),
                  ...keptParts(payment, valor),
                  devolvido: payment.devolvido + valor,
                }
              : payment,
          ),
        };
      }
      case 'ChargePaymentClaimed':
        return { ...row, avisada_em: event.recordedAt.toISOString() };
      case 'ChargeLinkReplaced':
        return { ...row, link_id: data.link_id };
      case 'ChargePromised':
        return { ...row, prometida: data.dia };
      case 'ChargeSent': {
        const sent = { degrau: null, canal: 'whatsapp', dia: data.dia };
        return { ...row, lembretes: [...row.lembretes, sent] };
      }
      case 'ChargeReminded': {
        const { degrau, canal, dia } = data;
        return { ...row, lembretes: [...row.lembretes, { degrau, canal, dia }] };
      }
      case 'ChargeReturnDue':
        return { ...row, devolver: data.valor };
      case 'ChargeReassigned':
        return { ...row, student_id: data.student_id };
    }
  },
});

/** Who paid for the student of an event `b` of the batch before a position of the log; null: the student. */
const payerAt = (
  position: string,
) => `(select (l.data ->> 'payer_id')::uuid from ${storedEvents({ StudentPayerSet: [1] })} l
    where l.tenant_id = b.tenant_id and l.stream_id = 'student-payer:' || (b.data ->> 'student_id') and l.position < ${position}
    order by l.version desc limit 1)`;
const PAID = `(select p.position from ${storedEvents({ ChargePaid: [1, 2] })} p
    where p.tenant_id = b.tenant_id and p.stream_id = 'charge:' || (b.data ->> 'charge_id')
      and p.data ->> 'payment_id' = b.data ->> 'payment_id' limit 1)`;

/** What pays charges, and what reverses that. What is kept of a refund was paid by whoever had paid. */
const PAYMENTS = `select tenant_id, (data ->> case type when 'ChargePaid' then 'transaction_id'
      when 'ChargePaymentReversed' then 'estorno_id' end)::uuid as id,
    (data ->> 'charge_id')::uuid as charge_id, (data ->> 'student_id')::uuid as student_id, null::bigint as devolvido,
    case type when 'ChargePaid' then ${payerAt('b.position')} end as payer_id
  from batch b where type in ('ChargePaid', 'ChargePaymentReversed')
  union all
  select tenant_id, (data ->> 'estorno_id')::uuid, (data ->> 'charge_id')::uuid, (data ->> 'student_id')::uuid,
    (data ->> 'valor')::bigint, null
  from batch where type = 'ChargeRefunded'
  union all
  select tenant_id, (data -> 'resta' ->> 'transaction_id')::uuid, (data ->> 'charge_id')::uuid, (data ->> 'student_id')::uuid, null,
    ${payerAt(PAID)}
  from batch b where type = 'ChargeRefunded' and data -> 'resta' <> 'null'`;

/** The payments of several charges, by the receita of each. */
const PARTS = `select tenant_id, (part ->> 'transaction_id')::uuid as id, (data ->> 'bill_id')::uuid as bill_id
  from batch cross join jsonb_array_elements(data -> 'partes') part where type = 'BillPaid'`;

/** Charges that passed to another student, and the last one. */
const REASSIGNED = `select tenant_id, (data ->> 'charge_id')::uuid as charge_id, array_agg((data ->> 'de')::uuid) as givers,
    (array_agg((data ->> 'student_id')::uuid order by position desc))[1] as student_id
  from batch where type = 'ChargeReassigned' group by tenant_id, data ->> 'charge_id'`;

/**
 * The charge that each receita pays, and each reversing entry; `devolvido` where that was a refund. With who paid, and the payment of
 * several charges that it is part of.
 */
export const chargePayments = sqlProjection({
  name: 'charge-payments',
  version: 3,
  topic: 'transactions',
  tables: ['charge_payments'],
  events: {
    ChargePaid: [1, 2],
    ChargePaymentReversed: [1, 2],
    ChargeRefunded: [1, 2],
    ChargeReassigned: [1],
    BillPaid: [1],
  } satisfies Partial<Record<(ChargeEvent | BillPaymentEvent)['type'], number[]>>,
  statements: [
    `insert into charge_payments (tenant_id, id, charge_id, student_id, devolvido, payer_id)
    ${PAYMENTS}`,
    `update charge_payments p set bill_id = part.bill_id from (${PARTS}) part
    where p.tenant_id = part.tenant_id and p.id = part.id`,
    // One batch may have several reassignments of a charge: its payments are still the first student's.
    `update charge_payments p set student_id = r.student_id
    from (
      ${REASSIGNED}
    ) r
    where p.tenant_id = r.tenant_id and p.student_id = any(r.givers) and p.charge_id = r.charge_id`,
  ],
  asOf: {
    charge_payments: `select p.tenant_id, p.id, p.charge_id, coalesce(r.student_id, p.student_id) as student_id, p.devolvido,
      p.payer_id, part.bill_id
    from (${PAYMENTS}) p left join (${REASSIGNED}) r using (tenant_id, charge_id) left join (${PARTS}) part using (tenant_id, id)`,
  },
});

interface ArrivedPixRow {
  charge_id: string | null;
  valor: number;
  aplicado: number;
  falta: number;
  data: string;
  decidido: boolean;
}

export const arrivedPixes = stateProjection(arrivedPix, {
  name: 'arrived-pix',
  version: 2,
  topic: 'charges',
  table: 'arrived_pix',
  evolve(row: ArrivedPixRow | undefined, event) {
    const { type, data } = event;
    if (type === 'PixArrived') {
      const { charge_id, valor, aplicado, data: day } = data;
      const falta = valor - aplicado;
      return { charge_id, valor, aplicado, falta, data: day, decidido: falta === 0 };
    }
    if (!row) return null;
    const left = (falta: number) => ({ ...row, falta, decidido: falta === 0 });
    switch (type) {
      case 'PixMatched':
      case 'PixDecided':
        return left(row.falta - data.valor);
      case 'PixReturned':
      case 'PixReopened':
        return left(row.falta + data.valor);
    }
  },
});

interface BillPaymentRow {
  payer_id: string;
  valor: number;
  data: string;
  metodo_pagamento: string;
  partes: object[];
  em: string;
  desfeito: boolean;
}

export const billPayments = stateProjection(billPayment, {
  name: 'bill-payments',
  topic: 'charges',
  table: 'bill_payments',
  evolve(row: BillPaymentRow | undefined, event) {
    switch (event.type) {
      case 'BillPaid': {
        const { bill_id: _id, ...paid } = event.data;
        return { ...paid, em: event.recordedAt.toISOString(), desfeito: false };
      }
      case 'BillPaymentReversed':
        return row ? { ...row, desfeito: true } : null;
    }
  },
});

interface MonthlyPlanRow {
  plano_id: string;
  valor: number;
  desde: string;
  ate: string | null;
  vence_dia: number;
  proximo_mes: string;
  ativo: boolean;
}

export const monthlyPlans = stateProjection(monthlyPlan, {
  name: 'monthly-plans',
  topic: 'charges',
  table: 'monthly_plans',
  evolve(row: MonthlyPlanRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'MonthlyPlanSet': {
        const { student_id: _id, primeiro_mes, ...terms } = data;
        return { ...terms, proximo_mes: primeiro_mes, ativo: true };
      }
      case 'MonthlyPlanEnded':
        return row ? { ...row, ativo: false } : null;
      case 'MonthlyPlanBilled':
        return row ? { ...row, proximo_mes: data.proximo_mes } : null;
    }
  },
});

export const chargeTermsRows = stateProjection(chargeTermsStream, {
  name: 'charge-terms',
  topic: 'settings',
  table: 'charge_terms',
  evolve(_row: ChargeTerms | undefined, { type, data }) {
    switch (type) {
      case 'ChargeTermsSet':
        return data;
    }
  },
});

interface PixAccountRow {
  tipo: string;
  chave: string | null;
  nome: string | null;
  cidade: string | null;
}

export const pixAccounts = stateProjection(pixAccountStream, {
  name: 'pix-accounts',
  topic: 'settings',
  table: 'pix_accounts',
  // Students see the Pix codes of their charges, which contain the key.
  students: 'all',
  evolve(_row: PixAccountRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'PixKeySet': {
        const { tipo, chave, nome, cidade, banco = null } = data;
        return { tipo, chave, nome, cidade, banco };
      }
      case 'PixKeyRemoved':
        return null;
    }
  },
});

/** The secrets with which providers sign. */
export const pixHooks = stateProjection(pixHookStream, {
  name: 'pix-hooks',
  topic: 'settings',
  table: 'pix_hooks',
  evolve(row: HookSecrets | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'PixSecretReplaced':
        return afterReplacing(row, data);
    }
  },
});
