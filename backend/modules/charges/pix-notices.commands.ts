import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { namedId } from '../../platform/derived-id.js';
import { decideRecord, decideReverse, transaction, type TransactionState } from '../finance/transaction.js';
import { financialSettings } from '../settings/financial-settings.js';
import { arrivedPix, undecided } from './arrived-pix.js';
import { charge, dueOf, type KnownCharge } from './charge.js';
import { loadCharge } from './charges.commands.js';
import { dateOf } from '../availability/dates.js';
import { decideReplaceSecret, pixHookStream } from './pix-hook.js';
import type { ArrivedPix } from './pix-provider.js';
import { chargeOfTxid } from '../pix-provider/provider-txid.js';
import type { PixDecision } from './pix-notices.api.js';
import { pay } from './settlement.commands.js';

const chargeOf = defineLookUp<{ charge_id: string }, [claim: string]>(
  'select charge_id from charge_claims where tenant_id = $1 and claim = $2',
);

/**
 * Records a payment that has arrived. It pays the charge that it names, up to the amount due; the rest is recorded as a receita
 * that needs a decision. A payment without a charge is only stored for a decision. A repeated notice has no effect.
 */
export const ReceivePix = defineCommand(
  'ReceivePix',
  async (tx, { endToEndId, txid, ...pix }: ArrivedPix) => {
    const pix_id = namedId(endToEndId);
    if (await tx.load(arrivedPix, pix_id)) return { id: pix_id };
    const named = txid === null ? null : await namedBy(tx, txid);
    const data = dateOf(new Date(pix.horario), tx.context.timezone);
    const aplicado = named && !named.cancelada ? Math.min(dueOf(named), pix.valor) : 0;
    if (named && aplicado > 0) await pay(tx, named, { valor: aplicado, data, metodo_pagamento: 'pix' });
    const left = pix.valor - aplicado;
    const transaction_id = named && left > 0 ? await recordIncome(tx, left, data, named.student_id) : null;
    const event = {
      ...{ pix_id, end_to_end_id: endToEndId, txid, valor: pix.valor, aplicado, data, transaction_id },
      ...namesOf(named),
    };
    tx.append(arrivedPix, pix_id, [{ type: 'PixArrived', data: event }]);
    return { id: pix_id };
  },
);

/** The charge that a `txid` names. The `txid` of a provider's code contains the id of its charge; others are looked up. */
async function namedBy(tx: CommandTransaction, txid: string): Promise<KnownCharge | null> {
  const made = chargeOfTxid(txid);
  if (made !== null) return (await tx.load(charge, made)) ?? null;
  const [found] = await tx.lookUp(chargeOf, `txid:${txid}`);
  return found ? loadCharge(tx, found.charge_id) : null;
}

const namesOf = (named: KnownCharge | null) => ({
  charge_id: named?.charge_id ?? null,
  student_id: named?.student_id ?? null,
});

/** `student_id`: the student of the charge that the payment names. */
async function recordIncome(
  tx: CommandTransaction,
  valor: number,
  data: string,
  student_id: string | null,
): Promise<string> {
  const id = randomUUID();
  const { imposto, reserva, operacional, retirada } = await tx.load(financialSettings, tx.context.tenantId);
  const entry = {
    tipo: 'receita',
    descricao: 'Pix a decidir',
    valor,
    data,
    metodo_pagamento: 'pix',
    student_id,
  } as const;
  tx.append(transaction, id, decideRecord(id, entry, { imposto, reserva, operacional, retirada }));
  return id;
}

/** Decides about money that paid no charge. */
export const DecidePix = defineCommand('DecidePix', async (tx, id: string, { decisao }: PixDecision) => {
  const { valor, aplicado, data, charge_id, student_id, transaction_id } = undecided(
    await tx.load(arrivedPix, id),
  );
  const left = valor - aplicado;
  const entry = await standingFor(tx, transaction_id);
  const recorded = decisao === 'receita' && !entry ? await recordIncome(tx, left, data, student_id) : null;
  const estorno_id = decisao === 'fora' && entry ? randomUUID() : null;
  if (estorno_id !== null && entry)
    tx.append(transaction, entry.transaction_id, decideReverse(entry, estorno_id));
  const about = { pix_id: id, valor: left, charge_id, student_id };
  tx.append(arrivedPix, id, [
    { type: 'PixDecided', data: { ...about, decisao, transaction_id: recorded, estorno_id } },
  ]);
  return { id };
});

/** The entry, or its latest correction; undefined if it was reversed. */
async function standingFor(tx: CommandTransaction, id: string | null): Promise<TransactionState> {
  const entry = id === null ? undefined : await tx.load(transaction, id);
  return entry?.reversed ? standingFor(tx, entry.corrigida_por) : entry;
}

export const ReplacePixSecret = defineCommand('ReplacePixSecret', async (tx) => {
  const { tenantId } = tx.context;
  await tx.load(pixHookStream, tenantId);
  tx.append(pixHookStream, tenantId, decideReplaceSecret(tenantId, randomUUID(), tx.now));
  return { id: tenantId };
});
