import type { HistoryWords } from '../../platform/event-store/history.js';
import type { CalendarFeedEvent } from './calendar-feed.js';

const subjects = (_data: never, tenantId: string) => [`calendar:${tenantId}`];
const names = ({ com_nomes }: { com_nomes: boolean }) => (com_nomes ? 'com nomes' : 'sem nomes');

export const calendarFeedHistory: HistoryWords<CalendarFeedEvent> = {
  CalendarFeedOpened: {
    subjects,
    words: (data: { com_nomes: boolean }) => `Gerou um link do calendário, ${names(data)}`,
  },
  CalendarFeedChanged: {
    subjects,
    words: (data: { com_nomes: boolean }) => `Mudou o link do calendário: ${names(data)}`,
  },
  CalendarFeedRevoked: { subjects, words: () => 'Desativou o link do calendário' },
  CalendarFeedRestored: { subjects, words: () => 'Voltou ao link anterior do calendário' },
};
