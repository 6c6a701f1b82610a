import { addDays } from 'date-fns';
import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { providerTxid } from './provider-txid.js';

interface About {
  charge_id: string;
  student_id: string;
  /** By which the provider knows it. */
  txid: string;
}

/** What the provider keeps of it. */
interface Terms {
  /** Cents. */
  valor: number;
  /** Of the charge, when it was told. */
  vencimento: string;
  /** ISO instant. */
  expira_em: string;
  /** Counted by the provider, from 0. */
  revisao: number;
  /** What a payer's bank reads; null once the trainer's key is destroyed. */
  pix_copia_e_cola: string | null;
}

/** `paga`; `removida` by us or the provider; `abandonada`: of a connection that says no more. */
export type CodeEnd = 'paga' | 'removida' | 'abandonada';

export type ProviderCodeEvent =
  | {
      type: 'PixCodeMade';
      data: About &
        Terms & {
          connection_id: string;
          /** The trainer's key that it pays to. */
          chave: string | null;
          /** Cents of the charge that were paid before. */
          pago: number;
          /** ISO instant of the provider's. */
          criada_em: string;
        };
    }
  | { type: 'PixCodeRevised'; data: About & Terms }
  | { type: 'PixCodeEnded'; data: About & { motivo: CodeEnd } };

export type ProviderCode = Extract<ProviderCodeEvent, { type: 'PixCodeMade' }>['data'];

export interface ProviderCodeState {
  /** That can be paid now. */
  ativo: ProviderCode | null;
  /** How many have ended: names that are used up. */
  encerrados: number;
}

const personal = { person: (_data: unknown, tenantId: string) => tenantId };

/** The codes that a provider makes for a charge, one at a time; the stream's id is the charge's. */
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
    // The charge named the student before.
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

/** What the provider is to have for a charge. */
export interface WantedCode {
  chave: string;
  /** Cents that are left to pay. */
  valor: number;
  /** Cents that were paid. */
  pago: number;
  vencimento: string;
  descricao: string;
}

export type Step = 'none' | 'make' | 'revise' | 'remove';

/** Days after its due date, or after today where that is over, for which a code can be paid. */
const DAYS_AFTER = 30;
const RENEWED_DAYS_BEFORE = 1;

/** The next step on the way from what the provider has to what it is to have; the code is of its connection. After a payment the rest gets a code of its own. */
export function nextStep(code: ProviderCode | null, wanted: WantedCode | null, now: Date): Step {
  if (!code) return wanted ? 'make' : 'none';
  if (!wanted || wanted.chave !== code.chave || wanted.pago !== code.pago) return 'remove';
  const ends = Date.parse(code.expira_em) <= addDays(now, RENEWED_DAYS_BEFORE).getTime();
  return ends || wanted.valor !== code.valor || wanted.vencimento !== code.vencimento ? 'revise' : 'none';
}

/** Seconds for which a code can be paid that was made at that instant. */
export function lifetimeOf(vencimento: string, criada_em: Date, now: Date): number {
  const due = new Date(`${vencimento}T23:59:59Z`);
  const end = addDays(due > now ? due : now, DAYS_AFTER);
  return Math.ceil((end.getTime() - criada_em.getTime()) / 1000);
}

/** When what can be paid is next asked about: often at first, four times a day in the end. */
export function nextLook({ criada_em }: ProviderCode, now: Date): Date {
  const age = now.getTime() - Date.parse(criada_em);
  return new Date(now.getTime() + Math.min(Math.max(age / 8, 600_000), 6 * 3_600_000));
}

/** The name of the code that there is, or of the next one. */
export const txidIn = ({ encerrados }: ProviderCodeState, chargeId: string): string =>
  providerTxid(chargeId, encerrados);

/** Nothing where another worker was first. */
export function decideMade(state: ProviderCodeState, made: ProviderCode): ProviderCodeEvent[] {
  if (state.ativo || made.txid !== txidIn(state, made.charge_id)) return [];
  return [{ type: 'PixCodeMade', data: made }];
}

/** Nothing for what is older than what is known. */
export function decideRevised({ ativo }: ProviderCodeState, txid: string, terms: Terms): ProviderCodeEvent[] {
  if (ativo?.txid !== txid || terms.revisao < ativo.revisao) return [];
  const { charge_id, student_id } = ativo;
  return [{ type: 'PixCodeRevised', data: { charge_id, student_id, txid, ...terms } }];
}

/** Also of one that only the provider knew of, so that its name is not used again. Nothing where another worker was first. */
export function decideEnded(state: ProviderCodeState, about: About, motivo: CodeEnd): ProviderCodeEvent[] {
  const { charge_id, student_id, txid } = about;
  if (txid !== txidIn(state, charge_id)) return [];
  return [{ type: 'PixCodeEnded', data: { charge_id, student_id, txid, motivo } }];
}
