import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';

interface Arrived {
  pix_id: string;
  end_to_end_id: string;
  txid: string | null;
  /** Cents, all of it. */
  valor: number;
  /** Cents that a charge took. */
  aplicado: number;
  /** Calendar date in the tenant's zone. */
  data: string;
  /** The charge that it names. */
  charge_id: string | null;
  student_id: string | null;
  /** The receita of what no charge took, where a charge is named. */
  transaction_id: string | null;
}

export type ArrivedPixEvent =
  | { type: 'PixArrived'; data: Arrived }
  /** `transaction_id`: the receita that was recorded then. `estorno_id`: what took the one before back. */
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
  /** The decision was undone. `transaction_id`: what was recorded again. `estorno_id`: what took back what the decision recorded. */
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

/** A payment that a provider told of; the stream's id follows from its end-to-end id, so that it is recorded once. */
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
    // The charge named the student before.
    PixArrived: { schemaVersion: 1, uses: 'nothing new' },
    PixDecided: { schemaVersion: 1, uses: 'nothing new' },
    PixReopened: { schemaVersion: 1, uses: 'nothing new' },
  },
};

/** What is left of it to decide on. @throws Problem 404 where it is unknown, 409 where nothing is left */
export function undecided(state: ArrivedPixState): Arrived {
  if (!state) throw new Problem('charges.pix_not_found');
  if (state.decidido) throw new Problem('charges.pix_decided');
  return state;
}

/** With the decision on it. @throws Problem 404 where it is unknown, 409 where nothing was decided */
export function decided(state: ArrivedPixState): Arrived & { decisao: Decision } {
  if (!state) throw new Problem('charges.pix_not_found');
  const { decisao } = state;
  if (!decisao) throw new Problem('charges.pix_undecided');
  return { ...state, decisao };
}
