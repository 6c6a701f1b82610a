import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import {
  MOST_IN_ENTRY,
  TOO_MUCH_IN_ENTRY,
  type TransactionPage,
} from '../../../../backend/modules/finance/finance.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import type { Month } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { amountOf } from '../../lib/money.js';
import { AMOUNT_FORM } from '../../lib/messages.js';
import { categoryNames } from '../../../../backend/modules/finance/money-words.api.js';
import { saveFile } from '../../lib/save-file.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { Money } from '../../ui/money.js';
import { Quiet } from '../../ui/quiet.js';
import { attempt } from '../../ui/toast.js';
import classes from './finance.module.css';
import type { EntryFilters } from './finance.queries.js';
import { kindNames, methods } from './words.js';

const TYPING_PAUSE_MS = 250;

interface EntryFiltersProps {
  /** Whether the fields are shown; what was typed stays while they are not. */
  opened: boolean;
  filters: EntryFilters;
  onChange: (filters: EntryFilters) => void;
  /** Total of the shown entries. */
  total: TransactionPage['total'] | undefined;
  month: Month;
  /** They are shown as they were, and the file has them as they are. */
  isPast?: boolean;
}

interface FilterButtonProps {
  filters: EntryFilters;
  opened: boolean;
  onToggle: () => void;
}

const options = (all: string, names: Record<string, string>) => [
  { value: '', label: all },
  ...Object.entries(names).map(([value, label]) => ({ value, label })),
];

/** The error of an amount that the entries cannot be compared with, or null. */
function wrongAmount(text: string): string | null {
  const amount = amountOf(text);
  if (amount === undefined) return null;
  if (typeof amount === 'string' || amount < 0) return AMOUNT_FORM;
  return amount > MOST_IN_ENTRY ? TOO_MUCH_IN_ENTRY : null;
}

const methodNames = Object.fromEntries(Object.entries(methods).map(([name, { label }]) => [name, label]));

/** Saves the entries of the month that these filters show as a spreadsheet. */
export const saveSheet = (month: Month, filters: EntryFilters, at?: string) =>
  attempt(
    async () =>
      saveFile(await http.file('/transactions/sheet', { month, at, ...filters }), `lancamentos-${month}.csv`),
    'Erro ao baixar o arquivo',
  );

/** Opens the filters, and says how many are set. */
export function FilterButton({ filters, opened, onToggle }: FilterButtonProps) {
  const count = Object.keys(filters).length;
  return (
    <Button
      size="sm"
      variant="subtle"
      aria-expanded={opened}
      onClick={onToggle}
      leftSection={<Icon name="search" size={18} />}
    >
      {count === 0 ? 'Filtrar' : `Filtrar (${count})`}
    </Button>
  );
}

/** Filters of the entries, with the total of the shown ones, and their file. */
export function EntryFilterFields({
  opened,
  filters,
  onChange,
  total,
  month,
  isPast = false,
}: EntryFiltersProps) {
  const [typed, setTyped] = useState({ texto: '', min: '', max: '' });
  const [wrong, setWrong] = useState<{ min?: string | null; max?: string | null }>({});
  const narrow = (more: Record<string, string | number | undefined>) => {
    const all = Object.entries({ ...filters, ...more });
    onChange(Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== '')));
  };
  const later = useDebouncedCallback(narrow, TYPING_PAUSE_MS);
  const type = (field: keyof typeof typed, text: string) => {
    setTyped((current) => ({ ...current, [field]: text }));
    if (field === 'texto') {
      later({ texto: text.trim() });
      return;
    }
    setWrong((current) => ({ ...current, [field]: null }));
    later({ [field]: wrongAmount(text) === null ? amountOf(text) : undefined });
  };
  const amountField = (field: 'min' | 'max') => ({
    value: typed[field],
    onChange: (text: string) => type(field, text),
    onBlur: () => setWrong((current) => ({ ...current, [field]: wrongAmount(typed[field]) })),
    error: wrong[field],
  });
  const choose = (field: keyof EntryFilters) => ({
    value: String(filters[field] ?? ''),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      narrow({ [field]: currentTarget.value }),
  });
  const clear = () => {
    setTyped({ texto: '', min: '', max: '' });
    setWrong({});
    onChange({});
  };

  const isFiltered = Object.keys(filters).length > 0;
  // The sums of the whole month are those of its figures.
  if (!opened && !isFiltered) return null;
  return (
    <div className={classes.filters}>
      {opened && (
        <>
          <TextInput
            label="Descrição ou aluno"
            autoComplete="off"
            value={typed.texto}
            onChange={({ currentTarget }) => type('texto', currentTarget.value)}
          />
          <FieldPair>
            <NativeSelect label="Tipo" data={options('Todos', kindNames)} {...choose('tipo')} />
            <NativeSelect label="Meio" data={options('Todos', methodNames)} {...choose('metodo_pagamento')} />
          </FieldPair>
          <NativeSelect label="Categoria" data={options('Todas', categoryNames)} {...choose('categoria')} />
          <FieldPair>
            <MoneyField label="Valor a partir de" {...amountField('min')} />
            <MoneyField label="Valor até" {...amountField('max')} />
          </FieldPair>
        </>
      )}
      {total && total.quantidade > 0 && (
        <Quiet role="status">
          {plural(total.quantidade, 'lançamento', 'lançamentos')}: <Money cents={total.receitas} /> de
          receitas, <Money cents={total.despesas} /> de despesas, saldo <Money cents={total.saldo} />
        </Quiet>
      )}
      <div className={classes.filterActions}>
        {isFiltered && (
          <Button size="sm" variant="subtle" onClick={clear}>
            Limpar
          </Button>
        )}
        {total && total.quantidade > 0 && !isPast && (
          <Button
            size="sm"
            variant="subtle"
            onClick={() => void saveSheet(month, filters)}
            leftSection={<Icon name="drop" size={18} />}
          >
            Baixar CSV
          </Button>
        )}
      </div>
    </div>
  );
}
