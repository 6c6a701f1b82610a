import { ActionIcon, Popover } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import { lazy, Suspense, useState, type ComponentProps } from 'react';
import { parseTime } from '../lib/dates.js';
import { TimeTextField } from './fields.js';
import { Icon } from './icon.js';

const Clock = lazy(() => import('./clock.js'));

/** A time of day that is typed or picked. Holds what `TimeTextField` holds. */
export function TimeField({ value = '', onChange, ...props }: ComponentProps<typeof TimeTextField>) {
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
      <TimeTextField
        {...props}
        value={value}
        {...(onChange && { onChange })}
        rightSectionWidth={48}
        rightSection={
          <Popover.Target>
            <ActionIcon aria-label="Escolher o horário" onClick={() => setOpened(!opened)}>
              <Icon name="clock" />
            </ActionIcon>
          </Popover.Target>
        }
      />
      <Popover.Dropdown>
        <Suspense fallback={<div style={{ width: 308, height: 372 }} />}>
          <Clock
            value={parseTime(value)}
            onChange={(time) => onChange?.(time)}
            onDone={() => setOpened(false)}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
