import { NativeSelect } from '@mantine/core';
import classes from './bank-lines.module.css';
import type { Columns } from './csv-file.js';

interface ColumnsFormProps {
  rows: readonly string[][];
  columns: Columns;
  onChange: (columns: Columns) => void;
}

/** Chooses the columns of the file; each is shown by its title and a sample. */
export function ColumnsForm({ rows, columns, onChange }: ColumnsFormProps) {
  const width = Math.max(...rows.slice(0, 50).map((row) => row.length));
  const sample = rows[Math.floor(rows.length / 2)] ?? [];
  const data = Array.from({ length: width }, (_, column) => {
    const [title, value] = [rows[0]?.[column], sample[column]].map((cell) => (cell ?? '').slice(0, 24));
    return {
      value: String(column),
      label: `${column + 1}. ${title || 'sem título'}${value ? ` (${value})` : ''}`,
    };
  });
  const choice = (field: keyof Columns) => ({
    value: columns[field] === null ? '' : String(columns[field]),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange({ ...columns, [field]: value === '' ? null : Number(value) }),
  });
  return (
    <div className={classes.columns}>
      <NativeSelect label="Coluna da data" data={data} {...choice('data')} />
      <NativeSelect label="Coluna do valor" data={data} {...choice('valor')} />
      <NativeSelect label="Coluna da descrição" data={data} {...choice('texto')} />
      <NativeSelect
        label="Outra coluna da descrição"
        data={[{ value: '', label: 'Nenhuma' }, ...data]}
        {...choice('mais')}
      />
      <NativeSelect
        label="Coluna das saídas ou de D/C"
        data={[{ value: '', label: 'Na mesma do valor' }, ...data]}
        {...choice('saida')}
      />
    </div>
  );
}
