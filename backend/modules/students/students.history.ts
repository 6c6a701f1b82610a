import type { HistoryWording, HistoryWords } from '../../platform/event-store/history.js';
import type { StudentDetails, StudentEvent, StudentFields } from './student.js';

type Updated = Partial<StudentFields & StudentDetails>;

const labels: Record<keyof Updated, string> = {
  nome: 'nome',
  telefone: 'telefone',
  whatsapp: 'WhatsApp',
  email: 'e-mail',
  plano_id: 'plano',
  observacoes: 'observações',
  cpf: 'CPF',
  nascimento: 'data de nascimento',
  emergencia_nome: 'contato de emergência',
  emergencia_telefone: 'telefone de emergência',
  emergencia_relacao: 'parentesco do contato de emergência',
  responsavel_nome: 'responsável',
  responsavel_telefone: 'telefone do responsável',
};

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
const said = (words: string): HistoryWording => ({ subjects, words: () => words });

/** `nome (Ana Souza)`; a field that was emptied or has no displayable text is named without its value. */
function changed(changes: Updated): string {
  return Object.entries(labels)
    .filter(([field]) => field in changes)
    .map(([field, label]) => {
      const value = field === 'plano_id' || field === 'cpf' ? null : changes[field as keyof Updated];
      return value ? `${label} (${value})` : label;
    })
    .join(', ');
}

export const studentHistory: HistoryWords<StudentEvent> = {
  StudentRegistered: {
    subjects,
    words: ({ nome }: StudentFields) => (nome === null ? 'Cadastrou o aluno' : `Cadastrou ${nome}`),
  },
  StudentUpdated: { subjects, words: (changes: Updated) => `Alterou ${changed(changes)}` },
  StudentDetailsChanged: { subjects, words: (changes: Updated) => `Alterou ${changed(changes)}` },
  StudentTagged: {
    subjects,
    words: ({ etiquetas }: { etiquetas: (string | null)[] }) => {
      const known = etiquetas.filter((tag) => tag !== null);
      if (known.length > 0) return `Mudou as etiquetas: ${known.join(', ')}`;
      return etiquetas.length > 0 ? 'Mudou as etiquetas' : 'Removeu as etiquetas';
    },
  },
  StudentArchived: said('Inativou o aluno'),
  StudentRemoved: said('Excluiu o aluno'),
  StudentRestored: said('Reativou o aluno'),
  // The merging has a line of its own for both.
  StudentMerged: { subjects: () => [], words: () => 'Juntou este cadastro com outro' },
  StudentUnmerged: { subjects: () => [], words: () => 'Desfez a junção deste cadastro com outro' },
};
