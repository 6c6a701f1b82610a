import { subDays } from 'date-fns';
import { REMIND_AFTER_DAYS } from './contracts.api.js';

/** What turns stored events of an earlier version into the next one, with what was different then. */
export const upcasters = {
  /** There was nothing to choose about reminders. */
  ContractRequirementsSet: { 1: (data: object) => ({ ...data, lembretes: true }) },
  /** No reminder was planned. All links were valid for 30 days. */
  ContractSent: {
    1: (data: { expires_at: string }) => ({
      ...data,
      lembrete_em: subDays(data.expires_at, 30 - REMIND_AFTER_DAYS).toISOString(),
    }),
  },
  /** The address was not recorded. */
  ContractCodeSent: { 1: (data: object) => ({ ...data, email: null }) },
  /** What was signed was hashed without a salt, and neither a mailed code nor a minor's guardian was asked for. */
  ContractSigned: {
    1: (data: object) => ({
      ...data,
      sal: null,
      nascimento: null,
      responsavel: null,
      codigo_confirmado_em: null,
    }),
  },
  /** What the time stamp says was not recorded. */
  ContractCopyMade: { 1: (data: object) => ({ ...data, carimbo_em: null }) },
  /** Only trainers reminded. */
  ContractReminded: { 1: (data: object) => ({ ...data, automatico: false, lembrete_em: null }) },
};
