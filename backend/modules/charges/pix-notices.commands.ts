import { randomUUID } from 'node:crypto';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import { namedId } from '../../platform/derived-id.js';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { loadEntryTerms } from '../finance/finance.commands.js';
import { decideRecord, decideReverse, transaction, type TransactionState } from '../finance/transaction.js';
import { arrivedPix, type KnownPix, undecided } from './arrived-pix.js';
import { charge, type KnownCharge, mostOf } from './charge.js';
import { loadCharge } from './charges.commands.js';
import { decideReplaceSecret, pixHookStream } from './pix-hook.js';
import type { ArrivedPix } from './pix-provider.js';
import { chargeOfTxid } from './provider-code.js';
import type { PixDecision } from './pix-notices.api.js';
import { type BillPart, billPayment } from './bill-payment.js';
import { payBill } from './bills.commands.js';
import { daysBetween, loadPixes, NEAR_DAYS, recordedBefore } from './pix-payments.commands.js';
import { pay } from './settlement.commands.js';

const chargeOf = defineLookUp<{ charge_id: string }, [claim: string]>(
  'select charge_id from charge_claims where tenant_id = $1 and claim = $2',
);

/**
 * Records a payment that has arrived. It is the payment of the charge that it names, if that was recorded before; otherwise it
 * pays that charge, up to the amount due. The rest is recorded nowhere before it is decided. A repeated notice has no effect.
 */
export const ReceivePix = defineCommand(
  'ReceivePix',
  async (tx, { endToEndId, txid, ...pix }: ArrivedPix) => {
    const pix_id = namedId(endToEndId);
    if (await tx.load(arrivedPix, pix_id)) return { id: pix_id };
    const named = txid === null ? null : await namedBy(tx, txid);
    const data = notAfterToday(tx, dateOf(pix.horario, tx.context.timezone));
    const { valor } = pix;
    const paid = named ? await applyTo(tx, named, { valor, data }) : nothing;
    const partes = named || txid === null ? [] : await applyToBill(tx, txid, { valor, data });
    const event = {
      pix_id,
      end_to_end_id: endToEndId,
      txid,
      valor,
      data,
      transaction_id: null,
      charge_id: named?.charge_id ?? null,
      student_id: named?.student_id ?? null,
      ...paid,
      partes,
      aplicado: partes.reduce((sum, part) => sum + part.valor, paid.aplicado),
    };
    tx.append(arrivedPix, pix_id, [{ type: 'PixArrived', data: event }]);
    return { id: pix_id };
  },
);

const nothing = { aplicado: 0, payment_id: null, ja_registrado: false };

async function applyTo(tx: CommandTransaction, named: KnownCharge, pix: { valor: number; data: string }) {
  const before = await recordedBefore(tx, named, pix);
  if (before) return { aplicado: pix.valor, payment_id: before.payment_id, ja_registrado: true };
  const aplicado = named.cancelada ? 0 : Math.min(mostOf(named, pix.data), pix.valor);
  if (aplicado === 0) return nothing;
  const { payment_id } = await pay(tx, named, { valor: aplicado, data: pix.data, metodo_pagamento: 'pix' });
  return { aplicado, payment_id, ja_registrado: false };
}

const payerOf = defineLookUp<{ payer_id: string }, [txid: string]>(
  'select payer_id from payer_links where tenant_id = $1 and txid = $2',
);
const billsOf = defineLookUp<{ bill_id: string }, [payer: string, valor: number]>(
  `select data->>'bill_id' as bill_id from ${storedEvents({ BillPaid: [1] })} e
   where tenant_id = $1 and data->>'payer_id' = $2 and (data->>'valor')::bigint = $3 order by position desc`,
);

/** What a Pix that names what a payer owes has paid: what was recorded by hand before, or now the charges that are open. */
async function applyToBill(tx: CommandTransaction, txid: string, pix: { valor: number; data: string }) {
  const [found] = await tx.lookUp(payerOf, txid);
  if (!found) return [];
  const { payer_id } = found;
  for (const { bill_id } of await tx.lookUp(billsOf, payer_id, pix.valor)) {
    const before = await tx.load(billPayment, bill_id);
    if (!before || before.desfeito || before.metodo_pagamento !== 'pix') continue;
    // What was undone of it since is to be decided.
    const standing = await standingParts(tx, before.partes);
    const [first] = standing;
    if (!first) continue;
    const pixes = await loadPixes(tx, first.charge_id);
    const told = pixes.flatMap(({ pagamentos }) => pagamentos.map(({ payment_id }) => payment_id));
    if (daysBetween(before.data, pix.data) > NEAR_DAYS || told.includes(first.payment_id)) continue;
    return standing.map((part) => partOfPix(part, true));
  }
  const { partes } = await payBill(tx, payer_id, { ...pix, metodo_pagamento: 'pix' });
  return partes.map((part) => partOfPix(part, false));
}

/** Without the parts that were undone one by one. */
async function standingParts(tx: CommandTransaction, partes: readonly BillPart[]): Promise<BillPart[]> {
  const charges = await Promise.all(partes.map(({ charge_id }) => tx.load(charge, charge_id)));
  return partes.filter((part, at) =>
    charges[at]?.recebidos.some(({ payment_id }) => payment_id === part.payment_id),
  );
}

const partOfPix = ({ transaction_id: _, ...part }: BillPart, ja_registrado: boolean) => ({
  ...part,
  ja_registrado,
});

/** A Pix has arrived, so its day is today at the latest, whatever the provider's clock or a former time zone says. */
function notAfterToday({ now, context }: CommandTransaction, data: string): string {
  const today = dateOf(now, context.timezone);
  return data < today ? data : today;
}

/** The charge that a `txid` names. The `txid` of a provider's code contains the id of its charge; others are looked up. */
async function namedBy(tx: CommandTransaction, txid: string): Promise<KnownCharge | null> {
  const made = chargeOfTxid(txid);
  if (made !== null) return (await tx.load(charge, made)) ?? null;
  const [found] = await tx.lookUp(chargeOf, `txid:${txid}`);
  return found ? loadCharge(tx, found.charge_id) : null;
}

/** Decides about money that is no payment of a charge yet. */
export const DecidePix = defineCommand('DecidePix', async (tx, id: string, { decisao }: PixDecision) => {
  const pix = undecided(await tx.load(arrivedPix, id));
  const { charge_id, student_id } = pix;
  if (decisao === 'cobranca') {
    await decideByPaying(tx, pix);
    return { id };
  }
  const entry = await standingFor(tx, pix.transaction_id);
  const transaction_id = decisao === 'receita' && !entry ? await recordIncome(tx, pix) : null;
  const estorno_id = decisao === 'fora' && entry ? randomUUID() : null;
  if (estorno_id !== null && entry)
    tx.append(transaction, entry.transaction_id, decideReverse(entry, estorno_id));
  const about = { pix_id: id, valor: pix.falta, charge_id, student_id };
  tx.append(arrivedPix, id, [
    { type: 'PixDecided', data: { ...about, decisao, transaction_id, estorno_id } },
  ]);
  return { id };
});

/** Pays the charge that the Pix names, up to the amount due. @throws Problem 409 if it is not open */
export async function decideByPaying(
  tx: CommandTransaction,
  { pix_id, charge_id, student_id, falta, data, transaction_id }: KnownPix,
): Promise<void> {
  // What the first version recorded as a receita would count twice.
  if (charge_id === null || student_id === null || (await standingFor(tx, transaction_id)))
    throw new Problem('charges.pix_no_charge');
  const named = await loadCharge(tx, charge_id);
  const day = notAfterToday(tx, data);
  const valor = Math.min(mostOf(named, day), falta);
  const payment = { valor, data: day, metodo_pagamento: 'pix' } as const;
  const { payment_id } = await pay(tx, named, payment);
  const about = { pix_id, valor, charge_id, student_id, payment_id };
  tx.append(arrivedPix, pix_id, [{ type: 'PixMatched', data: { ...about, ja_registrado: false } }]);
}

async function recordIncome(
  tx: CommandTransaction,
  { falta: valor, data, student_id }: KnownPix,
): Promise<string> {
  const id = randomUUID();
  const entry = {
    tipo: 'receita' as const,
    descricao: 'Pix recebido',
    metodo_pagamento: 'pix' as const,
    valor,
    data: notAfterToday(tx, data),
    student_id,
  };
  tx.append(transaction, id, decideRecord(id, entry, await loadEntryTerms(tx)));
  return id;
}

/** The entry, or its latest correction; undefined if it was reversed. */
async function standingFor(tx: CommandTransaction, id: string | null): Promise<TransactionState> {
  const entry = id === null ? undefined : await tx.load(transaction, id);
  return entry?.estorno_id ? standingFor(tx, entry.corrigida_por) : entry;
}

export const ReplacePixSecret = defineCommand('ReplacePixSecret', async (tx) => {
  const { tenantId } = tx.context;
  await tx.load(pixHookStream, tenantId);
  tx.append(pixHookStream, tenantId, decideReplaceSecret(tenantId, randomUUID(), tx.now));
  return { id: tenantId };
});
