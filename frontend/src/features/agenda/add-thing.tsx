import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import type { Day } from '../../lib/dates.js';
import { AddLink } from '../../ui/add-link.js';

/** The header's buttons to add a session or a task on a day; on the phone the quick actions do that. */
export function AddThing({ day }: { day: Day }) {
  const [search] = useSearchParams();
  const address = (novo: string) =>
    `?${new URLSearchParams({ ...Object.fromEntries(search), novo, em: day }).toString()}`;
  return (
    <>
      <Button component={Link} to={address('tarefa')} size="sm" variant="default">
        Nova tarefa
      </Button>
      <AddLink to={address('agendamento')} thing="agendamento" />
    </>
  );
}
