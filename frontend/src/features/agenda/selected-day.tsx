import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatDay, type Day } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { Section } from '../../ui/page.js';

interface SelectedDayProps {
  day: Day;
  onOpen: (day: Day) => void;
  children: ReactNode;
}

/** The chosen day, shown below the month on the phone. */
export function SelectedDay({ day, onOpen, children }: SelectedDayProps) {
  const title = formatDay(day, useToday());
  return (
    <Section
      title={title.charAt(0).toUpperCase() + title.slice(1)}
      action={
        <Button variant="subtle" onClick={() => onOpen(day)}>
          Ver dia
        </Button>
      }
    >
      {children}
    </Section>
  );
}
