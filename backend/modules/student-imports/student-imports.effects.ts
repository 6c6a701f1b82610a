import type { Effects } from '../../platform/event-store/effect.js';
import { plural } from '../../platform/plural.api.js';

interface Undone {
  removidos: string[];
  mantidos: string[];
}

export const importEffects: Effects = {
  StudentImportUndone: ({ removidos, mantidos }: Undone) => [
    {
      ...{ kind: 'removed', quantidade: removidos.length, student_id: null },
      texto: (sum) => `remove ${plural(sum, 'aluno', 'alunos')}`,
    },
    {
      ...{ kind: 'kept', quantidade: mantidos.length, student_id: null },
      texto: (sum) => `mantém ${plural(sum, 'aluno já em uso', 'alunos já em uso')}`,
    },
  ],
};
