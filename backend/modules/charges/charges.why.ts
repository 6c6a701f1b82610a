import { differenceInCalendarDays, parseISO } from 'date-fns';
import { type InferResult, sql } from 'kysely';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import type { Asked, Asker, PastEvent, Thing, WhyLink, WhySource } from '../../platform/event-store/why.js';
import { plural } from '../../platform/plural.api.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import { methodNames } from '../finance/money-words.api.js';
import { dueDayInWords } from '../plans/monthly-terms.api.js';
import type { ArrivedPixEvent } from './arrived-pix.js';
import type { BillPaymentEvent } from './bill-payment.js';
import type { ChargeEvent } from './charge.js';
import { owedInWords, owedOn } from './charge-terms.api.js';
import { partsInWords, termsInWords } from './charge-terms.js';
import { openCharge } from './charges.queries.js';
import { type ArrivedOf, chargeChanges, monthInWords, withSession } from './charges.history.js';

const row = statement((db, { id }: Blanks<Asked>) =>
  db
    .selectFrom('charges as c')
    .leftJoin('plans as p', (join) =>
      join.onRef('p.tenant_id', '=', 'c.tenant_id').onRef('p.id', '=', 'c.plano_id'),
    )
    .select(['c.student_id', 'c.session_id', 'c.origem', 'c.mes', 'c.valor', 'c.pago', 'c.vencimento'])
    .select(['c.status', 'c.grant_id', 'c.prometida', 'p.nome as plano', openCharge.as('aberto')])
    .where('c.id', '=', id)
    .compile(),
);
type Row = InferResult<ReturnType<typeof row>>[number];

type Past = PastEvent & (ChargeEvent | ArrivedPixEvent | BillPaymentEvent);

const charge: WhySource = {
  rows: row,
  explain([charge]: [Row], events: readonly PastEvent[], asker: Asker, { id }: Thing, isFirst: boolean) {
    const past = events as Past[];
    const { student_id, session_id, grant_id, origem } = charge;
    const para = asker.isOwn ? undefined : `/cobrancas?cobranca=${id}`;
    const granted = past.findLast((event) => event.type === 'ChargePaid' && event.data.lot_id !== null);
    const lotId = grant_id ?? (granted?.type === 'ChargePaid' ? granted.data.lot_id : null);
    const issued = past.find(({ type }) => type === 'ChargeIssued');
    return {
      student_id,
      pergunta: questionOf(charge, asker),
      links: [
        // Among the causes of something else, its payments say that it is paid.
        ...(isFirst || charge.status !== 'paga'
          ? [
              {
                titulo: isFirst ? 'Situação' : 'Cobrança',
                texto: stateOf(charge, past, asker),
                posicao: null,
              },
            ]
          : []),
        ...past.toReversed().flatMap((event) => linkOf(event, charge, asker)),
      ].map((link) => ({ ...(para && { para }), ...link })),
      causes: [
        ...(session_id === null ? [] : [{ kind: 'session', id: session_id }]),
        ...(lotId === null ? [] : [{ kind: 'lot', id: lotId }]),
        ...(origem === 'mensalidade' ? [{ kind: 'monthly', id: student_id }] : []),
        ...(session_id === null && issued ? [priceIn(student_id, issued.posicao)] : []),
      ],
    };
  },
};

/** The contract that was in force, where it speaks of the price. */
const priceIn = (id: string, before: number): Thing => ({ kind: 'contract', id, before, about: 'pagamento' });

const isOverdue = ({ status, vencimento }: Row, { today }: Asker) =>
  status === 'aberta' && vencimento < today;

function questionOf(charge: Row, asker: Asker): string {
  if (isOverdue(charge, asker)) return 'Por que esta cobrança está vencida?';
  const { status, valor, pago } = charge;
  if (status === 'cancelada') return 'Por que esta cobrança foi cancelada?';
  return asker.isOwn && status === 'paga' ? `Por que paguei ${brl(pago)}?` : `Por que ${brl(valor)}?`;
}

function stateOf(charge: Row, past: readonly Past[], asker: Asker): string {
  const { status, valor, pago, vencimento, prometida, aberto } = charge;
  if (status === 'paga') return `Paga: ${brl(pago)}.`;
  if (status === 'cancelada') return 'Cancelada: nada a pagar.';
  const left = `${pago > 0 ? `faltam ${brl(valor - pago)} de ${brl(valor)}` : `falta pagar ${brl(valor)}`}`;
  const now = owedInWords(aberto.falta, owedOn(aberto, asker.today));
  const promised = prometida ? ` Pagamento prometido para ${shortDate(prometida)}.` : '';
  if (!isOverdue(charge, asker)) return `Vence em ${shortDate(vencimento)}: ${left}.${now}${promised}`;
  const late = differenceInCalendarDays(parseISO(asker.today), parseISO(vencimento));
  const reminded = past.filter(({ type }) => type === 'ChargeReminded').length;
  return `Venceu em ${shortDate(vencimento)}, há ${plural(late, 'dia', 'dias')}, e ${left}.${now}${promised}${
    reminded > 0 ? ` ${plural(reminded, 'lembrete enviado', 'lembretes enviados')}.` : ''
  }`;
}

/** Reminders count in the state; a link of its own has what changed the money. */
function linkOf(event: Past, charge: Row, { isOwn }: Asker): WhyLink[] {
  const { type, data, posicao } = event;
  const link = (titulo: string, texto: string, transaction?: string): WhyLink[] => [
    {
      titulo,
      texto: `${texto}.`,
      posicao,
      ...(transaction !== undefined && paymentLink(transaction, isOwn)),
    },
  ];
  switch (type) {
    case 'ChargeIssued':
      return link(
        'Cobrança',
        `Emitida: ${brl(data.valor)}, com vencimento em ${shortDate(data.vencimento)}${reasonOf(charge, data.descricao)}${data.termos ? `; ${termsInWords(data.termos)}` : ''}`,
      );
    case 'ChargeChanged':
      return link('Cobrança', `Alterada: ${chargeChanges(data)}`);
    case 'ChargeCancelled':
      return link(
        'Cobrança',
        data.com_sessao === null ? 'Cancelada' : `Cancelada: ${withSession[data.com_sessao]}`,
      );
    case 'ChargeRestored':
      return link('Cobrança', 'Cancelamento desfeito');
    case 'ChargePaid': {
      const parts = partsInWords(data);
      return [
        ...link(
          'Pagamento',
          `${brl(data.valor)} em ${shortDate(data.data)} (${methodNames[data.metodo_pagamento]})${data.falta > 0 ? `, faltaram ${brl(data.falta)}` : ''}`,
          data.transaction_id,
        ),
        // Of its own, because the link before is left out where its receita is asked about.
        ...(parts === '' ? [] : link('Multa, juros e desconto', `Pagamento de ${brl(data.valor)}${parts}`)),
      ];
    }
    case 'BillPaid':
      return link(
        'Conta',
        `É parte de ${brl(data.valor)} pagos de uma vez, em ${plural(data.partes.length, 'cobrança', 'cobranças')}`,
      );
    case 'ChargePaymentReversed':
      return link('Pagamento', `Pagamento de ${brl(data.valor)} desfeito`, data.transaction_id);
    case 'ChargeRefunded':
      return link(
        'Pagamento',
        `${brl(data.valor)} devolvidos${data.motivo && !isOwn ? ` (${data.motivo})` : ''}`,
        data.transaction_id,
      );
    case 'ChargeReturnDue':
      return link(
        'Devolução',
        data.valor > 0 ? `${brl(data.valor)} a devolver: a reserva terminou` : 'Nada mais a devolver',
      );
    case 'ChargePaymentClaimed':
      return link('Aviso', 'Pagamento avisado: falta confirmar');
    case 'PixArrived':
      return [
        { titulo: 'Pix', texto: `${pixArrived(data)}.`, posicao, of: { kind: 'pix', id: data.pix_id } },
      ];
    // Also of what else is recorded about it, such as a Pix that is decided.
    default:
      return [];
  }
}

function paymentLink(id: string, isOwn: boolean): Pick<WhyLink, 'of' | 'para'> {
  return { of: { kind: 'transaction', id }, ...(!isOwn && { para: `/financeiro?transacao=${id}` }) };
}

function reasonOf({ origem, plano, mes }: Row, descricao: string | null): string {
  const plan = plano === null ? '' : `, pelo plano ${plano}`;
  if (origem === 'mensalidade')
    return `${plan}${mes === null ? '' : `, mensalidade de ${monthInWords(mes)}`}`;
  const told = descricao === null || descricao === plano ? '' : `: ${descricao}`;
  return `${plan}${told}`;
}

interface MonthlyRow {
  student_id: string;
  posicao: number;
  valor: number;
  vence_dia: number;
  primeiro_mes: string;
  plano: string | null;
}

/** The agreement that is charged each month, as it was last made. */
const monthlyRow = statement((db, { id }: Blanks<Asked>) =>
  sql<MonthlyRow>`
  select ${id}::text as student_id, h.position as posicao, (h.data ->> 'valor')::bigint as valor,
    (h.data ->> 'vence_dia')::int as vence_dia, h.data ->> 'primeiro_mes' as primeiro_mes, p.nome as plano
  from history h
  left join plans p on p.tenant_id = h.tenant_id and p.id = (h.data ->> 'plano_id')::uuid
  where h.subject = any (array(select 'student:' || same.id from same_student(${id}::uuid) as same (id))) and h.type = 'MonthlyPlanSet'
  order by h.position desc limit 1`.compile(db),
);

const monthly: WhySource = {
  rows: monthlyRow,
  explain: ([{ student_id, posicao, ...agreed }]: [MonthlyRow], _events, { isOwn }: Asker) => ({
    student_id,
    pergunta: `Por que a mensalidade é ${brl(agreed.valor)}?`,
    links: [
      {
        titulo: 'Mensalidade',
        texto: `Combinada: ${brl(agreed.valor)}${agreed.plano === null ? '' : ` pelo plano ${agreed.plano}`}, com vencimento no ${dueDayInWords(agreed.vence_dia)}, a partir de ${monthInWords(agreed.primeiro_mes)}.`,
        posicao,
        ...(!isOwn && { para: `/alunos/${student_id}` }),
      },
    ],
    causes: [priceIn(student_id, posicao)],
  }),
};

/** Of its charge, what that one is asked for; of the student, whose charge it is now. */
const pixRow = statement((db, { id }: Blanks<Asked>) =>
  db
    .selectFrom('arrived_pix as p')
    .leftJoin('charges as c', (join) => sameTenant(join, 'c.id', 'p.charge_id'))
    .select(['p.charge_id', 'p.valor', 'p.falta', 'c.student_id'])
    .where('p.id', '=', id)
    .compile(),
);
type PixRow = InferResult<ReturnType<typeof pixRow>>[number];

/** A Pix that a bank or provider told of: which charge it names, what it has paid, and what was decided of the rest. */
const pix: WhySource = {
  rows: pixRow,
  explain([arrived]: [PixRow], events: readonly PastEvent[], { isOwn }: Asker) {
    const { student_id, charge_id, valor, falta } = arrived;
    const left = `${brl(falta)} a decidir: ${charge_id === null ? 'ele não traz o código de nenhuma cobrança' : 'passa do que a cobrança tinha a receber'}`;
    return {
      student_id,
      pergunta:
        falta > 0 && !isOwn
          ? 'Por que este Pix ainda espera decisão?'
          : `De onde veio o Pix de ${brl(valor)}?`,
      links: [
        ...(falta > 0 && !isOwn ? [{ titulo: 'Situação', texto: `${left}.`, posicao: null }] : []),
        ...(events as (PastEvent & ArrivedPixEvent)[]).toReversed().flatMap((event): WhyLink[] => {
          const said = pixInWords(event, isOwn);
          return said === undefined ? [] : [{ titulo: 'Pix', texto: `${said}.`, posicao: event.posicao }];
        }),
      ],
      causes: charge_id === null ? [] : [{ kind: 'charge', id: charge_id }],
    };
  },
};

function pixArrived({ valor, data, aplicado, ja_registrado }: ArrivedOf<'PixArrived'>): string {
  const done = ja_registrado
    ? ': é o pagamento que já estava registrado'
    : aplicado > 0
      ? `: deu baixa sozinho em ${brl(aplicado)}`
      : '';
  return `${brl(valor)} em ${shortDate(data)}, avisado pelo banco${done}`;
}

/** What is left of it is the trainer's to decide. */
function pixInWords({ type, data }: ArrivedPixEvent, isOwn: boolean): string | undefined {
  switch (type) {
    case 'PixArrived':
      return pixArrived(data);
    case 'PixMatched':
      return data.ja_registrado
        ? `O pagamento registrado é este Pix: ${brl(data.valor)}`
        : `Baixa de ${brl(data.valor)} na cobrança`;
    case 'PixReturned':
      return isOwn ? undefined : `Pagamento desfeito: ${brl(data.valor)} de volta a decidir`;
    case 'PixDecided':
      if (isOwn) return undefined;
      return data.decisao === 'receita'
        ? `${brl(data.valor)} registrados como receita`
        : `${brl(data.valor)} deixados fora das receitas`;
    case 'PixReopened':
      return isOwn ? undefined : `Decisão desfeita: ${brl(data.valor)} de volta a decidir`;
  }
}

export const chargesWhy = { charge, monthly, pix };
