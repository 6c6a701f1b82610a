import type { HistoryWords } from '../../platform/event-store/history.js';
import { reassignedWords } from '../students/reassigned.js';
import type { ContractEvent } from './contract.js';
import type { SignatureRequestEvent } from './signature-request.js';

const subjects = ({ contract_id }: { contract_id: string }) => [`contract:${contract_id}`];
const both = ({ contract_id, student_id }: { contract_id: string; student_id: string }) => [
  `contract:${contract_id}`,
  `student:${student_id}`,
];
/** Without its title in its own history, beside which the versions stand. */
const named = (
  { contract_id, titulo }: { contract_id: string; titulo: string | null },
  of: string | undefined,
) => (titulo === null || of === `contract:${contract_id}` ? 'o contrato' : `o contrato “${titulo}”`);

export const contractsHistory: HistoryWords<ContractEvent | SignatureRequestEvent> = {
  ContractCreated: {
    subjects,
    words: (data, _zone, of) => `Criou ${named(data, of)}`,
  },
  ContractRevised: {
    subjects,
    words: (data, _zone, of) => `Editou ${named(data, of)} (versão ${data.versao})`,
  },
  ContractRequirementsSet: {
    subjects,
    words: ({ codigo_email, responsavel, lembretes }) => {
      const asked = [
        codigo_email && 'código por e-mail',
        responsavel && 'data de nascimento e responsável de menor',
      ].filter(Boolean);
      const asks =
        asked.length === 0
          ? 'O contrato não pede mais nada além da assinatura'
          : `O contrato pede também ${asked.join(' e ')}`;
      return `${asks}; lembretes automáticos ${lembretes ? 'ativados' : 'desativados'}`;
    },
  },
  ContractDeactivated: { subjects, words: () => 'Inativou o contrato' },
  ContractReactivated: { subjects, words: () => 'Reativou o contrato' },
  ContractSent: {
    subjects: both,
    words: ({ student_id, versao, canal, campos }, _zone, of) => {
      const aluno = of !== `student:${student_id}` && campos.find(({ campo }) => campo === 'aluno')?.texto;
      const how = canal === 'email' ? ' por e-mail' : '';
      return `Enviou a versão ${versao} do contrato${how} para ${aluno || 'o aluno'} assinar`;
    },
  },
  ContractOpened: { subjects: both, words: () => 'O aluno abriu o contrato' },
  ContractCodeSent: { subjects: both, words: () => 'O aluno recebeu por e-mail o código para assinar' },
  ContractCodeConfirmed: { subjects: both, words: () => 'O aluno confirmou o código recebido por e-mail' },
  ContractCodeMistyped: { subjects: both, words: () => 'O aluno digitou um código errado' },
  ContractSigned: {
    subjects: both,
    words: (data, _zone, of) => {
      const { student_id, versao, nome, meio, responsavel } = data;
      const who = of === `student:${student_id}` ? 'O aluno' : (nome ?? 'O aluno');
      const by = responsavel
        ? `, por ${responsavel.nome ?? 'responsável'} (${responsavel.relacao ?? 'responsável'}),`
        : '';
      return `${who}${by} assinou ${named(data, of)} (versão ${versao}) ${meio === 'link' ? 'pelo link' : 'na própria conta'}`;
    },
  },
  ContractCopyMade: { subjects: both, words: () => 'O PDF da cópia assinada ficou pronto' },
  ContractDownloaded: {
    subjects: both,
    words: ({ por }) =>
      por === 'personal' ? 'Baixou o PDF da cópia assinada' : 'O aluno baixou o PDF da cópia assinada',
  },
  ContractDeclined: {
    subjects: both,
    words: ({ motivo }) => `O aluno recusou o contrato${motivo === null ? '' : `: ${motivo}`}`,
  },
  ContractReminded: {
    subjects: both,
    words: ({ canal, automatico }) =>
      automatico
        ? 'Lembrete automático de assinatura enviado por e-mail'
        : `Lembrou o aluno de assinar o contrato${canal === 'email' ? ' por e-mail' : ''}`,
  },
  ContractRevoked: { subjects: both, words: () => 'Cancelou o link de assinatura do contrato' },
  ContractRestored: { subjects: both, words: () => 'Reativou o link de assinatura do contrato' },
  ContractReassigned: { subjects, words: reassignedWords },
  ContractWithdrawn: { subjects: both, words: () => 'O aluno desistiu do contrato no prazo de 7 dias' },
};
