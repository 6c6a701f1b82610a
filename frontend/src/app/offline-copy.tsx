import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { thisWeek } from '../features/agenda/agenda.queries.js';
import { locationChoices } from '../features/locations/locations.queries.js';
import { openTasks, taskLists } from '../features/tasks/tasks.queries.js';
import { studentsCopy } from '../features/students/students.queries.js';
import { useToday, useZone } from '../lib/zone.js';

/** What the person is looking at comes first. */
const AFTER_MS = 2000;

/** Reads ahead, once a start and a day, what must be there without a network: the week's agenda, the students, the locations and the open tasks. */
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
