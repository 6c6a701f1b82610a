import { type Aggregate, refuseChanged } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { CreditState } from './credit-account.js';
import type { SharingChoice } from './credits.api.js';

/** A student's own account. */
export interface Account {
  student_id: string;
  credits: CreditState;
}

/** The accounts from which a student's sessions take their credits. */
export interface Accounts extends Account {
  /** That of the student who shares theirs, which is used after the own one; null where none is shared. */
  dividida: Account | null;
  /** Others that were shared before, which may hold the credit of a session. */
  antigas: Account[];
}

export interface CreditSharingEvent {
  type: 'CreditSharingSet';
  data: {
    student_id: string;
    /** Null: only the student's own credits are used. */
    dono_id: string | null;
    antes: string | null;
    /** All whose credits the student has ever used: a session that is undone gives its credit back to where it was taken from. */
    contas: string[];
    /** The merging of two records, or its undoing, by which it is so. */
    juncao_id: string | null;
  };
}

export type CreditSharingState = Omit<CreditSharingEvent['data'], 'student_id'>;

/** Whose credits a student uses once their own are used up. The stream's id is the student's. */
export const creditSharing: Aggregate<CreditSharingState, CreditSharingEvent> = {
  name: 'credit-sharing',
  initialState: { dono_id: null, antes: null, contas: [], juncao_id: null },
  evolve(_state, { type, data }) {
    switch (type) {
      case 'CreditSharingSet': {
        const { student_id: _, ...state } = data;
        return state;
      }
    }
  },
  events: {
    CreditSharingSet: { schemaVersion: 1, usesNow: ({ dono_id }) => ({ student: dono_id }) },
  },
};

/** What else is known of who shares credits with whom. */
interface Around {
  /** Whose credits the wanted one uses. */
  dono: CreditSharingState;
  /** Who uses the credits of the student. */
  alunos: readonly string[];
}

/**
 * There are no chains: whose credits others use has none of others, and the other way round.
 * @throws Problem 422 for the student itself or a chain, 409 where it was changed since
 */
export function decideShare(
  state: CreditSharingState,
  student_id: string,
  { dono_id, se_ainda }: SharingChoice,
  { dono, alunos }: Around,
): CreditSharingEvent[] {
  const refused = (code: 'same_student' | 'sharing_chain', detail: string) =>
    new Problem(`credits.${code}`, { detail, errors: [{ pointer: '/dono_id', detail }] });
  if (dono_id === student_id) throw refused('same_student', 'Escolha outro aluno');
  if (dono_id !== null && dono.dono_id !== null)
    throw refused('sharing_chain', 'Este aluno já usa os créditos de outro: escolha o dono do pacote');
  if (dono_id !== null && alunos.length > 0)
    throw refused(
      'sharing_chain',
      'Quem você escolheu já divide os próprios créditos. Se o pacote é dessa pessoa, comece pelo extrato dela.',
    );
  // Who begins to share did not see that the other one uses somebody else's.
  if (dono_id !== null && se_ainda?.dono_id === null && state.dono_id !== null && state.dono_id !== dono_id)
    throw refused(
      'sharing_chain',
      'Quem você escolheu já usa os créditos de outro aluno: deixe de dividir antes, no extrato dessa pessoa.',
    );
  refuseChanged('A divisão dos créditos', { dono_id: state.dono_id }, se_ainda);
  return sharingSet(state, student_id, dono_id);
}

/** `outras`: other accounts from which credits may have come. */
export function sharingSet(
  { dono_id: antes, contas: before }: CreditSharingState,
  student_id: string,
  dono_id: string | null,
  juncao_id: string | null = null,
  outras: readonly string[] = [],
): CreditSharingEvent[] {
  const contas = [...new Set([...before, ...outras, ...(dono_id === null ? [] : [dono_id])])];
  if (antes === dono_id && contas.length === before.length) return [];
  return [{ type: 'CreditSharingSet', data: { student_id, dono_id, antes, contas, juncao_id } }];
}
