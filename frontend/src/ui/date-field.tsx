import { ActionIcon, Popover } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import { lazy, Suspense, useState, type ComponentProps } from 'react';
import { parseDate } from '../lib/dates.js';
import { DateTextField } from './fields.js';
import { Icon } from './icon.js';

const Calendar = lazy(() => import('./calendar.js'));

/** A calendar date that is typed or picked from a month. Holds what `DateTextField` holds. */
export function DateField({ value = '', onChange, ...props }: ComponentProps<typeof DateTextField>) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      radius="lg"
      shadow="md"
      trapFocus
      returnFocus
    >
      <DateTextField
        {...props}
        value={value}
        {...(onChange && { onChange })}
        rightSectionWidth={48}
        rightSection={
          <Popover.Target>
            <ActionIcon aria-label="Abrir calendário" onClick={() => setOpened(!opened)}>
              <Icon name="calendar" />
            </ActionIcon>
          </Popover.Target>
        }
      />
      <Popover.Dropdown>
        <Suspense fallback={<div style={{ width: 308, height: 340 }} />}>
          <Calendar
            value={parseDate(value)}
            onChange={(day) => {
              onChange?.(day);
              setOpened(false);
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
