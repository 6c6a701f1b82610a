import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';

interface Arrived {
  pix_id: string;
  end_to_end_id: string;
  txid: string | null;
  /** The whole payment, in cents. */
  valor: number;
  /** The part that paid a charge, in cents. */
  aplicado: number;
  /** Calendar date in the tenant's zone. */
  data: string;
  /** The charge that the payment names. */
  charge_id: string | null;
  student_id: string | null;
  /** The receita for the rest that paid no charge; null if no charge is named. */
  transaction_id: string | null;
}

export type ArrivedPixEvent =
  | { type: 'PixArrived'; data: Arrived }
  /** `transaction_id`: the receita recorded by the decision. `estorno_id`: the reversal of the earlier receita. */
  | {
      type: 'PixDecided';
      data: {
        pix_id: string;
        valor: number;
        charge_id: string | null;
        student_id: string | null;
        decisao: 'receita' | 'fora';
        transaction_id: string | null;
        estorno_id: string | null;
      };
    }
  /** The decision was undone. `transaction_id`: the receita recorded again. `estorno_id`: the reversal of the decision's receita. */
  | {
      type: 'PixReopened';
      data: {
        pix_id: string;
        valor: number;
        charge_id: string | null;
        student_id: string | null;
        transaction_id: string | null;
        estorno_id: string | null;
      };
    };

type Decision = Extract<ArrivedPixEvent, { type: 'PixDecided' }>['data'];
type ArrivedPixState = (Arrived & { decidido: boolean; decisao: Decision | null }) | undefined;

/** A payment reported by a provider; the stream's id is derived from its end-to-end id, so that it is recorded once. */
export const arrivedPix: Aggregate<ArrivedPixState, ArrivedPixEvent> = {
  name: 'arrived-pix',
  initialState: undefined,
  evolve(state, { type, data }) {
    switch (type) {
      case 'PixArrived':
        return { ...data, decidido: data.aplicado === data.valor, decisao: null };
      case 'PixDecided':
        return state && { ...state, decidido: true, decisao: data };
      case 'PixReopened': {
        const transaction_id = data.estorno_id
          ? null
          : (data.transaction_id ?? state?.transaction_id ?? null);
        return state && { ...state, decidido: false, decisao: null, transaction_id };
      }
    }
  },
  events: {
    // The student was declared as used by the charge.
    PixArrived: { schemaVersion: 1, uses: 'nothing new' },
    PixDecided: { schemaVersion: 1, uses: 'nothing new' },
    PixReopened: { schemaVersion: 1, uses: 'nothing new' },
  },
};

/** The payment, of which a part is undecided. @throws Problem 404 if unknown, 409 if nothing is undecided */
export function undecided(state: ArrivedPixState): Arrived {
  if (!state) throw new Problem('charges.pix_not_found');
  if (state.decidido) throw new Problem('charges.pix_decided');
  return state;
}

/** The payment with its decision. @throws Problem 404 if unknown, 409 if nothing was decided */
export function decided(state: ArrivedPixState): Arrived & { decisao: Decision } {
  if (!state) throw new Problem('charges.pix_not_found');
  const { decisao } = state;
  if (!decisao) throw new Problem('charges.pix_undecided');
  return { ...state, decisao };
}
