import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { plural } from '../../platform/plural.api.js';
import { type CreditEvent, type CreditState, entry, taken, usableLots } from './credit-account.js';

/** A lot of the giver, and the lot that its credits became in the recipient's account. */
interface MovedLot {
  de_lote: string;
  para_lote: string;
  quantidade: number;
}

/** From the student `de` to the student `para`; the accounts have their own events, in the same command. */
export type CreditTransferEvent =
  | {
      type: 'CreditTransferMade';
      data: { transfer_id: string; de: string; para: string; quantidade: number; lotes: MovedLot[] };
    }
  | { type: 'CreditTransferUndone'; data: { transfer_id: string; de: string; para: string } };

type KnownTransfer = Extract<CreditTransferEvent, { type: 'CreditTransferMade' }>['data'] & {
  undone: boolean;
};

/** Undefined until the transfer is made; the stream's id is the transfer's. */
export const creditTransfer: Aggregate<KnownTransfer | undefined, CreditTransferEvent> = {
  name: 'credit-transfer',
  initialState: undefined,
  evolve(state, { type, data }) {
    switch (type) {
      case 'CreditTransferMade':
        return { ...data, undone: false };
      case 'CreditTransferUndone':
        return state && { ...state, undone: true };
    }
  },
  events: {
    CreditTransferMade: { schemaVersion: 1, uses: 'nothing new' },
    CreditTransferUndone: { schemaVersion: 1, uses: 'nothing new' },
  },
};

/** The events of a transfer or its undoing: for both accounts and for the transfer. */
export interface DecidedTransfer {
  de: CreditEvent[];
  para: CreditEvent[];
  transfer: CreditTransferEvent[];
}

interface Wanted {
  transfer_id: string;
  de: string;
  para: string;
  quantidade: number;
  motivo: string;
}

interface Moment {
  now: Date;
  timezone: string;
  newId: () => string;
}

/**
 * Transfers credits in their order of use, with their expiry. Make-ups cannot be transferred.
 * @throws Problem 422 for more credits than there are, or for the same student
 */
export function decideTransfer(
  account: CreditState,
  { transfer_id, de, para, quantidade, motivo }: Wanted,
  { now, timezone, newId }: Moment,
): DecidedTransfer {
  if (de === para)
    throw new Problem('credits.same_student', {
      errors: [{ pointer: '/para', detail: 'Escolha outro aluno' }],
    });
  const lots = usableLots(account, now).filter(({ reposicao }) => !reposicao);
  const available = lots.reduce((sum, { remaining }) => sum + remaining, 0);
  if (quantidade > available)
    throw new Problem('credits.not_enough', {
      detail:
        available === 0
          ? 'O aluno não tem créditos para transferir.'
          : `O aluno tem ${plural(available, 'crédito', 'créditos')} para transferir.`,
      errors: [{ pointer: '/quantidade', detail: 'Maior que o saldo' }],
    });
  const shares = taken(lots, quantidade);
  const lotes = shares.map(({ lot_id, quantidade: part }) => ({
    de_lote: lot_id,
    para_lote: newId(),
    quantidade: -part,
  }));
  const expiry = new Map(
    lots.map(({ lot_id, expira_em, expires_at }) => [lot_id, { expira_em, expires_at }]),
  );
  const line = (student_id: string) => entry({ student_id, entry_id: transfer_id, now });
  return {
    de: [
      {
        type: 'CreditsSent',
        data: { ...line(de), para, quantidade, lotes: shares, motivo, desfaz: null },
      },
    ],
    para: [
      {
        type: 'CreditsReceived',
        data: {
          ...line(para),
          de,
          quantidade,
          desfaz: null,
          timezone,
          lotes: lotes.map(({ de_lote, para_lote, quantidade: part }) => ({
            lot_id: para_lote,
            origem: de_lote,
            quantidade: part,
            ...expiry.get(de_lote)!,
          })),
        },
      },
    ],
    transfer: [{ type: 'CreditTransferMade', data: { transfer_id, de, para, quantidade, lotes } }],
  };
}

/**
 * Returns each credit to its original lot.
 * @throws Problem 409 if one of them was used since, or the transfer was undone before
 */
export function decideUndoTransfer(
  made: KnownTransfer,
  accounts: { de: CreditState; para: CreditState },
  { now, timezone, newId }: Moment,
): DecidedTransfer {
  const { transfer_id, de, para, quantidade, lotes } = made;
  if (made.undone) throw new Problem('credits.transfer_undone');
  const received = new Map(accounts.para.lots.map((lot) => [lot.lot_id, lot]));
  const sent = new Map(accounts.de.lots.map((lot) => [lot.lot_id, lot]));
  const shares = lotes.map(({ de_lote, para_lote, quantidade: part }) => {
    const lot = received.get(para_lote);
    if (!lot || lot.remaining < part)
      throw new Problem('credits.transfer_used', {
        detail: 'Parte dos créditos já foi usada. Transfira de volta o que resta.',
      });
    const { expira_em, expires_at } = sent.get(de_lote) ?? lot;
    return { back: { lot_id: de_lote, origem: para_lote, quantidade: part, expira_em, expires_at }, lot };
  });
  const line = (student_id: string) => entry({ student_id, entry_id: newId(), now });
  return {
    para: [
      {
        type: 'CreditsSent',
        data: {
          ...line(para),
          para: de,
          quantidade,
          motivo: null,
          desfaz: transfer_id,
          lotes: shares.map(({ lot, back }) => ({ lot_id: lot.lot_id, quantidade: -back.quantidade })),
        },
      },
    ],
    de: [
      {
        type: 'CreditsReceived',
        data: {
          ...line(de),
          de: para,
          quantidade,
          desfaz: transfer_id,
          timezone,
          lotes: shares.map(({ back }) => back),
        },
      },
    ],
    transfer: [{ type: 'CreditTransferUndone', data: { transfer_id, de, para } }],
  };
}
