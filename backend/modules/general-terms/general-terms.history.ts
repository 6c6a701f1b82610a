import type { HistoryWords } from '../../platform/event-store/history.js';
import { shortDate } from '../../platform/portuguese.js';
import type { GeneralTermsEvent } from './general-terms.js';

/** Shown in the history of the settings. */
export const generalTermsHistory: HistoryWords<GeneralTermsEvent> = {
  GeneralTermsAccepted: {
    subjects: (_data: never, tenantId: string) => [`settings:${tenantId}`],
    words: ({ versao }: { versao: string }) =>
      `Concordou com as Políticas e Termos Gerais (versão de ${shortDate(versao)})`,
  },
};
