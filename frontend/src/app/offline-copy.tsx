import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { thisWeek } from '../features/agenda/agenda.queries.js';
import { locationChoices } from '../parts/location-choices.js';
import { openTasks, taskLists } from '../features/tasks/tasks.queries.js';
import { studentsCopy } from '../parts/students.queries.js';
import { useToday, useZone } from '../lib/zone.js';

/** Delay in milliseconds, so that the requests of the page come first. */
const AFTER_MS = 2000;

/** Prefetches, once per start and day, what must be available offline: the agenda of the week, students, locations and open tasks. */
export function OfflineCopy() {
  const client = useQueryClient();
  const zone = useZone();
  const today = useToday();

  useEffect(() => {
    const timer = setTimeout(() => {
      void client.prefetchQuery(thisWeek(zone));
      void client.prefetchQuery(studentsCopy);
      void client.prefetchQuery(locationChoices);
      void client.prefetchQuery(openTasks);
      void client.prefetchQuery(taskLists);
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [client, zone, today]);

  return null;
}
