import { type Aggregate, changedFields, refuseChanged } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { brl } from '../../platform/portuguese.js';
import type { PaymentMethod } from '../finance/finance.api.js';
import {
  type ChargeTerms,
  firstAsked,
  keptParts,
  type Owed,
  owedOn,
  partsOf,
  type PaymentParts,
} from './charge-terms.api.js';
import type { ChargeChanges, ChargeOrigin, Promised, ReminderChannel, ReturnChange } from './charges.api.js';
import type { Reassigned } from '../students/reassigned.js';
import { upcasters } from './upcasters.js';

/** Charge and student, which every event contains, so that it can be read without the others. */
interface About {
  charge_id: string;
  student_id: string;
}

/** The title of the charge, its amount and due date. */
interface Terms {
  /** Null once the person is forgotten. */
  descricao: string | null;
  /** Cents, positive. */
  valor: number;
  /** Calendar date of the tenant. */
  vencimento: string;
}

/** A link to the payment page: its id, from which the token is derived, and the SHA-256 of the token in hexadecimal. */
export interface ChargeLink {
  link_id: string;
  token_hash: string;
}

/** Credits that full payment grants; none if they were granted before, or the charge is for something else. */
export interface BoughtCredits {
  creditos: number;
  validade_dias: number | null;
}

/** What happened to a session whose charge was cancelled with it. */
export type SessionTurn = 'reaberta' | 'feita' | 'cancelada' | 'excluida' | 'de_outro_aluno';

export interface Payment {
  payment_id: string;
  /** The receita. */
  transaction_id: string;
  /** Cents. */
  valor: number;
}

/** A payment that counts. */
interface StandingPayment extends Payment, Added {
  data: string;
}

/** A payment as it was received, also if it was refunded later. */
export interface ReceivedPayment {
  payment_id: string;
  /** Cents. */
  valor: number;
  data: string;
  metodo_pagamento: PaymentMethod;
}

export type ChargeEvent =
  | {
      type: 'ChargeIssued';
      data: About &
        Terms &
        ChargeLink &
        BoughtCredits & {
          origem: ChargeOrigin;
          plano_id: string | null;
          session_id: string | null;
          /** First day of the month that a monthly plan's charge is for. */
          mes: string | null;
          /** The name of the charge at a provider. */
          txid: string;
          /** What it gains after its due date and loses before it; null: nothing. */
          termos: ChargeTerms | null;
          /** The lot of the plan's credits that were granted before, without money; the charge is for these. */
          grant_id?: string;
          /** Of a booking on the public page: the part of the amount, in cents, that is asked first and makes the booking stand. */
          entrada?: number;
        };
    }
  /**
   * The credits of the charge were granted before it was paid, as the lot `grant_id`, so paying it grants none. Null: that grant was
   * undone, and paying grants them again.
   */
  | { type: 'ChargeGrantLinked'; data: About & BoughtCredits & { grant_id: string | null } }
  /**
   * Only the changed fields, and the former amount and date. `entrada`: nothing is asked first any more, because the trainer confirmed the
   * booking without it, or it took place.
   */
  | {
      type: 'ChargeChanged';
      data: About & Partial<Terms> & { entrada?: 0; antes: Partial<Omit<Terms, 'descricao'>> };
    }
  /** `com_sessao`: what happened to its session, with which it was cancelled; null if the trainer cancelled it. */
  | {
      type: 'ChargeCancelled';
      data: About & { session_id: string | null; com_sessao: SessionTurn | null };
    }
  /** `grant_id`: the grant without money that the charge is for. */
  | { type: 'ChargeRestored'; data: About & { session_id: string | null; grant_id?: string } }
  | {
      type: 'ChargePaid';
      data: About &
        Payment &
        PaymentParts & {
          data: string;
          metodo_pagamento: PaymentMethod;
          /** Cents left to pay; 0: the charge is settled. */
          falta: number;
          /** The lot that was granted by settling the charge, if any. */
          lot_id: string | null;
        };
    }
  | {
      type: 'ChargePaymentReversed';
      data: About &
        Payment & {
          estorno_id: string;
          falta: number;
          creditos_retirados: number;
          /** What the payment had added to the amount of the charge: fine and interest, less the discount. */
          acrescimo: number;
        };
    }
  /**
   * Money was refunded to the student: the receita is reversed, and the kept part is recorded as another one with the same date.
   * The kept part becomes the amount of the charge; if nothing is kept, the charge is cancelled.
   */
  | {
      type: 'ChargeRefunded';
      data: About & {
        payment_id: string;
        transaction_id: string;
        estorno_id: string;
        /** Refunded cents. */
        valor: number;
        /** The receita for the kept part; null if nothing is kept. */
        resta: { transaction_id: string; valor: number } | null;
        creditos_retirados: number;
        /** How many of them had expired and so were not taken back. */
        creditos_expirados: number;
        /** Amount of the charge after the refund. */
        valor_cobrado: number;
        session_id: string | null;
        /** Null once the person is forgotten. */
        motivo: string | null;
      };
    }
  /** Somebody with the link said that it was paid. */
  | { type: 'ChargePaymentClaimed'; data: About }
  /** Earlier links become invalid. */
  | { type: 'ChargeLinkReplaced'; data: About & ChargeLink }
  /** The day for which the student promised payment; null: the promise was withdrawn. */
  | { type: 'ChargePromised'; data: About & { dia: string | null } }
  /** The trainer has opened the message with the link in WhatsApp. */
  | { type: 'ChargeSent'; data: About & { dia: string } }
  /** `degrau`: days from the due date; `dia`: the day on which the reminder was sent. */
  | { type: 'ChargeReminded'; data: About & { degrau: number; canal: ReminderChannel; dia: string } }
  /** Its session ended otherwise than agreed: so many cents of what was paid are to be given back; 0: none any more. */
  | { type: 'ChargeReturnDue'; data: About & { valor: number } }
  | { type: 'ChargeReassigned'; data: About & Reassigned };

export interface KnownCharge extends About, Terms, BoughtCredits {
  origem: ChargeOrigin;
  plano_id: string | null;
  session_id: string | null;
  termos: ChargeTerms | null;
  cancelada: boolean;
  /** Whether it was cancelled with its session. */
  com_sessao: boolean;
  link_id: string;
  /** The payments that were not reversed. */
  pagamentos: StandingPayment[];
  recebidos: ReceivedPayment[];
  /** Refunds, each with the receita that it reversed. */
  devolucoes: { estorno_id: string; transaction_id: string; valor: number }[];
  /** The lot that was granted by settling the charge. */
  lot_id: string | null;
  /** The lot granted before, without money, for which the charge is. */
  grant_id: string | null;
  /** Expired credits of that lot that refunds have counted as taken. */
  expirados: number;
  prometida: string | null;
  /** Whether "Já paguei" was reported and no payment was recorded since. */
  avisada: boolean;
  enviada: boolean;
  lembretes: { degrau: number; canal: ReminderChannel }[];
  /** Of a booking on the public page: the part that is asked first, 0 where nothing is any more; null for other charges. */
  entrada: number | null;
  /** Cents to be given back. */
  devolver: number;
}

/** Undefined until it is issued. */
export type ChargeState = KnownCharge | undefined;

const ofStudent = ({ student_id }: About) => student_id;
const personal = { person: ofStudent, fields: ['descricao'] as const };
/** Student and plan were declared as used when the charge was issued. */
const again = { schemaVersion: 1, uses: 'nothing new' } as const;

export const charge: Aggregate<ChargeState, ChargeEvent> = {
  name: 'charge',
  initialState: undefined,
  evolve,
  events: {
    ChargeIssued: {
      schemaVersion: 2,
      upcasters: upcasters.ChargeIssued,
      personal,
      uses: ({ student_id, plano_id }) => ({ student: student_id, plan: plano_id }),
    },
    ChargeChanged: { ...again, personal },
    ChargeCancelled: {
      ...again,
      schemaVersion: 2,
      upcasters: upcasters.ChargeCancelled,
    },
    ChargeRestored: again,
    ChargeGrantLinked: again,
    ChargePaid: { ...again, schemaVersion: 2, upcasters: upcasters.ChargePaid },
    ChargePaymentReversed: {
      ...again,
      schemaVersion: 2,
      upcasters: upcasters.ChargePaymentReversed,
    },
    ChargeRefunded: {
      ...again,
      schemaVersion: 2,
      personal: { person: ofStudent, fields: ['motivo'] },
      upcasters: upcasters.ChargeRefunded,
    },
    ChargePaymentClaimed: again,
    ChargeLinkReplaced: again,
    ChargePromised: again,
    ChargeSent: again,
    ChargeReminded: again,
    ChargeReturnDue: again,
    ChargeReassigned: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
  },
};

function evolve(state: ChargeState, { type, data }: ChargeEvent): ChargeState {
  if (type === 'ChargeIssued') {
    const { token_hash: _hash, txid: _txid, mes: _mes, ...known } = data;
    const open = { cancelada: false, com_sessao: false, avisada: false, enviada: false, prometida: null };
    const grant_id = data.grant_id ?? null;
    const paid = { lot_id: null, expirados: 0, pagamentos: [], recebidos: [], devolucoes: [] };
    const { entrada = null } = data;
    return { ...known, ...open, ...paid, grant_id, entrada, devolver: 0, lembretes: [] };
  }
  if (!state) return undefined;
  switch (type) {
    case 'ChargeGrantLinked': {
      const { grant_id, creditos, validade_dias } = data;
      return { ...state, grant_id, creditos, validade_dias };
    }
    case 'ChargeChanged': {
      const { antes: _antes, ...changes } = data;
      // With another due date the ladder starts again.
      return { ...state, ...changes, ...(changes.vencimento !== undefined && { lembretes: [] }) };
    }
    case 'ChargeCancelled':
      return { ...state, cancelada: true, com_sessao: data.com_sessao !== null };
    case 'ChargeRestored':
      return { ...state, cancelada: false, com_sessao: false };
    case 'ChargePaid': {
      const { payment_id, transaction_id, valor, metodo_pagamento, lot_id } = data;
      const { multa, juros, desconto } = data;
      const payment = { payment_id, transaction_id, valor, data: data.data, multa, juros, desconto };
      const pagamentos = [...state.pagamentos, payment];
      const received = { payment_id, valor, data: data.data, metodo_pagamento };
      const recebidos = [...state.recebidos, received];
      return {
        ...state,
        valor: state.valor + addedBy(data),
        pagamentos,
        recebidos,
        lot_id,
        expirados: 0,
        avisada: false,
      };
    }
    case 'ChargePaymentReversed': {
      const others = ({ payment_id }: { payment_id: string }) => payment_id !== data.payment_id;
      const pagamentos = state.pagamentos.filter(others);
      const recebidos = state.recebidos.filter(others);
      return { ...state, valor: state.valor - data.acrescimo, pagamentos, recebidos, lot_id: null };
    }
    case 'ChargeRefunded': {
      const { payment_id, resta, valor_cobrado, creditos_retirados, creditos_expirados } = data;
      const { estorno_id, transaction_id, valor } = data;
      const devolucoes = [...state.devolucoes, { estorno_id, transaction_id, valor }];
      const devolver = Math.max(state.devolver - valor, 0);
      const pagamentos = state.pagamentos.flatMap((payment) => {
        if (payment.payment_id !== payment_id) return [payment];
        return resta === null ? [] : [{ ...payment, ...resta, ...keptParts(payment, valor) }];
      });
      if (valor_cobrado > 0) {
        const creditos = state.creditos - creditos_retirados;
        const expirados = state.expirados + creditos_expirados;
        return { ...state, pagamentos, devolucoes, devolver, valor: valor_cobrado, creditos, expirados };
      }
      // If nothing is kept, the charge is cancelled: when charged again, it grants the credits again.
      return {
        ...state,
        pagamentos,
        devolucoes,
        devolver,
        creditos: creditos_retirados,
        lot_id: null,
        cancelada: true,
      };
    }
    case 'ChargePaymentClaimed':
      return { ...state, avisada: true };
    case 'ChargeLinkReplaced':
      return { ...state, link_id: data.link_id };
    case 'ChargePromised':
      return { ...state, prometida: data.dia };
    case 'ChargeSent':
      return { ...state, enviada: true };
    case 'ChargeReminded': {
      const { degrau, canal } = data;
      return { ...state, lembretes: [...state.lembretes, { degrau, canal }] };
    }
    case 'ChargeReturnDue':
      return { ...state, devolver: data.valor };
    case 'ChargeReassigned':
      return { ...state, student_id: data.student_id };
  }
}

/** @throws Problem 404 for an unknown charge */
export function existingCharge(state: ChargeState): KnownCharge {
  if (!state) throw new Problem('charges.not_found');
  return state;
}

const about = ({ charge_id, student_id }: About): About => ({ charge_id, student_id });

/** A letter and 24 digits: the `txid` of a static code has at most 25 characters. */
export function txidOf(chargeId: string): string {
  return `R0${chargeId.replaceAll('-', '').slice(0, 23).toUpperCase()}`;
}

/** Cents left to pay. */
export function dueOf({ valor, pagamentos }: KnownCharge): number {
  return pagamentos.reduce((left, payment) => left - payment.valor, valor);
}

function refuseClosed(state: KnownCharge): void {
  if (state.cancelada) throw new Problem('charges.cancelled');
  if (dueOf(state) === 0) throw new Problem('charges.already_paid');
}

export type Issued = Extract<ChargeEvent, { type: 'ChargeIssued' }>['data'];

export function decideIssue(data: Issued): ChargeEvent[] {
  return [{ type: 'ChargeIssued', data }];
}

/** Refuses another amount for a charge that was paid in part. */
export function decideChange(state: KnownCharge, { se_ainda, ...wanted }: ChargeChanges): ChargeEvent[] {
  refuseClosed(state);
  const { descricao, valor, vencimento } = state;
  const current = { descricao, valor, vencimento };
  refuseChanged('A cobrança', current, se_ainda);
  const changes = changedFields<Terms>(current, wanted);
  if (Object.keys(changes).length === 0) return [];
  if (changes.valor !== undefined && state.pagamentos.length > 0) throw new Problem('charges.has_payments');
  const antes = {
    ...(changes.valor !== undefined && { valor }),
    ...(changes.vencimento !== undefined && { vencimento }),
  };
  return [{ type: 'ChargeChanged', data: { ...about(state), ...changes, antes } }];
}

export function decideCancel(state: KnownCharge, com_sessao: SessionTurn | null = null): ChargeEvent[] {
  if (state.pagamentos.length > 0) throw new Problem('charges.has_payments');
  if (state.cancelada) return [];
  return [{ type: 'ChargeCancelled', data: { ...about(state), session_id: state.session_id, com_sessao } }];
}

/** Whether a part is asked first and was not paid yet. */
export const waitsForPayment = (state: KnownCharge): boolean => firstAskedOf(state) !== null;

/** The booking stands without it: all is asked for as of any charge. */
export const decideStand = (state: KnownCharge): ChargeEvent[] =>
  waitsForPayment(state) ? [{ type: 'ChargeChanged', data: { ...about(state), entrada: 0, antes: {} } }] : [];

/** Whether the part that is asked first was paid, so that the booking stands. */
export const isHeldByPayment = (state: KnownCharge): boolean =>
  Boolean(state.entrada) && state.valor - dueOf(state) >= state.entrada!;

/**
 * The charge of a booking whose session ended with `owed` cents to be paid: nothing more is asked, and what was paid beyond is to be given
 * back. Nothing paid and nothing owed cancels it.
 */
export function decideEndBooking(state: KnownCharge, owed: number, com_sessao: SessionTurn): ChargeEvent[] {
  if (state.cancelada) return [];
  const paid = state.valor - dueOf(state);
  if (paid === 0 && owed === 0)
    return [...decideCancel(state, com_sessao), ...amended(state, state.valor, 0)];
  return amended(state, Math.max(owed, paid), paid - Math.min(owed, paid));
}

/** The session of a booking takes place after all: its price is asked again, and nothing is given back. */
export function decideResumeBooking(state: KnownCharge, preco: number): ChargeEvent[] {
  return [...decideRestore(state), ...amended(state, preco, 0)];
}

export function decideReturn(state: KnownCharge, { devolver, se_ainda }: ReturnChange): ChargeEvent[] {
  refuseChanged('A devolução', { devolver: state.devolver }, { devolver: se_ainda });
  if (devolver > state.valor - dueOf(state)) throw new Problem('charges.more_than_paid');
  return amended(state, state.valor, devolver);
}

function amended(state: KnownCharge, valor: number, devolver: number): ChargeEvent[] {
  return [
    ...(valor === state.valor
      ? []
      : [
          {
            type: 'ChargeChanged' as const,
            data: { ...about(state), valor, antes: { valor: state.valor } },
          },
        ]),
    ...(devolver === state.devolver
      ? []
      : [{ type: 'ChargeReturnDue' as const, data: { ...about(state), valor: devolver } }]),
  ];
}

export function decideRestore(state: KnownCharge): ChargeEvent[] {
  if (!state.cancelada) return [];
  const { session_id, grant_id } = state;
  return [
    { type: 'ChargeRestored', data: { ...about(state), session_id, ...(grant_id !== null && { grant_id }) } },
  ];
}

/** Makes an open charge one for credits that were granted before it is paid; `grant_id` null: for `bought` again. */
export function decideLinkGrant(
  state: KnownCharge,
  grant_id: string | null,
  bought: BoughtCredits = { creditos: 0, validade_dias: null },
): ChargeEvent[] {
  return [{ type: 'ChargeGrantLinked', data: { ...about(state), ...bought, grant_id } }];
}

interface Paying extends Payment {
  data: string;
  metodo_pagamento: PaymentMethod;
}

type Added = Pick<PaymentParts, 'multa' | 'juros' | 'desconto'>;

/** What a payment adds to the amount of its charge. */
export const addedBy = ({ multa, juros, desconto }: Added): number => multa + juros - desconto;

export const owedOf = (state: KnownCharge, dia: string): Owed =>
  owedOn({ ...state, falta: dueOf(state) }, dia);

/** What is asked for on a day: of a booking first the part that makes it stand. */
export const askedOf = (state: KnownCharge, dia: string): number =>
  firstAskedOf(state) ?? owedOf(state, dia).total;

const firstAskedOf = (state: KnownCharge): number | null =>
  firstAsked({ ...state, pago: state.valor - dueOf(state) });

/** The most that a charge takes on a day: all that is left, with fine and interest. */
export const mostOf = (state: KnownCharge, dia: string): number =>
  Math.max(dueOf(state), owedOf(state, dia).total);

/** Whether a payment settles the charge, and so grants the credits. */
export function settles(state: KnownCharge, { valor, data }: Pick<Paying, 'valor' | 'data'>): boolean {
  return !state.cancelada && partsOf(valor, dueOf(state), owedOf(state, data)).falta === 0;
}

/** `lot_id`: the lot granted with the payment; null if none is. */
export function decidePay(state: KnownCharge, payment: Paying, lot_id: string | null): ChargeEvent[] {
  refuseClosed(state);
  const most = mostOf(state, payment.data);
  if (payment.valor > most) {
    const detail = `Falta pagar ${brl(most)}.`;
    throw new Problem('charges.more_than_due', { detail, errors: [{ pointer: '/valor', detail }] });
  }
  const parts = partsOf(payment.valor, dueOf(state), owedOf(state, payment.data));
  return [{ type: 'ChargePaid', data: { ...about(state), ...payment, ...parts, lot_id } }];
}

/** The payment to be undone. @throws Problem 404 if it does not exist or was reversed */
export function standingPayment(state: KnownCharge, id: string): StandingPayment {
  const payment = state.pagamentos.find(({ payment_id }) => payment_id === id);
  if (!payment) throw new Problem('charges.payment_not_found');
  return payment;
}

/** Where the session of a booking ended and something was to be given back, the charge asks for no more than the session owes. */
export function decideReversePayment(
  state: KnownCharge,
  payment: StandingPayment,
  { estorno_id, creditos_retirados }: { estorno_id: string; creditos_retirados: number },
): ChargeEvent[] {
  const { payment_id, transaction_id, valor } = payment;
  const acrescimo = addedBy(payment);
  const falta = dueOf(state) + valor - acrescimo;
  const undone = { payment_id, transaction_id, valor, estorno_id, falta, creditos_retirados, acrescimo };
  const reversed = { type: 'ChargePaymentReversed' as const, data: { ...about(state), ...undone } };
  if (state.devolver === 0) return [reversed];
  const owed = state.valor - dueOf(state) - state.devolver;
  return [reversed, ...decideEndBooking(evolve(state, reversed)!, owed, 'cancelada')];
}

/** Recorded once until a payment is recorded; no event if nothing is left to pay. */
export function decideClaim(state: KnownCharge): ChargeEvent[] {
  if (state.cancelada) throw new Problem('charges.link_not_valid');
  if (state.avisada || dueOf(state) === 0) return [];
  return [{ type: 'ChargePaymentClaimed', data: about(state) }];
}

export function decideReplaceLink(state: KnownCharge, link: ChargeLink): ChargeEvent[] {
  return [{ type: 'ChargeLinkReplaced', data: { ...about(state), ...link } }];
}

export function decidePromise(state: KnownCharge, { dia, se_ainda }: Promised): ChargeEvent[] {
  refuseClosed(state);
  refuseChanged('A cobrança', { dia: state.prometida }, { dia: se_ainda });
  return state.prometida === dia ? [] : [{ type: 'ChargePromised', data: { ...about(state), dia } }];
}

/** Once, while something is left to pay. */
export function decideSend(state: KnownCharge, dia: string): ChargeEvent[] {
  if (state.cancelada || state.enviada || dueOf(state) === 0) return [];
  return [{ type: 'ChargeSent', data: { ...about(state), dia } }];
}

/** Each step of the ladder once, by mail or WhatsApp. */
export function decideRemind(
  state: KnownCharge,
  { degrau, canal, dia }: { degrau: number; canal: ReminderChannel; dia: string },
): ChargeEvent[] {
  if (state.cancelada || dueOf(state) === 0) return [];
  if (state.lembretes.some((sent) => sent.degrau === degrau)) return [];
  return [{ type: 'ChargeReminded', data: { ...about(state), degrau, canal, dia } }];
}
