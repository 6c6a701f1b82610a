import { ActionIcon, NativeSelect } from '@mantine/core';
import { type ReactNode, type RefObject, useState } from 'react';
import { addMonths, type Month, monthOf } from '../../lib/dates.js';
import { useSwipe } from '../../lib/use-swipe.js';
import { Icon } from '../../ui/icon.js';
import classes from './finance.module.css';
import { monthNames } from './words.js';

const FIRST_YEAR = 2023;

interface MonthChoiceProps {
  month: Month;
  today: string;
  select: RefObject<HTMLSelectElement | null>;
  onChange: (month: Month) => void;
  /** What is shown of the month; swiping over it leads to the next or the previous one. */
  children: ReactNode;
}

/** Chooses the month by its name, by arrows or by a swipe; the chosen one slides in from its side. */
export function MonthChoice({ month, today, select, onChange, children }: MonthChoiceProps) {
  const shown = Number(month.slice(0, 4));
  const firstYear = Math.min(FIRST_YEAR, shown);
  const lastYear = Math.max(Number(today.slice(0, 4)) + 1, shown);
  const groups = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => {
    const year = String(lastYear - index);
    const items = monthNames.map((name, number) => ({
      value: `${year}-${String(number + 1).padStart(2, '0')}`,
      label: `${name} de ${year}`,
    }));
    return { group: year, items };
  });
  const reaches = { [-1]: month > `${firstYear}-01`, 1: month < `${lastYear}-12` };
  const [from, setFrom] = useState<'left' | 'right'>();
  const choose = (to: Month) => {
    setFrom(to > month ? 'right' : 'left');
    onChange(to);
  };
  const step = (by: 1 | -1) => reaches[by] && choose(monthOf(addMonths(`${month}-01`, by)));
  return (
    <div className={classes.swiped} {...useSwipe(step)}>
      <div className={classes.choice}>
        <ActionIcon
          variant="subtle"
          size={44}
          aria-label="Mês anterior"
          disabled={!reaches[-1]}
          onClick={() => step(-1)}
        >
          <Icon name="left" />
        </ActionIcon>
        <NativeSelect
          ref={select}
          aria-label="Mês"
          value={month}
          onChange={(event) => choose(event.currentTarget.value)}
          data={groups}
        />
        <ActionIcon
          variant="subtle"
          size={44}
          aria-label="Próximo mês"
          disabled={!reaches[1]}
          onClick={() => step(1)}
        >
          <Icon name="right" />
        </ActionIcon>
      </div>
      <div key={month} className={classes.swiped} data-from={from}>
        {children}
      </div>
    </div>
  );
}
