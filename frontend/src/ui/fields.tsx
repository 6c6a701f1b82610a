import { TextInput, type TextInputProps } from '@mantine/core';
import { useLayoutEffect, useRef, type ChangeEvent } from 'react';
import { cursorAfterMask, maskCep, maskCpf, maskDate, maskPhone, maskTime } from '../lib/masks.js';
import { formatAmount, parseMoney } from '../lib/money.js';
import { parseDate, parseTime } from '../lib/dates.js';

type FieldProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  value?: string;
  onChange?: (value: string) => void;
};

type MaskedProps = FieldProps & { mask: (text: string) => string };

/** Text that is written into a shape while it is typed, with the cursor staying where the hand is. */
function MaskedField({ mask, value = '', onChange, ...props }: MaskedProps) {
  const input = useRef<HTMLInputElement>(null);
  const cursor = useRef<number | null>(null);

  useLayoutEffect(() => {
    if (cursor.current !== null && document.activeElement === input.current)
      input.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = null;
  });

  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const masked = mask(currentTarget.value);
    cursor.current = cursorAfterMask(
      currentTarget.value,
      currentTarget.selectionStart ?? masked.length,
      masked,
    );
    onChange?.(masked);
  };

  return <TextInput ref={input} value={mask(value)} onChange={change} {...props} />;
}

export const PhoneField = (props: FieldProps) => (
  <MaskedField
    mask={maskPhone}
    type="tel"
    inputMode="tel"
    placeholder="(11) 99999-9999"
    autoComplete="off"
    {...props}
  />
);

export const CpfField = (props: FieldProps) => (
  <MaskedField
    mask={maskCpf}
    inputMode="numeric"
    placeholder="000.000.000-00"
    autoComplete="off"
    {...props}
  />
);

export const CepField = (props: FieldProps) => (
  <MaskedField
    mask={maskCep}
    inputMode="numeric"
    placeholder="00000-000"
    autoComplete="postal-code"
    {...props}
  />
);

/**
 * A calendar date, typed as `26/11/2026`. What it holds is `YYYY-MM-DD` once that is a date, and until then the text.
 */
export function DateTextField({ onChange, ...props }: FieldProps) {
  return (
    <MaskedField
      mask={maskDate}
      inputMode="numeric"
      placeholder="dd/mm/aaaa"
      autoComplete="off"
      onChange={(text) => onChange?.(parseDate(text) ?? text)}
      {...props}
    />
  );
}

interface TimeFieldProps extends FieldProps {
  /** Minutes that the arrow keys go forward or back. */
  step?: number;
}

/** A time of day, `07:00`. Leaving it completes what was typed (`7` becomes `07:00`). */
export function TimeField({ value = '', onChange, step = 15, ...props }: TimeFieldProps) {
  const complete = () => {
    const time = parseTime(value);
    if (time && time !== value) onChange?.(time);
  };
  const shift = (minutes: number) => {
    const time = parseTime(value);
    if (!time) return;
    const [hours = 0, rest = 0] = time.split(':').map(Number);
    const total = (hours * 60 + rest + minutes + 1440) % 1440;
    onChange?.(`${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`);
  };
  return (
    <MaskedField
      mask={maskTime}
      value={value}
      inputMode="numeric"
      placeholder="00:00"
      autoComplete="off"
      {...(onChange && { onChange })}
      {...props}
      onBlur={(event) => {
        complete();
        props.onBlur?.(event);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        shift(event.key === 'ArrowUp' ? step : -step);
      }}
    />
  );
}

/** An amount in reais as text; leaving it writes what was understood (`80` becomes `80,00`). `parseMoney` reads it. */
export function MoneyField({ value = '', onChange, ...props }: FieldProps) {
  return (
    <TextInput
      inputMode="decimal"
      placeholder="0,00"
      autoComplete="off"
      leftSection="R$"
      {...props}
      value={value}
      onChange={(event) => onChange?.(event.currentTarget.value)}
      onBlur={(event) => {
        const cents = parseMoney(value);
        if (cents !== null) onChange?.(formatAmount(cents));
        props.onBlur?.(event);
      }}
    />
  );
}
