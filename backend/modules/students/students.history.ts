import type { HistoryWording, HistoryWords } from '../../platform/event-store/history.js';
import type { StudentEvent, StudentFields } from './student.js';

type Updated = Extract<StudentEvent, { type: 'StudentUpdated' }>['data'];

const labels: Record<keyof StudentFields, string> = {
  nome: 'nome',
  telefone: 'telefone',
  whatsapp: 'WhatsApp',
  email: 'e-mail',
  plano_id: 'plano',
  observacoes: 'observações',
};

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
const said = (words: string): HistoryWording => ({ subjects, words: () => words });

/** `nome (Ana Souza)`; a field that was emptied or has no displayable text is named without its value. */
function changed(changes: Updated): string {
  return Object.entries(labels)
    .filter(([field]) => field in changes)
    .map(([field, label]) => {
      const value = field === 'plano_id' ? null : changes[field as keyof StudentFields];
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
};
