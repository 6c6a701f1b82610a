import type { HistoryWords } from '../../platform/event-store/history.js';
import type { OtherCalendarEvent } from './other-calendar.js';

const subjects = (_data: never, tenantId: string) => [`calendar:${tenantId}`];

export const otherCalendarHistory: HistoryWords<OtherCalendarEvent> = {
  OtherCalendarLinked: { subjects, words: () => 'Conectou outro calendário, que bloqueia horários' },
  OtherCalendarStopped: { subjects, words: () => 'O outro calendário parou de responder' },
  OtherCalendarResumed: { subjects, words: () => 'O outro calendário voltou a responder' },
  OtherCalendarUnlinked: { subjects, words: () => 'Desconectou o outro calendário' },
};
