import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import type { NewPixProvider } from './pix-provider.api.js';
import {
  decideConnect,
  decideDisconnect,
  decideReconnect,
  providerConnection,
} from './provider-connection.js';

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
