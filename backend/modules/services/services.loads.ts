import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { type Agreed, service } from './service.js';

/** The name of a session's service; null without one. */
export async function serviceName(tx: CommandTransaction, servico: Agreed | null): Promise<string | null> {
  const state = servico && (await tx.load(service, servico.service_id));
  return state && state.status !== 'unknown' ? state.nome : null;
}
