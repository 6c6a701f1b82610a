import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { habitsOf, LATEST } from '../../../../backend/modules/agenda/habits.api.js';
import type { BodyForm } from '../../lib/form.js';
import { read } from '../../lib/calls.js';
import { addMinutes, parseTime } from '../../lib/dates.js';
import type { SessionValues } from './session-form.js';
import { SESSIONS } from './session-reads.js';

/** Fills a booking with the usual place and length of its first student, unless others were chosen. */
export function useUsual<Body>(form: BodyForm<SessionValues & { student_ids: string[] }, Body>): void {
  const { student_ids, location_id, inicio, fim } = form.values;
  const [studentId] = student_ids;
  const { data: usual } = useQuery({
    queryKey: [SESSIONS, 'usual', studentId],
    queryFn: ({ signal }) =>
      read('GET /sessions', {
        query: { student_id: studentId, ordem: 'recentes', limit: LATEST },
        signal,
      }),
    select: ({ items }) => habitsOf(items),
    enabled: studentId !== undefined && !form.isRestored,
  });
  /** What the form had before anybody chose. */
  const untouched = useRef({ location_id, fim });
  const fill = useEffectEvent((habits: NonNullable<typeof usual>) => {
    if (location_id === untouched.current.location_id) form.setFieldValue('location_id', habits.location_id);
    untouched.current.location_id = habits.location_id;
    const start = parseTime(inicio);
    if (!start || habits.minutes === null || fim !== untouched.current.fim) return;
    untouched.current.fim = addMinutes(start, habits.minutes);
    form.setFieldValue('fim', untouched.current.fim);
  });
  useEffect(() => {
    if (usual) fill(usual);
  }, [usual]);
}
