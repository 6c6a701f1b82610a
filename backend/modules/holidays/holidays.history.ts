import type { HistoryWords } from '../../platform/event-store/history.js';
import { shortDate } from '../../platform/portuguese.js';
import { type HolidayEvent, holidayName } from './holiday-calendar.js';

type DataOf<Type extends HolidayEvent['type']> = Extract<HolidayEvent, { type: Type }>['data'];

const subjects = (_data: never, tenantId: string) => [`availability:${tenantId}`];

export const holidayHistory: HistoryWords<HolidayEvent> = {
  HolidayAdded: {
    subjects,
    words: ({ nome, data, anual }: DataOf<'HolidayAdded'>) =>
      `Adicionou o feriado ${nome ?? '(apagado)'} em ${anual ? `${shortDate(data).slice(0, 5)}, todo ano` : shortDate(data)}`,
  },
  HolidayRemoved: { subjects, words: () => 'Removeu um feriado seu' },
  HolidayRestored: { subjects, words: () => 'Desfez a remoção de um feriado seu' },
  HolidaySwitched: {
    subjects,
    words: ({ holiday_id, ativo }: DataOf<'HolidaySwitched'>) =>
      `${ativo ? 'Ativou' : 'Desativou'} o feriado: ${holidayName(holiday_id)}`,
  },
};
