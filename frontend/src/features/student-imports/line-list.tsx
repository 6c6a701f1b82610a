import { Button, Checkbox, SegmentedControl, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { useState } from 'react';
import { counted, plural } from '../../../../backend/platform/plural.api.js';
import { searchable } from '../../../../backend/platform/searchable.api.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { fieldNames, type ImportField } from './columns.js';
import classes from './import-students.module.css';
import type { PreviewLine } from './lines.js';

export const AT_ONCE = 50;

const filters = {
  todas: { label: 'Todas', takes: () => true },
  erros: { label: 'Com erro', takes: ({ errors }: PreviewLine) => errors.length > 0 },
  repetidas: { label: 'Repetidas', takes: ({ double }: PreviewLine) => double !== null },
};
type Filter = keyof typeof filters;

interface LineListProps {
  lines: readonly PreviewLine[];
  isTicked: (line: PreviewLine) => boolean;
  onTick: (linhas: number[], ticked: boolean) => void;
  /** Puts a text in the place of a cell of the file. */
  onMend: (linha: number, field: ImportField, cell: string) => void;
}

/** The students of a file, with checkboxes to choose which to import. */
export function LineList({ lines, isTicked, onTick, onMend }: LineListProps) {
  const [filter, setFilter] = useState<Filter>('todas');
  const [q, setQ] = useState('');
  const [shown, setShown] = useState(AT_ONCE);
  const found = lines.filter(
    (line) => filters[filter].takes(line) && searchable(line.nome).includes(searchable(q)),
  );
  const possible = found.filter(({ body }) => body !== null);
  const count = (name: Filter) => lines.filter((line) => filters[name].takes(line)).length;
  const areAllTicked = possible.length > 0 && possible.every(isTicked);

  return (
    <Section title="Alunos do arquivo">
      <div className={classes.filters}>
        <SegmentedControl
          fullWidth
          aria-label="Linhas mostradas"
          value={filter}
          onChange={(value) => setFilter(value)}
          data={(Object.keys(filters) as Filter[]).map((value) => ({
            value,
            label: `${filters[value].label} (${count(value)})`,
          }))}
        />
        <TextInput
          aria-label="Buscar no arquivo"
          placeholder="Buscar por nome"
          leftSection={<Icon name="search" size={18} />}
          value={q}
          onChange={(event) => setQ(event.currentTarget.value)}
        />
      </div>
      <Card flush>
        {possible.length > 1 && (
          <div className={classes.line}>
            <Checkbox
              label={`Todos os ${counted(possible.length)} que podem ser importados`}
              checked={areAllTicked}
              indeterminate={!areAllTicked && possible.some(isTicked)}
              onChange={() =>
                onTick(
                  possible.map(({ linha }) => linha),
                  !areAllTicked,
                )
              }
            />
          </div>
        )}
        {found.slice(0, shown).map((line) => (
          <div key={line.linha} className={classes.line}>
            <Checkbox
              label={line.nome}
              description={<Facts line={line} />}
              disabled={line.body === null}
              checked={line.body !== null && isTicked(line)}
              onChange={(event) => onTick([line.linha], event.currentTarget.checked)}
            />
            {line.wrong.map(({ field, cell }) => (
              <TextInput
                key={field}
                className={classes.mending}
                label={field === 'nome' ? fieldNames.nome : `${fieldNames[field]} de ${line.nome}`}
                defaultValue={cell}
                autoComplete="off"
                onBlur={({ currentTarget: { value } }) => onMend(line.linha, field, value)}
                onKeyDown={({ key, currentTarget: { value } }) =>
                  key === 'Enter' && onMend(line.linha, field, value)
                }
              />
            ))}
          </div>
        ))}
        {found.length === 0 && <Notice icon="search" title="Nenhuma linha encontrada" />}
        {found.length > shown && (
          <Button variant="subtle" fullWidth onClick={() => setShown(shown + AT_ONCE)}>
            Mostrar mais {plural(Math.min(AT_ONCE, found.length - shown), 'linha', 'linhas')}
          </Button>
        )}
      </Card>
    </Section>
  );
}

export function Facts({ line: { facts, errors, noted, double } }: { line: PreviewLine }) {
  return (
    <>
      {facts.length > 0 && <span className={classes.fact}>{facts.join(' · ')}</span>}
      {errors.map((error) => (
        <span key={error} className={classes.error}>
          {error}
        </span>
      ))}
      {noted.map((note) => (
        <span key={note} className={classes.double}>
          {note}
        </span>
      ))}
      {double !== null && <span className={classes.double}>{`Mesmo ${double.same} de ${double.as}`}</span>}
    </>
  );
}
