import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ExceptionRows } from '../../../../backend/modules/availability/availability.api.js';
import { useAnswer } from '../../lib/answer.js';
import { read, write } from '../../lib/calls.js';
import { useCommand, useSendTo } from '../../lib/command.js';
import type { Day } from '../../lib/dates.js';
import { reads } from '../../lib/topics.js';

const AVAILABILITY = reads('availability', ['sessions', 'credits', 'students', 'settings']);

export const useAvailability = () => useAnswer([AVAILABILITY, 'week'], 'GET /availability');

export const useSaveException = () =>
  useCommand({
    send: ({ data, ...rows }: ExceptionRows & { data: Day }, key) =>
      write('PUT /availability/exceptions/:data', key, { of: [data], body: rows }),
  });

export const useVacations = () =>
  useAnswer([AVAILABILITY, 'vacations'], 'GET /vacations', { query: { limit: 100 } });

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
    queryFn: ({ signal }) => read('GET /vacations/preview', { query: { ...asked }, signal }),
  });

export const useUndoVacation = () => useSendTo('POST /vacations/:id/undo');

export const useVacationMessages = (id: string) =>
  useAnswer([AVAILABILITY, 'messages', id], 'GET /vacations/:id/messages', { of: [id] });

/** Holidays from `from` to `to`, both included. */
export const useHolidays = (from: Day, to: Day) =>
  useAnswer([AVAILABILITY, 'holidays', from, to], 'GET /holidays', { query: { from, to } });

export const useRemoveHoliday = () => useSendTo('DELETE /holidays/:id');
