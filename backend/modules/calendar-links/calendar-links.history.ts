import type { HistoryWords } from '../../platform/event-store/history.js';
import type { CalendarFeedEvent } from './calendar-feed.js';
import type { StudentCalendarEvent } from './student-calendar.js';

const subjects = (_data: never, tenantId: string) => [`calendar:${tenantId}`];
const names = ({ com_nomes }: { com_nomes: boolean }) => (com_nomes ? 'com nomes' : 'sem nomes');

const ofStudent = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
const said = (words: string) => ({ subjects: ofStudent, words: () => words });

export const calendarLinksHistory: HistoryWords<CalendarFeedEvent | StudentCalendarEvent> = {
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
  StudentCalendarOpened: said('Gerou um link do calendário das aulas'),
  StudentCalendarRevoked: said('Desativou o link do calendário das aulas'),
  StudentCalendarRestored: said('Voltou ao link anterior do calendário das aulas'),
};
