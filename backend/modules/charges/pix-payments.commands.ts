import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { differenceInCalendarDays } from 'date-fns';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import type { NewPixProvider } from './pix-provider.api.js';
import {
  decideConnect,
  decideDisconnect,
  decideReconnect,
  providerConnection,
} from './provider-connection.js';
import { arrivedPix, type KnownPix, partOf } from './arrived-pix.js';
import type { KnownCharge, Payment, ReceivedPayment } from './charge.js';

/** Days between the date that the trainer noted and the one that the provider reports, for one and the same Pix. */
export const NEAR_DAYS = 5;

export const daysBetween = (one: string, other: string) =>
  Math.abs(differenceInCalendarDays(new Date(one), new Date(other)));

const pixesOf = defineLookUp<{ pix_id: string }, [charge: string]>(
  `select substr(claim, 5, 36) as pix_id from charge_claims
   where tenant_id = $1 and charge_id = $2 and claim like 'pix:%' order by claim`,
);

/** The Pix that name a charge. */
export async function loadPixes(tx: CommandTransaction, chargeId: string): Promise<KnownPix[]> {
  const found = await tx.lookUp(pixesOf, chargeId);
  const states = await Promise.all(found.map(({ pix_id }) => tx.load(arrivedPix, pix_id)));
  return states.filter((state) => state !== undefined);
}

interface Money {
  valor: number;
  data: string;
}

/** The nearest by date of those with this amount within some days. */
function nearest<Item extends Money>(items: readonly Item[], { valor, data }: Money): Item | undefined {
  return items
    .filter((item) => item.valor === valor && daysBetween(item.data, data) <= NEAR_DAYS)
    .toSorted((one, other) => daysBetween(one.data, data) - daysBetween(other.data, data))[0];
}

/** The payment that was recorded before its Pix was reported, also if it was refunded meanwhile. */
export async function recordedBefore(
  tx: CommandTransaction,
  { charge_id, recebidos }: KnownCharge,
  pix: Money,
): Promise<ReceivedPayment | undefined> {
  const pixes = await loadPixes(tx, charge_id);
  const free = recebidos.filter(
    (payment) => payment.metodo_pagamento === 'pix' && !pixes.some((known) => partOf(known, payment)),
  );
  return nearest(free, pix);
}

/**
 * Takes an undecided Pix for a payment that was recorded by hand, if it is the same money.
 * @throws Problem 409 if that Pix has paid the charge already, and this is not another one (`isOther`)
 */
export async function matchPix(
  tx: CommandTransaction,
  { charge_id, student_id, recebidos }: KnownCharge,
  { metodo_pagamento, ...payment }: ReceivedPayment,
  isOther: boolean,
): Promise<void> {
  if (metodo_pagamento !== 'pix') return;
  const pixes = await loadPixes(tx, charge_id);
  const undecided = pixes.map((pix) => ({ ...pix, valor: pix.falta }));
  const pix = nearest(undecided, payment);
  if (!pix) {
    const told = recebidos.filter((received) =>
      pixes.some((known) => partOf(known, received)?.ja_registrado === false),
    );
    if (!isOther && nearest(told, payment)) throw new Problem('charges.pix_told', { detail: TOLD });
    return;
  }
  const { pix_id } = pix;
  const { payment_id, valor } = payment;
  const data = { pix_id, valor, charge_id, student_id, payment_id, ja_registrado: true };
  tx.append(arrivedPix, pix_id, [{ type: 'PixMatched', data }]);
}

const TOLD = 'A cobrança já tem um Pix deste valor, de uma data próxima. Registre este só se for outro.';

/** An undone payment that was a Pix leaves that to be decided again. Returns whether it was. */
export async function returnPix(
  tx: CommandTransaction,
  { charge_id, student_id, recebidos }: KnownCharge,
  { payment_id, valor }: Payment,
): Promise<boolean> {
  const received = recebidos.find((payment) => payment.payment_id === payment_id)!;
  const pixes = await loadPixes(tx, charge_id);
  const pix = pixes.find((known) => partOf(known, received));
  if (!pix) return false;
  const { pix_id } = pix;
  const data = { pix_id, valor, charge_id, student_id, payment_id };
  tx.append(arrivedPix, pix_id, [{ type: 'PixReturned', data }]);
  return true;
}

export const ConnectPixProvider = defineCommand('ConnectPixProvider', async (tx, wanted: NewPixProvider) => {
  refuseWrongPair(wanted);
  const { tenantId } = tx.context;
  await tx.load(providerConnection, tenantId);
  tx.append(providerConnection, tenantId, decideConnect(randomUUID(), wanted));
  return { id: tenantId };
});

export const DisconnectPixProvider = defineCommand('DisconnectPixProvider', async (tx) => {
  const { tenantId } = tx.context;
  tx.append(providerConnection, tenantId, decideDisconnect(await tx.load(providerConnection, tenantId)));
  return { id: tenantId };
});

export const ReconnectPixProvider = defineCommand('ReconnectPixProvider', async (tx) => {
  const { tenantId } = tx.context;
  tx.append(providerConnection, tenantId, decideReconnect(await tx.load(providerConnection, tenantId)));
  return { id: tenantId };
});

/** @throws Problem 422 if key and certificate do not belong together */
function refuseWrongPair({ certificado, chave_privada }: NewPixProvider): void {
  if (certificado === null || chave_privada === null) return;
  let isPair = false;
  try {
    isPair = new X509Certificate(certificado).checkPrivateKey(createPrivateKey(chave_privada));
  } catch {
    // One of them cannot be read.
  }
  if (isPair) return;
  const detail = 'O certificado e a chave privada não formam um par.';
  throw new Problem('pix_provider.wrong_certificate', {
    detail,
    errors: [{ pointer: '/chave_privada', detail }],
  });
}
