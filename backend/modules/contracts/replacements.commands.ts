import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import type { ExistingRequest } from './signature-request.js';

interface Standing {
  request_id: string;
  student_id: string;
  versao: number;
  estado: 'aberto' | 'assinado';
  expires_at: Date;
}

/** The requests of a contract that wait for a signature or are signed. */
export const standing = defineLookUp<Standing, [contractId: string]>(
  `select request_id, student_id, versao, estado, expires_at from signature_links
   where tenant_id = $1 and contract_id = $2 and estado <> 'encerrado'`,
);

/** Whether the student has another link for the contract, or has signed this version or a later one. */
export async function isReplaced(
  tx: CommandTransaction,
  { request_id, contract_id, student_id, versao }: ExistingRequest,
): Promise<boolean> {
  const others = await tx.lookUp(standing, contract_id);
  return others.some(
    (one) =>
      one.student_id === student_id &&
      one.request_id !== request_id &&
      (one.estado === 'aberto' || one.versao >= versao),
  );
}
