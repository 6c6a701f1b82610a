import { stateProjection } from '../../platform/projections/projection.js';
import {
  type FieldValue,
  signatureRequest,
  type SignatureRequestState,
  type SignedCopy,
} from './signature-request.js';
import { contract } from './contract.js';

export interface StoredVersion {
  titulo: string | null;
  conteudo: string | null;
  em: string;
}

interface ContractRow {
  titulo: string | null;
  tipo: string;
  is_active: boolean;
  codigo_email: boolean;
  responsavel: boolean;
  lembretes: boolean;
  versao: number;
  versoes: StoredVersion[];
  criado_em: Date;
  alterado_em: Date;
}

export const contracts = stateProjection(contract, {
  name: 'contracts',
  version: 3,
  topic: 'contracts',
  table: 'contracts',
  students: 'all',
  evolve(row: ContractRow | undefined, event) {
    const { type, data } = event;
    const at = event.recordedAt;
    switch (type) {
      case 'ContractCreated': {
        const { titulo, tipo, conteudo } = data;
        const versoes = [{ titulo, conteudo, em: at.toISOString() }];
        return {
          titulo,
          tipo,
          is_active: true,
          codigo_email: false,
          responsavel: false,
          lembretes: true,
          versao: 1,
          versoes,
          criado_em: at,
          alterado_em: at,
        };
      }
      case 'ContractRevised': {
        if (!row) return null;
        const { titulo, tipo, conteudo, versao } = data;
        const versoes = [...row.versoes.slice(0, versao - 1), { titulo, conteudo, em: at.toISOString() }];
        return { ...row, titulo, tipo, versao, versoes, alterado_em: at };
      }
      case 'ContractRequirementsSet': {
        const { codigo_email, responsavel, lembretes } = data;
        return row ? { ...row, codigo_email, responsavel, lembretes } : null;
      }
      case 'ContractDeactivated':
        return row ? { ...row, is_active: false } : null;
      case 'ContractReactivated':
        return row ? { ...row, is_active: true } : null;
    }
  },
});

interface RequestRow {
  contract_id: string;
  student_id: string;
  versao: number;
  campos: readonly FieldValue[];
  status: Exclude<SignatureRequestState['status'], 'unknown'>;
  expires_at: string;
  enviado_em: Date;
  lembrado_em: Date | null;
  lembrete_em: string | null;
  aberto_em: Date | null;
  encerrado_em: Date | null;
  motivo: string | null;
  assinado_em: string | null;
  titulo: string | null;
  conteudo: string | null;
  nome: string | null;
  cpf: string | null;
  telefone: string | null;
  ip_address: string | null;
  navegador: string | null;
  conteudo_hash: string | null;
  meio: string | null;
  consentimento: string | null;
  guardar_ate: string | null;
  posicao: number | null;
  sal: string | null;
  nascimento: string | null;
  responsavel: SignedCopy['responsavel'];
  codigo_numero: number | null;
  codigo_email: string | null;
  codigo_expira_em: string | null;
  codigo_confirmado_em: string | null;
  arquivo_hash: string | null;
  carimbo_em: string | null;
  baixado_em: Date | null;
}

const unsigned = {
  assinado_em: null,
  titulo: null,
  conteudo: null,
  nome: null,
  cpf: null,
  telefone: null,
  ip_address: null,
  navegador: null,
  conteudo_hash: null,
  meio: null,
  consentimento: null,
  guardar_ate: null,
  posicao: null,
  sal: null,
  nascimento: null,
  responsavel: null,
  codigo_numero: null,
  codigo_email: null,
  codigo_expira_em: null,
  codigo_confirmado_em: null,
  arquivo_hash: null,
  carimbo_em: null,
  baixado_em: null,
};

/** Contracts that students have to sign or have signed. */
export const signatureRequests = stateProjection(signatureRequest, {
  name: 'signature-requests',
  version: 5,
  topic: 'contracts',
  table: 'signature_requests',
  students: ({ student_id }) => [student_id as string],
  evolve(row: RequestRow | undefined, event): RequestRow | null {
    const { type, data } = event;
    const at = event.recordedAt;
    if (type === 'ContractSent') {
      const { contract_id, student_id, versao, campos, expires_at, lembrete_em } = data;
      return {
        contract_id,
        student_id,
        versao,
        campos,
        expires_at,
        lembrete_em,
        status: 'sent',
        enviado_em: at,
        lembrado_em: null,
        aberto_em: null,
        encerrado_em: null,
        motivo: null,
        ...unsigned,
      };
    }
    if (!row) return null;
    switch (type) {
      case 'ContractOpened':
        return { ...row, status: 'opened', aberto_em: at };
      case 'ContractCodeSent': {
        const { numero, email, expira_em } = data;
        return {
          ...row,
          codigo_numero: numero,
          codigo_email: email,
          codigo_expira_em: expira_em,
          codigo_confirmado_em: null,
        };
      }
      case 'ContractCodeConfirmed':
        return { ...row, codigo_confirmado_em: data.confirmado_em };
      case 'ContractCodeMistyped':
        return row;
      case 'ContractSigned': {
        const { titulo, conteudo, nome, cpf, telefone, ip_address, navegador } = data;
        const { assinado_em, conteudo_hash, meio, consentimento, guardar_ate } = data;
        const { sal, nascimento, responsavel, codigo_confirmado_em } = data;
        return {
          ...row,
          status: 'signed',
          encerrado_em: at,
          posicao: event.position,
          titulo,
          conteudo,
          nome,
          cpf,
          telefone,
          ip_address,
          navegador,
          assinado_em,
          conteudo_hash,
          meio,
          consentimento,
          guardar_ate,
          sal,
          nascimento,
          responsavel,
          codigo_confirmado_em,
        };
      }
      case 'ContractDeclined':
        return { ...row, status: 'declined', encerrado_em: at, motivo: data.motivo };
      case 'ContractCopyMade':
        return { ...row, arquivo_hash: data.arquivo_hash, carimbo_em: data.carimbo_em };
      case 'ContractDownloaded':
        return { ...row, baixado_em: at };
      case 'ContractReminded':
        return { ...row, lembrado_em: at, lembrete_em: data.lembrete_em };
      case 'ContractRevoked':
        return { ...row, status: 'revoked', encerrado_em: at };
      case 'ContractRestored':
        return { ...row, status: row.aberto_em ? 'opened' : 'sent', encerrado_em: null };
      case 'ContractWithdrawn':
        return { ...row, status: 'withdrawn', encerrado_em: at };
      case 'ContractReassigned':
        return { ...row, student_id: data.student_id };
    }
  },
});
