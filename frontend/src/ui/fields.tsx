import { TextInput, type TextInputProps } from '@mantine/core';
import { useLayoutEffect, useRef, type ChangeEvent, type KeyboardEvent } from 'react';
import { completeDate, parseDate, parseTime } from '../lib/dates.js';
import {
  cursorBefore,
  edited,
  type Mask,
  maskCep,
  maskCpf,
  maskDate,
  maskMoney,
  maskTime,
} from '../lib/masks.js';
import { formatAmount, parseMoney } from '../lib/money.js';

export type FieldProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  value?: string;
  onChange?: (value: string) => void;
};

interface MaskedProps extends FieldProps {
  mask: Mask;
  /** Completes the typed text on blur; null if it cannot be completed. */
  complete?: (text: string) => string | null;
}

/** Text that is formatted while it is typed; the cursor keeps its place. */
export function MaskedField({ mask, complete, value = '', onChange, ...props }: MaskedProps) {
  const input = useRef<HTMLInputElement>(null);
  const cursor = useRef<number | null>(null);
  const past = useRef<string[]>([]);
  const shown = mask(value);

  useLayoutEffect(() => {
    if (cursor.current !== null && document.activeElement === input.current)
      input.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = null;
  });

  const change = ({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const text = currentTarget.value;
    const forward = (nativeEvent as InputEvent).inputType === 'deleteContentForward';
    const edit = edited(mask, shown, { text, cursor: currentTarget.selectionStart ?? text.length }, forward);
    cursor.current = edit.cursor;
    if (edit.text !== shown) past.current.push(shown);
    // The browser has changed the field: if the value stays the same, React would put the cursor at its end.
    if (edit.text === shown) {
      currentTarget.value = shown;
      currentTarget.setSelectionRange(edit.cursor, edit.cursor);
    }
    onChange?.(edit.text);
  };

  /** The browser's own undo is lost once a separator is inserted. */
  const undo = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
    event.preventDefault();
    const before = past.current.pop();
    if (before === undefined) return;
    const now = input.current?.selectionStart ?? shown.length;
    cursor.current = cursorBefore(before, { text: shown, cursor: now });
    onChange?.(before);
  };

  return (
    <TextInput
      ref={input}
      autoComplete="off"
      {...props}
      value={shown}
      onChange={change}
      onKeyDown={(event) => {
        undo(event);
        props.onKeyDown?.(event);
      }}
      onBlur={(event) => {
        const completed = complete?.(value);
        if (completed && completed !== value) {
          past.current.push(shown);
          onChange?.(completed);
        }
        props.onBlur?.(event);
      }}
    />
  );
}

export const CpfField = (props: FieldProps) => (
  <MaskedField mask={maskCpf} inputMode="numeric" placeholder="000.000.000-00" {...props} />
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
 * A calendar date, typed as `26/11/2026`. Its value is `YYYY-MM-DD` once that is a date, and until then the typed text.
 */
export function DateTextField({ onChange, ...props }: FieldProps) {
  return (
    <MaskedField
      mask={maskDate}
      complete={completeDate}
      inputMode="numeric"
      placeholder="dd/mm/aaaa"
      onChange={(text) => onChange?.(parseDate(text) ?? text)}
      {...props}
    />
  );
}

/** Minutes by which the arrow keys change the time. */
const STEP = 15;

/** A time of day, typed as `07:00`. When the field is left, it is completed (`7` becomes `07:00`). */
export function TimeTextField({ value = '', onChange, ...props }: FieldProps) {
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
      complete={parseTime}
      value={value}
      inputMode="numeric"
      placeholder="00:00"
      {...(onChange && { onChange })}
      {...props}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        shift(event.key === 'ArrowUp' ? STEP : -STEP);
      }}
    />
  );
}

const completeMoney = (text: string) => {
  const cents = parseMoney(text);
  return cents === null ? null : formatAmount(cents);
};

/**
 * An amount in reais as text; when the field is left, it is completed (`80` becomes `80,00`). `parseMoney` parses it.
 */
export const MoneyField = (props: FieldProps) => (
  <MaskedField
    mask={maskMoney}
    complete={completeMoney}
    inputMode="decimal"
    placeholder="0,00"
    leftSection="R$"
    {...props}
  />
);
