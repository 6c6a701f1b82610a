import { addDays } from 'date-fns';
import type { Aggregate } from '../../platform/event-store/aggregate.js';

interface About {
  charge_id: string;
  student_id: string;
  /** The code's id at the provider. */
  txid: string;
}

/** The fields that the provider may change. */
interface Terms {
  /** Cents. */
  valor: number;
  /** The charge's due date when the provider got it. */
  vencimento: string;
  /** ISO instant. */
  expira_em: string;
  /** Revision number of the provider, from 0. */
  revisao: number;
  /** The code that a payer's bank reads; null once the trainer's encryption key is destroyed. */
  pix_copia_e_cola: string | null;
}

/** `paga`; `removida` by us or the provider; `abandonada`: its connection no longer answers. */
export type CodeEnd = 'paga' | 'removida' | 'abandonada';

export type ProviderCodeEvent =
  | {
      type: 'PixCodeMade';
      data: About &
        Terms & {
          connection_id: string;
          /** The trainer's Pix key that gets the payment. */
          chave: string | null;
          /** Cents of the charge that were paid before the code was made. */
          pago: number;
          /** ISO instant from the provider. */
          criada_em: string;
        };
    }
  | { type: 'PixCodeRevised'; data: About & Terms }
  | { type: 'PixCodeEnded'; data: About & { motivo: CodeEnd } };

export type ProviderCode = Extract<ProviderCodeEvent, { type: 'PixCodeMade' }>['data'];

export interface ProviderCodeState {
  /** The code that can be paid now. */
  ativo: ProviderCode | null;
  /** How many codes have ended, which is the number of used txids. */
  encerrados: number;
}

const personal = { person: (_data: unknown, tenantId: string) => tenantId };

/** A charge's codes from a provider, one at a time; the stream's id is the charge's. */
export const providerCode: Aggregate<ProviderCodeState, ProviderCodeEvent> = {
  name: 'pix-code',
  initialState: { ativo: null, encerrados: 0 },
  evolve(state, { type, data }) {
    switch (type) {
      case 'PixCodeMade':
        return { ...state, ativo: data };
      case 'PixCodeRevised':
        return { ...state, ativo: state.ativo && { ...state.ativo, ...data } };
      case 'PixCodeEnded':
        return { ativo: null, encerrados: state.encerrados + 1 };
    }
  },
  events: {
    // The charge already refers to the student.
    PixCodeMade: {
      schemaVersion: 1,
      uses: 'nothing new',
      personal: { ...personal, fields: ['pix_copia_e_cola', 'chave'] },
    },
    PixCodeRevised: {
      schemaVersion: 1,
      uses: 'nothing new',
      personal: { ...personal, fields: ['pix_copia_e_cola'] },
    },
    PixCodeEnded: { schemaVersion: 1, uses: 'nothing new' },
  },
};

/** The code that the provider should have for a charge. */
export interface WantedCode {
  chave: string;
  /** Remaining cents. */
  valor: number;
  /** Paid cents. */
  pago: number;
  vencimento: string;
  descricao: string;
}

export type Step = 'none' | 'make' | 'revise' | 'remove';

/** Days for which a code can be paid after its due date, or after today if that has passed. */
const DAYS_AFTER = 30;
const RENEWED_DAYS_BEFORE = 1;

/** The next step from the provider's code to the wanted one, on the same connection. After a payment the rest gets a new code. */
export function nextStep(code: ProviderCode | null, wanted: WantedCode | null, now: Date): Step {
  if (!code) return wanted ? 'make' : 'none';
  if (!wanted || wanted.chave !== code.chave || wanted.pago !== code.pago) return 'remove';
  const ends = Date.parse(code.expira_em) <= addDays(now, RENEWED_DAYS_BEFORE).getTime();
  return ends || wanted.valor !== code.valor || wanted.vencimento !== code.vencimento ? 'revise' : 'none';
}

/** Seconds for which a code that was made at `criada_em` can be paid. */
export function lifetimeOf(vencimento: string, criada_em: Date, now: Date): number {
  const due = new Date(`${vencimento}T23:59:59Z`);
  const end = addDays(due > now ? due : now, DAYS_AFTER);
  return Math.ceil((end.getTime() - criada_em.getTime()) / 1000);
}

/** When a payable code is next checked: often at first, four times a day in the end. */
export function nextLook({ criada_em }: ProviderCode, now: Date): Date {
  const age = now.getTime() - Date.parse(criada_em);
  return new Date(now.getTime() + Math.min(Math.max(age / 8, 600_000), 6 * 3_600_000));
}

/** The txid of the current code, or of the next one. */
export const txidIn = ({ encerrados }: ProviderCodeState, chargeId: string): string =>
  providerTxid(chargeId, encerrados);

/** No event if another worker was faster. */
export function decideMade(state: ProviderCodeState, made: ProviderCode): ProviderCodeEvent[] {
  if (state.ativo || made.txid !== txidIn(state, made.charge_id)) return [];
  return [{ type: 'PixCodeMade', data: made }];
}

/** No event for an older revision than the known one. */
export function decideRevised({ ativo }: ProviderCodeState, txid: string, terms: Terms): ProviderCodeEvent[] {
  if (ativo?.txid !== txid || terms.revisao < ativo.revisao) return [];
  const { charge_id, student_id } = ativo;
  return [{ type: 'PixCodeRevised', data: { charge_id, student_id, txid, ...terms } }];
}

/** Also ends a code that only the provider knew, so that its txid is not used again. No event if another worker was faster. */
export function decideEnded(state: ProviderCodeState, about: About, motivo: CodeEnd): ProviderCodeEvent[] {
  const { charge_id, student_id, txid } = about;
  if (txid !== txidIn(state, charge_id)) return [];
  return [{ type: 'PixCodeEnded', data: { charge_id, student_id, txid, motivo } }];
}

/**
 * The `txid` of a charge's code number `made` (from 0): 35 letters and digits. A provider accepts each `txid` only
 * once.
 */
export function providerTxid(chargeId: string, made: number): string {
  return `R${chargeId.replaceAll('-', '').toUpperCase()}${made.toString(36).toUpperCase().padStart(2, '0')}`;
}

/** The charge of such a `txid`; null for any other text. */
export function chargeOfTxid(txid: string): string | null {
  const hex = /^R([\dA-F]{32})[\dA-Z]{2}$/.exec(txid)?.[1];
  return hex?.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') ?? null;
}
