import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  Availability,
  ExceptionRows,
  NewWeek,
} from '../../../../backend/modules/availability/availability.api.js';
import type { HolidayList, NewHoliday } from '../../../../backend/modules/holidays/holidays.api.js';
import type {
  NewVacation,
  VacationMessages,
  VacationPage,
  VacationPreview,
  VacationUndone,
} from '../../../../backend/modules/vacations/vacations.api.js';
import { useCommand } from '../../lib/command.js';
import type { Day } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const AVAILABILITY = reads('availability', ['sessions', 'credits', 'students', 'settings']);
const topics = ['availability'];
/** Topics that activating or undoing a vacation changes. */
const allTopics = ['availability', 'sessions', 'credits'];

export const useAvailability = () =>
  useQuery({
    queryKey: [AVAILABILITY, 'week'],
    queryFn: ({ signal }) => http.get<Availability>('/availability', undefined, signal),
  });

export const useSaveWeek = () =>
  useCommand({
    send: (week: NewWeek, key) => http.put<{ versao: number }>('/availability', key, week),
    topics,
  });

export const useSaveException = () =>
  useCommand({
    send: ({ data, ...rows }: ExceptionRows & { data: Day }, key) =>
      http.put(`/availability/exceptions/${data}`, key, rows),
    topics,
  });

export const useVacations = () =>
  useQuery({
    queryKey: [AVAILABILITY, 'vacations'],
    queryFn: ({ signal }) => http.get<VacationPage>('/vacations', { limit: 100 }, signal),
  });

interface Asked {
  start_date: Day;
  end_date: Day;
  /** By how many weeks to move sessions; null: none is moved. */
  semanas: number | null;
}

/** The sessions that a vacation would affect; `asked` is null while its days are not known. */
export const useVacationPreview = (asked: Asked | null) =>
  useQuery({
    queryKey: [AVAILABILITY, 'preview', asked],
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => http.get<VacationPreview>('/vacations/preview', { ...asked }, signal),
  });

export const useActivateVacation = () =>
  useCommand({
    send: (vacation: NewVacation, key) => http.post<{ id: string }>('/vacations', key, vacation),
    topics: allTopics,
  });

export const useUndoVacation = () =>
  useCommand({
    send: (id: string, key) => http.post<VacationUndone>(`/vacations/${id}/undo`, key, {}),
    topics: allTopics,
  });

export const useRemoveVacation = () =>
  useCommand({ send: (id: string, key) => http.delete(`/vacations/${id}`, key), topics });

export const useRestoreVacation = () =>
  useCommand({ send: (id: string, key) => http.post(`/vacations/${id}/restore`, key, {}), topics });

export const useVacationMessages = (id: string) =>
  useQuery({
    queryKey: [AVAILABILITY, 'messages', id],
    queryFn: ({ signal }) => http.get<VacationMessages>(`/vacations/${id}/messages`, undefined, signal),
  });

/** Holidays from `from` to `to`, both included. */
export const useHolidays = (from: Day, to: Day) =>
  useQuery({
    queryKey: [AVAILABILITY, 'holidays', from, to],
    queryFn: ({ signal }) => http.get<HolidayList>('/holidays', { from, to }, signal),
  });

export const useSwitchHoliday = () =>
  useCommand({
    send: ({ id, ativo }: { id: string; ativo: boolean }, key) => http.put(`/holidays/${id}`, key, { ativo }),
    topics,
  });

export const useAddHoliday = () =>
  useCommand({
    send: (holiday: NewHoliday, key) => http.post<{ id: string }>('/holidays', key, holiday),
    topics,
  });

export const useRemoveHoliday = () =>
  useCommand({ send: (id: string, key) => http.delete(`/holidays/${id}`, key), topics });

export const useRestoreHoliday = () =>
  useCommand({ send: (id: string, key) => http.post(`/holidays/${id}/restore`, key, {}), topics });
