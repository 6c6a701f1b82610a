import { Button, NativeSelect, Progress, TextInput } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import { useDeferredValue, useMemo, useState } from 'react';
import { DUE_DAY_HINT } from '../../../../backend/modules/plans/monthly-terms.api.js';
import type { ImportLine } from '../../../../backend/modules/student-imports/student-imports.api.js';
import { counted, plural } from '../../../../backend/platform/plural.api.js';
import { numberOf } from '../../lib/number.js';
import type { PlanKind } from '../../../../backend/modules/plans/plans.api.js';
import { searchable } from '../../../../backend/platform/searchable.api.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { DateField } from '../../ui/date-field.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import { type Column, fieldNames, type ImportField, type Table, tableOf } from './columns.js';
import type { FileRows } from './file-rows.js';
import classes from './import-students.module.css';
import { LineList } from './line-list.js';
import { type PreviewLine, previewOf, unknownPlans } from './lines.js';
import { useImport, useKnownPhones } from './student-imports.queries.js';

export interface PlanChoice {
  id: string;
  nome: string;
  tipo: PlanKind;
  valor: number;
}

export interface ImportResult {
  id: string;
  count: number;
  leftOut: readonly PreviewLine[];
  /** Lines that were imported although a student has their phone, with the ids of the new students. */
  doubles: readonly { line: PreviewLine; student_id: string }[];
  table: Table;
}

interface ReviewFileProps {
  file: FileRows;
  plans: readonly PlanChoice[];
  onBack: () => void;
  onDone: (result: ImportResult) => void;
}

/** Shows the fields of the columns, and a preview of the students. */
export function ReviewFile({ file, plans, onBack, onDone }: ReviewFileProps) {
  const known = useKnownPhones();
  const today = useToday();
  const [{ columns, rows }, setTable] = useState(() =>
    tableOf(
      file.rows,
      plans.map(({ nome }) => nome),
    ),
  );
  const [ddd, setDdd] = useState('');
  const [agreed, setAgreed] = useState({ desde: today, vence_dia: '5' });
  const [chosen, setChosen] = useState<Record<string, string | null>>({});
  /** Lines that were ticked or unticked by hand. */
  const [ticks, setTicks] = useState<ReadonlyMap<number, boolean>>(new Map());
  const { run, sent } = useImport();

  const byName = useMemo(() => new Map(plans.map(({ id, nome }) => [searchable(nome), id])), [plans]);
  const table = useDeferredValue(useMemo(() => ({ columns, rows }), [columns, rows]));
  const { desde, vence_dia } = useDeferredValue(agreed);
  const area = useDeferredValue(ddd.length === 2 ? ddd : '');
  const unknown = useMemo(() => unknownPlans(table, byName), [table, byName]);
  const lines = useMemo(
    () =>
      known.data &&
      previewOf(table, {
        ddd: area,
        plans: byName,
        chosen,
        known: known.data,
        today,
        agreed: { desde, vence_dia: numberOf(vence_dia) ?? 0 },
        monthly: new Map(plans.flatMap(({ id, tipo, valor }) => (tipo !== 'pacote' ? [[id, valor]] : []))),
      }),
    [table, area, plans, byName, chosen, known.data, today, desde, vence_dia],
  );
  const bodies = (lines ?? []).flatMap(({ linha, body, double }) =>
    body && (ticks.get(linha) ?? (double === null && !file.areContacts)) ? [body] : [],
  );

  const ticked = new Set(bodies.map(({ linha }) => linha));

  const choose = (at: number, field: ImportField | null) =>
    setTable({
      rows,
      columns: columns.map((column, n) =>
        n === at ? { ...column, field } : column.field === field ? { ...column, field: null } : column,
      ),
    });
  const mend = (linha: number, field: ImportField, cell: string) => {
    const at = columns.findIndex((column) => column.field === field);
    const row = rows[linha - 1];
    if (row && at >= 0 && row[at] !== cell)
      setTable({ columns, rows: replaced(rows, linha - 1, replaced(row, at, cell)) });
  };
  const send = async (wanted: ImportLine[]) => {
    await attempt(async () => {
      const { id, students } = await run(wanted);
      const leftOut = (lines ?? []).filter(({ linha }) => !ticked.has(linha));
      const doubles = (lines ?? []).flatMap((line) => {
        const student_id = students.get(line.linha);
        return student_id && line.double?.known ? [{ line, student_id }] : [];
      });
      onDone({ id, count: wanted.length, leftOut, doubles, table });
    }, 'Erro ao importar alunos');
  };

  return (
    <>
      <Section title="O que há em cada coluna">
        <Card className={classes.columns}>
          {columns.map((column, at) => (
            <ColumnChoice
              key={at}
              column={column}
              example={rows.find((row) => row[at]!.trim() !== '')?.[at]?.trim()}
              onChoose={(field) => choose(at, field)}
            />
          ))}
          <TextInput
            label="DDD dos números sem DDD"
            placeholder="11"
            inputMode="numeric"
            maxLength={2}
            value={ddd}
            onChange={(event) => setDdd(event.currentTarget.value.replace(/\D/g, ''))}
          />
        </Card>
      </Section>
      {unknown.length > 0 && (
        <Section title="Planos que ainda não existem aqui">
          <Card className={classes.columns}>
            {unknown.slice(0, MOST_PLANS).map((name) => (
              <NativeSelect
                key={name}
                label={`Plano de quem tem “${name}”`}
                value={chosen[searchable(name)] ?? ''}
                onChange={({ currentTarget: { value } }) =>
                  setChosen({ ...chosen, [searchable(name)]: value || null })
                }
                data={[
                  { value: '', label: 'Sem plano' },
                  ...plans.map(({ id, nome }) => ({ value: id, label: nome })),
                ]}
              />
            ))}
            {unknown.length > MOST_PLANS && (
              <Quiet>
                E mais {plural(unknown.length - MOST_PLANS, 'nome', 'nomes')}, que ficam sem plano.
              </Quiet>
            )}
          </Card>
        </Section>
      )}
      {lines?.some(({ isAsked }) => isAsked) && (
        <Section title="Mensalidades que começam com a importação">
          <Card className={classes.columns}>
            <DateField
              label="Desde"
              value={agreed.desde}
              onChange={(day: string) => setAgreed({ ...agreed, desde: day })}
            />
            <TextInput
              label="Dia do vencimento"
              description={DUE_DAY_HINT}
              inputMode="numeric"
              value={agreed.vence_dia}
              onChange={({ currentTarget: { value } }) => setAgreed({ ...agreed, vence_dia: value })}
            />
          </Card>
        </Section>
      )}
      <Async
        of={{ ...known, data: lines }}
        failure="Erro ao conferir com os alunos cadastrados"
        skeleton={<Skeletons count={6} />}
      >
        {(items) => (
          <LineList
            lines={items}
            isTicked={({ linha }) => ticked.has(linha)}
            onMend={mend}
            onTick={(numbers, isWanted) =>
              setTicks(new Map([...ticks, ...numbers.map((linha) => [linha, isWanted] as const)]))
            }
          />
        )}
      </Async>
      <div className={classes.footer} data-bottom-actions>
        {sent === null ? (
          <>
            <Button variant="default" onClick={onBack}>
              Outro arquivo
            </Button>
            <Button disabled={bodies.length === 0} onClick={() => void send(bodies)}>
              Importar {plural(bodies.length, 'aluno', 'alunos')}
            </Button>
          </>
        ) : (
          <div className={classes.progress} role="status">
            Importando {counted(sent)} de {counted(bodies.length)}
            <Progress
              value={(sent / bodies.length) * 100}
              size={8}
              radius="xl"
              aria-label="Progresso da importação"
            />
          </div>
        )}
      </div>
    </>
  );
}

const replaced = <Item,>(items: readonly Item[], at: number, by: Item): Item[] =>
  items.map((item, n) => (n === at ? by : item));

const MOST_PLANS = 30;

interface ColumnChoiceProps {
  column: Column;
  example: string | undefined;
  onChoose: (field: ImportField | null) => void;
}

function ColumnChoice({ column: { title, field }, example, onChoose }: ColumnChoiceProps) {
  return (
    <NativeSelect
      label={title}
      description={example === undefined ? 'Coluna vazia' : `Ex.: ${example.slice(0, 60)}`}
      value={field ?? ''}
      onChange={({ currentTarget: { value } }) => onChoose((value || null) as ImportField | null)}
      data={[
        { value: '', label: 'Não importar' },
        ...Object.entries(fieldNames).map(([name, label]) => ({ value: name, label })),
      ]}
    />
  );
}
