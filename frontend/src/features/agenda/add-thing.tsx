import { Button, Menu } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useSearchParams } from 'react-router-dom';
import type { Day } from '../../lib/dates.js';
import { AddLink } from '../../ui/add-link.js';
import { Icon } from '../../ui/icon.js';

/**
 * The header's buttons to add a session or a task on a day: side by side on wide screens, behind one button on the
 * phone.
 */
export function AddThing({ day }: { day: Day }) {
  const [search] = useSearchParams();
  const wide = useMediaQuery('(min-width: 48em)', false, { getInitialValueInEffect: false });
  const address = (novo: string) =>
    `?${new URLSearchParams({ ...Object.fromEntries(search), novo, em: day }).toString()}`;
  if (wide)
    return (
      <>
        <Button component={Link} to={address('tarefa')} size="sm" variant="default">
          Nova tarefa
        </Button>
        <AddLink to={address('agendamento')} thing="agendamento" />
      </>
    );
  return (
    <Menu position="bottom-end" radius="md" shadow="md">
      <Menu.Target>
        <Button size="sm">Novo</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={address('agendamento')}
          leftSection={<Icon name="calendar" size={18} />}
        >
          Evento
        </Menu.Item>
        <Menu.Item component={Link} to={address('tarefa')} leftSection={<Icon name="check" size={18} />}>
          Tarefa
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
