import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { definePrice } from '../audit/price.queries.js';
import { vacationsApi, vacationErrors } from './vacations.api.js';
import { ActivateVacation, RemoveVacation, RestoreVacation, UndoVacation } from './vacations.commands.js';
import { PreviewVacation, ListVacations, ListVacationMessages } from './vacations.queries.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { plural } from '../../platform/plural.api.js';
import { shortDate } from '../../platform/portuguese.js';
import type { VacationCalendarEvent, VacationEvent } from '../away/vacation.js';

type DataOf<Type extends VacationCalendarEvent['type']> = Extract<
  VacationCalendarEvent,
  { type: Type }
>['data'];

const subjects = ({ vacation_id }: { vacation_id: string }, tenantId: string) => [
  `vacation:${vacation_id}`,
  `availability:${tenantId}`,
];
const days = ({ start_date, end_date }: DataOf<'VacationRemoved'>) =>
  `${shortDate(start_date)} a ${shortDate(end_date)}`;

const vacationHistory: HistoryWords<VacationCalendarEvent | VacationEvent> = {
  VacationActivated: {
    subjects,
    words: (data) =>
      `Ativou férias de ${days(data)}${data.description === null ? '' : `: ${data.description}`}`,
  },
  VacationApplied: {
    subjects,
    words: ({ canceladas, movidas, creditos, dias }) => {
      const done = [
        canceladas.length > 0 && `cancelou ${plural(canceladas.length, 'sessão', 'sessões')}`,
        movidas.length > 0 && `remarcou ${plural(movidas.length, 'sessão', 'sessões')}`,
        creditos.length > 0 &&
          `prorrogou por ${plural(dias, 'dia', 'dias')} os créditos de ${plural(creditos.length, 'aluno', 'alunos')}`,
      ].filter(Boolean);
      return done.length === 0 ? 'Férias: nenhuma sessão foi afetada' : `Férias: ${done.join(', ')}`;
    },
  },
  VacationRemoved: {
    subjects,
    words: (data) => `Removeu as férias de ${days(data)}`,
  },
  VacationRestored: {
    subjects,
    words: (data) => `Desfez a remoção das férias de ${days(data)}`,
  },
  VacationUndone: {
    subjects,
    words: (data) => `Desfez as férias de ${days(data)}, com sessões e créditos como antes`,
  },
};

@Module(
  together(
    serve(vacationsApi, {
      preview: PreviewVacation,
      list: ListVacations,
      activate: ActivateVacation,
      remove: RemoveVacation,
      restore: RestoreVacation,
      undo: UndoVacation,
      undoPrice: definePrice<[string]>('PriceUndoVacation', UndoVacation),
      messages: ListVacationMessages,
    }),
  ),
)
export class VacationsModule {
  static readonly feature: Feature = {
    history: vacationHistory,
    errors: vacationErrors,
  };
}
