import type { HistoryWords } from '../../platform/event-store/history.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import { plural } from '../../platform/plural.api.js';
import type { PaymentMethod } from '../finance/finance.api.js';
import { dueDayInWords } from '../plans/monthly-terms.api.js';
import { reassignedWords } from '../students/reassigned.js';
import type { CodeEnd, ProviderCodeEvent } from './provider-code.js';
import type { ProviderConnectionEvent } from './provider-connection.js';
import type { ArrivedPixEvent } from './arrived-pix.js';
import type { ChargeEvent, SessionTurn } from './charge.js';
import { type ChargeTermsEvent, partsInWords, termsInWords } from './charge-terms.js';
import type { BillPaid, BillPaymentEvent } from './bill-payment.js';
import type { MonthlyPlanEvent } from './monthly-plan.js';
import type { PixAccountEvent } from './pix-account.js';
import type { PixHookEvent } from './pix-hook.js';

type DataOf<Type extends ChargeEvent['type']> = Extract<ChargeEvent, { type: Type }>['data'];
const ofStudent = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
/** `12/2026` */
export const monthInWords = (mes: string) => `${mes.slice(5, 7)}/${mes.slice(0, 4)}`;

export type ArrivedOf<Type extends ArrivedPixEvent['type']> = Extract<
  ArrivedPixEvent,
  { type: Type }
>['data'];
type PixAbout = {
  pix_id: string;
  charge_id: string | null;
  student_id: string | null;
  partes?: { charge_id: string; student_id: string }[];
};
const arrived = ({ pix_id, charge_id, student_id, partes = [] }: PixAbout) => [
  `pix:${pix_id}`,
  ...(charge_id === null ? [] : [`charge:${charge_id}`]),
  ...(student_id === null ? [] : [`student:${student_id}`]),
  ...new Set(partes.flatMap((part) => [`charge:${part.charge_id}`, `student:${part.student_id}`])),
];

const methods: Record<PaymentMethod, string> = {
  pix: 'Pix',
  cartao_credito: 'cartão',
  dinheiro: 'dinheiro',
};

const about = ({ charge_id, student_id }: { charge_id: string; student_id: string }) => [
  `charge:${charge_id}`,
  `student:${student_id}`,
];
export const withSession: Record<SessionTurn, string> = {
  reaberta: 'a sessão foi reaberta',
  feita: 'a sessão foi marcada como feita',
  cancelada: 'a sessão foi cancelada',
  excluida: 'a sessão foi excluída',
  de_outro_aluno: 'a sessão passou a ser de outro aluno',
};
/** The charges and receitas that it went to say so too. */
const ofBill = ({ payer_id, partes }: Pick<BillPaid, 'payer_id' | 'partes'>) => [
  `payer:${payer_id}`,
  ...partes.flatMap((part) => [`charge:${part.charge_id}`, `transaction:${part.transaction_id}`]),
];
const said = (words: string) => ({ subjects: about, words: () => words });
const text = (descricao: string | null | undefined) => (descricao ? `: ${descricao}` : '');

/** A step goes on until the next one: the reminder of 3 days after may be sent on the fifth. */
function step(degrau: number): string {
  if (degrau === 0) return 'o do dia do vencimento';
  const days = plural(Math.abs(degrau), 'dia', 'dias');
  return degrau < 0 ? `o de ${days} antes do vencimento` : `o de ${days} depois do vencimento`;
}

export function chargeChanges({
  descricao,
  valor,
  vencimento,
  entrada,
  antes,
}: DataOf<'ChargeChanged'>): string {
  const parts = [
    valor !== undefined && antes.valor !== undefined && `valor de ${brl(antes.valor)} para ${brl(valor)}`,
    vencimento !== undefined &&
      antes.vencimento !== undefined &&
      `vencimento de ${shortDate(antes.vencimento)} para ${shortDate(vencimento)}`,
    entrada === 0 && 'a reserva vale sem esperar o Pix',
    descricao !== undefined && (descricao === null ? 'descrição' : `descrição para “${descricao}”`),
  ];
  return parts.filter(Boolean).join(', ');
}

const settings = (_data: never, tenantId: string) => [`pixkey:${tenantId}`];

export const chargeHistory: HistoryWords<
  | BillPaymentEvent
  | ChargeTermsEvent
  | ChargeEvent
  | PixAccountEvent
  | PixHookEvent
  | ArrivedPixEvent
  | MonthlyPlanEvent
> = {
  ChargeIssued: {
    subjects: (data) => [...about(data), ...(data.session_id === null ? [] : [`session:${data.session_id}`])],
    words: ({ charge_id, valor, vencimento, descricao, grant_id }, _zone, of) =>
      `Emitiu a cobrança${of === `charge:${charge_id}` ? '' : ` de ${brl(valor)}`} com vencimento em ${shortDate(vencimento)}${text(descricao)}${grant_id === undefined ? '' : ', da renovação já feita'}`,
  },
  ChargeGrantLinked: {
    subjects: about,
    words: ({ grant_id, creditos }) =>
      grant_id === null
        ? `A cobrança volta a adicionar ${plural(creditos, 'crédito', 'créditos')} quando for paga`
        : 'A cobrança ficou para a renovação já feita, sem adicionar créditos de novo',
  },
  ChargeChanged: {
    subjects: about,
    words: (data) => `Alterou a cobrança: ${chargeChanges(data)}`,
  },
  ChargeCancelled: {
    subjects: (data) => [...about(data), ...(data.com_sessao === null ? [] : [`session:${data.session_id}`])],
    words: ({ com_sessao }) =>
      com_sessao === null ? 'Cancelou a cobrança' : `Cancelou a cobrança: ${withSession[com_sessao]}`,
  },
  ChargeTermsSet: {
    subjects: settings,
    words: (terms) => `Definiu para as cobranças novas: ${termsInWords(terms)}`,
  },
  ChargeRestored: said('Desfez o cancelamento da cobrança'),
  // Not in the history of the receita, which has its own event of the same act.
  ChargePaid: {
    subjects: about,
    words: ({ valor, data, metodo_pagamento, falta, ...parts }) =>
      `Registrou o pagamento de ${brl(valor)} em ${shortDate(data)} (${methods[metodo_pagamento]})${partsInWords(parts)}${falta > 0 ? `, faltam ${brl(falta)}` : ''}`,
  },
  ChargePaymentReversed: {
    subjects: about,
    words: ({ valor, creditos_retirados }) =>
      `Desfez o pagamento de ${brl(valor)}${creditos_retirados > 0 ? ` e removeu ${plural(creditos_retirados, 'crédito', 'créditos')}` : ''}`,
  },
  ChargeRefunded: {
    subjects: (data) => [
      ...about(data),
      `transaction:${data.transaction_id}`,
      ...(data.resta === null ? [] : [`transaction:${data.resta.transaction_id}`]),
    ],
    words: ({ valor, creditos_retirados, motivo }) =>
      `Devolveu ${brl(valor)} ao aluno${creditos_retirados > 0 ? ` e removeu ${plural(creditos_retirados, 'crédito', 'créditos')}` : ''}${motivo === null ? '' : ` (motivo: ${motivo})`}`,
  },
  ChargePaymentClaimed: said('Quem recebeu o link avisou que já pagou'),
  ChargeLinkReplaced: said('Trocou o link de pagamento'),
  ChargePromised: {
    subjects: about,
    words: ({ dia }) =>
      dia === null
        ? 'Removeu a promessa de pagamento'
        : `Anotou a promessa de pagamento para ${shortDate(dia)}`,
  },
  ChargeSent: said('Enviou a cobrança pelo WhatsApp'),
  ChargeReminded: {
    subjects: about,
    words: ({ degrau, canal }) =>
      `Enviou o lembrete da cobrança por ${canal === 'email' ? 'e-mail' : 'WhatsApp'}, ${step(degrau)}`,
  },
  ChargeReturnDue: {
    subjects: about,
    words: ({ valor }) =>
      valor > 0 ? `A reserva terminou com ${brl(valor)} a devolver` : 'Não há mais nada a devolver',
  },
  MonthlyPlanSet: {
    subjects: ofStudent,
    words: ({ valor, vence_dia, primeiro_mes }) =>
      `Combinou a mensalidade de ${brl(valor)}, com vencimento no ${dueDayInWords(vence_dia)}, a partir de ${monthInWords(primeiro_mes)}`,
  },
  ChargeReassigned: {
    subjects: ({ charge_id }) => [`charge:${charge_id}`],
    words: reassignedWords,
  },
  MonthlyPlanEnded: { subjects: ofStudent, words: () => 'Encerrou a mensalidade' },
  MonthlyPlanBilled: {
    subjects: ofStudent,
    words: ({ mes, charge_id, pausado }) =>
      charge_id === null
        ? `Não cobrou a mensalidade de ${monthInWords(mes)}: o aluno estava ${pausado ? 'pausado' : 'inativo'}`
        : `Cobrou a mensalidade de ${monthInWords(mes)}`,
  },
  PixArrived: {
    subjects: arrived,
    words: ({ valor, aplicado, data, ja_registrado }) =>
      `Recebeu o aviso de um Pix de ${brl(valor)} em ${shortDate(data)}${ja_registrado ? ': é o pagamento já registrado' : ''}${aplicado < valor ? `, com ${brl(valor - aplicado)} a decidir` : ''}`,
  },
  PixMatched: {
    subjects: arrived,
    words: ({ valor, ja_registrado }) =>
      ja_registrado
        ? `O pagamento registrado é o Pix de ${brl(valor)} já avisado pelo provedor`
        : `Deu baixa na cobrança com ${brl(valor)} de um Pix`,
  },
  PixReturned: {
    subjects: arrived,
    words: ({ valor }) => `${brl(valor)} de um Pix voltaram para “Pix a decidir”`,
  },
  PixDecided: {
    subjects: arrived,
    words: ({ valor, decisao, transaction_id }) =>
      decisao === 'receita'
        ? `${transaction_id === null ? 'Manteve' : 'Registrou'} ${brl(valor)} de um Pix como receita`
        : `Deixou ${brl(valor)} de um Pix fora das receitas`,
  },
  PixReopened: {
    subjects: arrived,
    words: ({ valor }) => `Desfez a decisão sobre ${brl(valor)} de um Pix`,
  },
  BillPaid: {
    subjects: ofBill,
    words: ({ valor, data, metodo_pagamento, partes }) =>
      `Registrou o pagamento da conta: ${brl(valor)} em ${shortDate(data)} (${methods[metodo_pagamento]}), em ${plural(partes.length, 'cobrança', 'cobranças')}`,
  },
  BillPaymentReversed: {
    subjects: ({ payer_id }) => [`payer:${payer_id}`],
    words: ({ valor }) => `Desfez o pagamento da conta, de ${brl(valor)}`,
  },
  PixKeySet: {
    subjects: ({ pix_account_id }) => [`pixkey:${pix_account_id}`],
    words: () => 'Salvou a chave Pix',
  },
  PixKeyRemoved: {
    subjects: ({ pix_account_id }) => [`pixkey:${pix_account_id}`],
    words: () => 'Removeu a chave Pix',
  },
  PixSecretReplaced: {
    subjects: ({ pix_hook_id }) => [`pixkey:${pix_hook_id}`],
    words: () => 'Trocou o segredo do aviso automático de Pix',
  },
};

const ofCharge = ({ charge_id }: { charge_id: string }) => [`charge:${charge_id}`];
const ends: Record<CodeEnd, string> = {
  paga: 'O código Pix do provedor foi pago',
  removida: 'Removeu o código Pix do provedor',
  abandonada: 'Deixou de usar o código Pix do provedor, que foi desconectado ou trocado',
};

export const pixProviderHistory: HistoryWords<ProviderConnectionEvent | ProviderCodeEvent> = {
  PixProviderConnected: {
    subjects: settings,
    words: () => 'Conectou um provedor para o recebimento automático',
  },
  PixProviderDisconnected: {
    subjects: settings,
    words: () => 'Desconectou o provedor do recebimento automático',
  },
  PixCodeMade: {
    subjects: ofCharge,
    words: ({ valor }) => `Criou no provedor o código Pix de ${brl(valor)}`,
  },
  PixCodeRevised: {
    subjects: ofCharge,
    words: ({ valor, vencimento }) =>
      `Atualizou no provedor o código Pix: ${brl(valor)}, com vencimento em ${shortDate(vencimento)}`,
  },
  PixCodeEnded: { subjects: ofCharge, words: ({ motivo }) => ends[motivo] },
};
