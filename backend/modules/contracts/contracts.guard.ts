import type { Guard } from '../../platform/event-store/guard.js';
import type { SignatureRequestEvent } from './signature-request.js';

/** Finds a request by the hash of its link or of its code, and records which student has which version. */
export const signatureLinks: Guard = {
  name: 'signature-links',
  tables: ['signature_links'],
  events: [
    'ContractSent',
    'ContractSigned',
    'ContractDeclined',
    'ContractRevoked',
    'ContractRestored',
    'ContractWithdrawn',
    'ContractReassigned',
  ] satisfies SignatureRequestEvent['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as SignatureRequestEvent;
    switch (type) {
      case 'ContractSent':
        return [
          {
            text: `insert into signature_links (tenant_id, request_id, contract_id, student_id, versao, token_hash, expires_at, estado)
              values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7, 'aberto')`,
            values: [
              ...[tenantId, data.request_id, data.contract_id, data.student_id],
              ...[data.versao, data.token_hash, data.expires_at],
            ],
          },
        ];
      case 'ContractSigned':
        return [
          {
            text: `update signature_links set estado = 'assinado', codigo_hash = decode($3, 'hex')
              where tenant_id = $1 and request_id = $2`,
            values: [tenantId, data.request_id, data.codigo_hash],
          },
        ];
      case 'ContractDeclined':
      case 'ContractRevoked':
      case 'ContractWithdrawn':
        return [
          {
            text: `update signature_links set estado = 'encerrado' where tenant_id = $1 and request_id = $2`,
            values: [tenantId, data.request_id],
          },
        ];
      case 'ContractRestored':
        return [
          {
            text: `update signature_links set estado = 'aberto' where tenant_id = $1 and request_id = $2`,
            values: [tenantId, data.request_id],
          },
        ];
      case 'ContractReassigned':
        return [
          {
            text: 'update signature_links set student_id = $3 where tenant_id = $1 and request_id = $2',
            values: [tenantId, data.request_id, data.student_id],
          },
        ];
      case 'ContractOpened':
      case 'ContractReminded':
      case 'ContractCodeSent':
      case 'ContractCodeConfirmed':
      case 'ContractCodeMistyped':
      case 'ContractCopyMade':
      case 'ContractDownloaded':
        return [];
    }
  },
  violations: {},
};
