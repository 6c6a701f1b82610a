import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ExceptionRows } from '../../../../backend/modules/availability/availability.api.js';
import { read, write } from '../../lib/calls.js';
import { useCommand, useSend } from '../../lib/command.js';
import type { Day } from '../../lib/dates.js';
import { reads } from '../../lib/topics.js';

const AVAILABILITY = reads('availability', ['sessions', 'credits', 'students', 'settings']);

export const useAvailability = () =>
  useQuery({
    queryKey: [AVAILABILITY, 'week'],
    queryFn: ({ signal }) => read('GET /availability', { signal }),
  });

export const useSaveWeek = () => useSend('PUT /availability');

export const useSaveException = () =>
  useCommand({
    send: ({ data, ...rows }: ExceptionRows & { data: Day }, key) =>
      write('PUT /availability/exceptions/:data', key, { of: [data], body: rows }),
  });

export const useVacations = () =>
  useQuery({
    queryKey: [AVAILABILITY, 'vacations'],
    queryFn: ({ signal }) => read('GET /vacations', { query: { limit: 100 }, signal }),
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
    queryFn: ({ signal }) => read('GET /vacations/preview', { query: { ...asked }, signal }),
  });

export const useActivateVacation = () => useSend('POST /vacations');

export const useUndoVacation = () =>
  useCommand({
    send: (id: string, key) => write('POST /vacations/:id/undo', key, { of: [id] }),
  });

export const useRemoveVacation = () =>
  useCommand({ send: (id: string, key) => write('DELETE /vacations/:id', key, { of: [id] }) });

export const useRestoreVacation = () =>
  useCommand({
    send: (id: string, key) => write('POST /vacations/:id/restore', key, { of: [id] }),
  });

export const useVacationMessages = (id: string) =>
  useQuery({
    queryKey: [AVAILABILITY, 'messages', id],
    queryFn: ({ signal }) => read('GET /vacations/:id/messages', { of: [id], signal }),
  });

/** Holidays from `from` to `to`, both included. */
export const useHolidays = (from: Day, to: Day) =>
  useQuery({
    queryKey: [AVAILABILITY, 'holidays', from, to],
    queryFn: ({ signal }) => read('GET /holidays', { query: { from, to }, signal }),
  });

export const useSwitchHoliday = () =>
  useCommand({
    send: ({ id, ativo }: { id: string; ativo: boolean }, key) =>
      write('PUT /holidays/:id', key, { of: [id], body: { ativo } }),
  });

export const useAddHoliday = () => useSend('POST /holidays');

export const useRemoveHoliday = () =>
  useCommand({ send: (id: string, key) => write('DELETE /holidays/:id', key, { of: [id] }) });

export const useRestoreHoliday = () =>
  useCommand({
    send: (id: string, key) => write('POST /holidays/:id/restore', key, { of: [id] }),
  });
