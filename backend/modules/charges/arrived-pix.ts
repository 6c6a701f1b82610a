import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { ReceivedPayment } from './charge.js';
import { upcasters } from './upcasters.js';

interface About {
  pix_id: string;
  /** Cents that the event is about. */
  valor: number;
  /** The charge that the payment names. */
  charge_id: string | null;
  student_id: string | null;
}

interface Arrived extends About {
  end_to_end_id: string;
  txid: string | null;
  /** The part that is a payment of the charge, in cents; the rest is to be decided. */
  aplicado: number;
  /** Calendar date in the tenant's zone. */
  data: string;
  /** The charge's payment that it is; null if none, and in events of the first version. */
  payment_id: string | null;
  /** Whether that payment was recorded before the notice. */
  ja_registrado: boolean;
  /** The receita that the first version recorded for the rest; now nothing is recorded before the decision. */
  transaction_id: string | null;
  /** The payments of several charges that it is, where it names what a payer owes; the sum is `aplicado`. */
  partes: {
    charge_id: string;
    student_id: string;
    payment_id: string;
    valor: number;
    ja_registrado: boolean;
  }[];
}

/** A payment of the charge that a part of the Pix is. */
interface PixPayment extends About {
  payment_id: string;
}

export type ArrivedPixEvent =
  | { type: 'PixArrived'; data: Arrived }
  /** The undecided part is a payment of the charge. `ja_registrado`: its payment was recorded in another way, not by a decision. */
  | { type: 'PixMatched'; data: PixPayment & { ja_registrado: boolean } }
  /** The payment was undone: what was not refunded of it is to be decided again. */
  | { type: 'PixReturned'; data: PixPayment }
  /** `transaction_id`: the receita recorded by the decision. `estorno_id`: the reversal of the earlier receita. */
  | {
      type: 'PixDecided';
      data: About & { decisao: 'receita' | 'fora'; transaction_id: string | null; estorno_id: string | null };
    }
  /** The decision was undone. `transaction_id`: the receita recorded again. `estorno_id`: the reversal of the decision's receita. */
  | {
      type: 'PixReopened';
      data: About & { transaction_id: string | null; estorno_id: string | null };
    };

type Decision = Extract<ArrivedPixEvent, { type: 'PixDecided' }>['data'];

export interface KnownPix extends Omit<Arrived, 'aplicado' | 'payment_id' | 'ja_registrado' | 'partes'> {
  /** Cents to be decided. */
  falta: number;
  /** `payment_id`: null in events of the first version. `ja_registrado`: it was recorded in another way, too. */
  pagamentos: { payment_id: string | null; valor: number; ja_registrado: boolean }[];
  /** Decisions that stand, the last one last. */
  decisoes: Decision[];
}

/** A payment reported by a provider; the stream's id is derived from its end-to-end id, so that it is recorded once. */
export const arrivedPix: Aggregate<KnownPix | undefined, ArrivedPixEvent> = {
  name: 'arrived-pix',
  initialState: undefined,
  evolve(state, { type, data }) {
    if (type === 'PixArrived') {
      const { aplicado, payment_id, ja_registrado, partes, ...arrived } = data;
      const whole = aplicado > 0 ? [{ payment_id, valor: aplicado, ja_registrado }] : [];
      const pagamentos = partes.length > 0 ? partes : whole;
      return { ...arrived, falta: data.valor - aplicado, pagamentos, decisoes: [] };
    }
    if (!state) return undefined;
    switch (type) {
      case 'PixMatched': {
        const { payment_id, valor, ja_registrado } = data;
        const pagamentos = [...state.pagamentos, { payment_id, valor, ja_registrado }];
        return { ...state, falta: state.falta - valor, pagamentos };
      }
      case 'PixReturned': {
        const isUndone = (part: { payment_id: string | null }) =>
          part.payment_id === null || part.payment_id === data.payment_id;
        return {
          ...state,
          falta: state.falta + data.valor,
          pagamentos: state.pagamentos.filter((part) => !isUndone(part)),
        };
      }
      case 'PixDecided':
        return { ...state, falta: state.falta - data.valor, decisoes: [...state.decisoes, data] };
      case 'PixReopened': {
        const transaction_id = data.estorno_id ? null : (data.transaction_id ?? state.transaction_id);
        const decisoes = state.decisoes.slice(0, -1);
        return { ...state, falta: state.falta + data.valor, decisoes, transaction_id };
      }
    }
  },
  events: {
    // The student was declared as used by the charge.
    PixArrived: {
      schemaVersion: 3,
      uses: 'nothing new',
      upcasters: upcasters.PixArrived,
    },
    PixMatched: { schemaVersion: 1, uses: 'nothing new' },
    PixReturned: { schemaVersion: 1, uses: 'nothing new' },
    PixDecided: { schemaVersion: 1, uses: 'nothing new' },
    PixReopened: { schemaVersion: 1, uses: 'nothing new' },
  },
};

/** The part of the Pix that is this payment. Events of the first version name none: there it has the date of the notice. */
export const partOf = (pix: KnownPix, { payment_id, valor, data }: ReceivedPayment) =>
  pix.pagamentos.find((part) =>
    part.payment_id === null ? part.valor === valor && pix.data === data : part.payment_id === payment_id,
  );

/** The payment, of which a part is undecided. @throws Problem 404 if unknown, 409 if nothing is undecided */
export function undecided(state: KnownPix | undefined): KnownPix {
  if (!state) throw new Problem('charges.pix_not_found');
  if (state.falta === 0) throw new Problem('charges.pix_decided');
  return state;
}

/** The payment with its last decision. @throws Problem 404 if unknown, 409 if nothing was decided */
export function decided(state: KnownPix | undefined): KnownPix & { decisao: Decision } {
  if (!state) throw new Problem('charges.pix_not_found');
  const decisao = state.decisoes.at(-1);
  if (!decisao) throw new Problem('charges.pix_undecided');
  return { ...state, decisao };
}
