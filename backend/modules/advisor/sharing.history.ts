import type { HistoryWords } from '../../platform/event-store/history.js';
import type { AdvisorSharing, Sharing } from './sharing.api.js';
import type { AdvisorSharingSet } from './sharing.js';

const words: Record<Sharing, string> = {
  nada: 'Deixou o Consultor Financeiro responder sem servidor de IA',
  sem_nomes: 'Deixou o Consultor Financeiro usar o servidor de IA, sem nomes de alunos',
  com_nomes: 'Deixou o Consultor Financeiro usar o servidor de IA, com nomes de alunos',
};

export const sharingHistory: HistoryWords<AdvisorSharingSet> = {
  AdvisorSharingSet: {
    subjects: (_data: AdvisorSharing, tenantId) => [`settings:${tenantId}`],
    words: ({ envio }: AdvisorSharing) => words[envio],
  },
};
