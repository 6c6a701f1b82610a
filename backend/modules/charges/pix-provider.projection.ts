import { stateProjection } from '../../platform/projections/projection.js';
import { providerCode } from './provider-code.js';
import { providerConnection } from './provider-connection.js';

interface ProviderRow {
  connection_id: string;
  servidor: string | null;
  com_certificado: boolean;
  desde: Date;
}

/** The connected provider, under the tenant's id. Its credentials are only in the log, encrypted. */
export const pixProviders = stateProjection(providerConnection, {
  name: 'pix-providers',
  topic: 'settings',
  table: 'pix_providers',
  evolve(_row: ProviderRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'PixProviderConnected': {
        const { connection_id, url_api, certificado } = data;
        const servidor = url_api !== null && URL.canParse(url_api) ? new URL(url_api).hostname : null;
        return { connection_id, servidor, com_certificado: certificado !== null, desde: event.recordedAt };
      }
      case 'PixProviderDisconnected':
        return null;
    }
  },
});

interface CodeRow {
  connection_id: string;
  txid: string;
  valor: number;
  expira_em: string;
  pix_copia_e_cola: string | null;
}

/** The payable code of each charge, under the charge's id. */
export const pixCodes = stateProjection(providerCode, {
  name: 'pix-codes',
  topic: 'charges',
  table: 'pix_codes',
  students: ({ student_id }) => [student_id as string],
  evolve(row: CodeRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'PixCodeMade': {
        const { connection_id, txid, valor, expira_em, pix_copia_e_cola } = data;
        return { connection_id, txid, valor, expira_em, pix_copia_e_cola };
      }
      case 'PixCodeRevised': {
        const { valor, expira_em, pix_copia_e_cola } = data;
        return row ? { ...row, valor, expira_em, pix_copia_e_cola } : null;
      }
      case 'PixCodeEnded':
        return null;
    }
  },
});
