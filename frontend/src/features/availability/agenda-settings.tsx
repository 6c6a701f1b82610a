import { ActionIcon, Menu } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { whenReachable } from '../../lib/chunks.js';
import { ASK_PAST } from '../../ui/ask-past.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { Sheet } from '../../ui/sheet.js';
import { Skeletons } from '../../ui/states.js';
import classes from './availability.module.css';

const WeekPanel = lazy(() => whenReachable(() => import('./week-panel.js')));
const VacationPanel = lazy(() => whenReachable(() => import('./vacation-panel.js')));

/** A sheet of another feature, opened from the menu. */
export interface AgendaPanel {
  /** Value in the address. */
  name: string;
  title: string;
  icon: IconName;
  Panel: ComponentType;
}

interface AgendaSettingsProps {
  /** Entries before the settings: then it is the menu of everything else on the phone. */
  children?: ReactNode;
  more: readonly AgendaPanel[];
}

/** Menu of the agenda's settings: working hours, days off, and sheets of other features. The address holds the open one. */
export function AgendaSettings({ children, more }: AgendaSettingsProps) {
  const [search, setSearch] = useSearchParams();
  const opened = search.get('abrir');
  const open = (panel: string | null) =>
    setSearch(
      (current) => {
        if (panel === null) current.delete('abrir');
        else current.set('abrir', panel);
        return current;
      },
      { replace: panel === null, preventScrollReset: true },
    );
  const close = () => open(null);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={children ? 'Mais da agenda' : 'Configurações da agenda'}>
            <Icon name={children ? 'more' : 'settings'} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu}>
          {children}
          {children && <Menu.Divider />}
          <Menu.Item leftSection={<Icon name="clock" size={18} />} onClick={() => open('momento')}>
            {ASK_PAST}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="clock" size={18} />} onClick={() => open('horarios')}>
            Configurar Horários
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="calendar" size={18} />} onClick={() => open('ferias')}>
            Modo Férias
          </Menu.Item>
          {more.map(({ name, title, icon }) => (
            <Menu.Item key={name} leftSection={<Icon name={icon} size={18} />} onClick={() => open(name)}>
              {title}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Sheet opened={opened === 'horarios'} onClose={close} title="Configurar Horários">
        <Suspense fallback={<Skeletons count={3} height={120} />}>
          <WeekPanel onDone={close} />
        </Suspense>
      </Sheet>
      <Sheet opened={opened === 'ferias'} onClose={close} title="Modo Férias">
        <Suspense fallback={<Skeletons count={3} height={72} />}>
          <VacationPanel />
        </Suspense>
      </Sheet>
      {more.map(({ name, title, Panel }) => (
        <Sheet key={name} opened={opened === name} onClose={close} title={title}>
          <Suspense fallback={<Skeletons count={3} height={120} />}>
            <Panel />
          </Suspense>
        </Sheet>
      ))}
    </>
  );
}
