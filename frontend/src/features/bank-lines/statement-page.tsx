import { Button, FileButton, SegmentedControl, NativeSelect } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { useMemo, useState } from 'react';
import { plural } from '../../../../backend/platform/plural.api.js';
import { readDraft, writeDraft } from '../../lib/browser-drafts.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Page, Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { toast } from '../../ui/toast.js';
import classes from './bank-lines.module.css';
import { useComparedLines } from './bank-lines.queries.js';
import { type Columns, guessColumns, linesOf, readRows } from './csv-file.js';
import { LineCard } from './line-card.js';
import { isOfx, readOfx } from './ofx.js';
import {
  decode,
  isOwnTransfer,
  type ReadLines,
  type StatementLine,
  UnreadableStatement,
} from './statement.js';

interface Statement extends ReadLines {
  chosen: Chosen;
  /** Rows of a CSV file, from which lines are read by columns; null for OFX. */
  rows: string[][] | null;
}

/** The chosen file, which is kept while the window is open, so that leaving the page loses nothing. */
interface Chosen {
  name: string;
  text: string;
  /** Columns of a CSV file, if they were not guessed. */
  columns?: Columns;
}
const DRAFT = 'statement';
const keep = (conteudo: Chosen) => writeDraft(DRAFT, { conteudo });
function kept(): Statement | null {
  const { conteudo } = readDraft<{ conteudo: Chosen }>(DRAFT);
  return conteudo ? read(conteudo) : null;
}

function read(chosen: Chosen): Statement {
  const { text, columns } = chosen;
  if (isOfx(text)) return { chosen, rows: null, ...readOfx(text) };
  const rows = readRows(text);
  const statement = { chosen, rows, ...linesOf(rows, columns ?? guessColumns(rows)) };
  const isSheet = rows.some((row) => row.length > 1);
  if (!isSheet) throw new UnreadableStatement('O arquivo não é um extrato OFX nem CSV.');
  return statement;
}

/** Compares a bank statement with charges and transactions. The file is read on the device; nothing is recorded without a tap. */
export default function StatementPage() {
  const [statement, setStatement] = useState(kept);
  const choose = async (file: File | null) => {
    if (!file) return;
    try {
      const text = decode(new Uint8Array(await file.arrayBuffer()));
      // Unique for each reading of a file.
      const chosen = { name: `${file.name} ${Date.now()}`, text };
      setStatement(read(chosen));
      keep(chosen);
    } catch (error) {
      toast.error('Não deu para ler o extrato', {
        description:
          error instanceof UnreadableStatement
            ? error.message
            : 'Exporte o arquivo do banco de novo e tente outra vez.',
      });
    }
  };
  return (
    <Page
      title="Extrato bancário"
      back="/financeiro"
      subtitle="Compare o extrato do banco com as cobranças em aberto e dê baixa com um toque."
    >
      <Card className={classes.line}>
        <Quiet size="xs">
          Exporte o extrato no aplicativo do banco em OFX ou CSV. As linhas são comparadas com as suas
          cobranças, e nada é registrado sem o seu toque. Escolher o mesmo arquivo de novo não repete nada.
        </Quiet>
        <FileButton onChange={(file) => void choose(file)} accept=".ofx,.csv,.txt,text/csv,application/x-ofx">
          {(props) => (
            <Button {...props} leftSection={<Icon name="up" size={18} />}>
              {statement ? 'Escolher outro arquivo' : 'Escolher arquivo OFX ou CSV'}
            </Button>
          )}
        </FileButton>
      </Card>
      {statement && <Lines key={statement.chosen.name} statement={statement} />}
    </Page>
  );
}

type Kind = 'entradas' | 'saidas' | 'proprias';
function kindOf(line: StatementLine): Kind {
  if (isOwnTransfer(line)) return 'proprias';
  return line.valor > 0 ? 'entradas' : 'saidas';
}

interface LinesProps {
  statement: Statement;
}

function Lines({ statement: { chosen, rows, ...first } }: LinesProps) {
  const today = useToday();
  const [columns, setColumns] = useState<Columns | null>(
    () => rows && (chosen.columns ?? guessColumns(rows)),
  );
  const changeColumns = (changed: Columns) => {
    setColumns(changed);
    keep({ ...chosen, columns: changed });
  };
  const read = useMemo(() => (rows && columns ? linesOf(rows, columns) : first), [rows, columns, first]);
  const { unread, balances } = read;
  // What the bank will do later is no entry yet, and would be refused.
  const lines = useMemo(() => read.lines.filter(({ data }) => data <= today), [read, today]);
  const later = read.lines.length - lines.length;
  const [kind, setKind] = useState<Kind>('entradas');
  const shown = useMemo(
    () => lines.filter((line) => kindOf(line) === kind).sort((a, b) => b.data.localeCompare(a.data)),
    [lines, kind],
  );
  return (
    <>
      {rows && columns && (
        <Section title="Colunas do arquivo">
          <Card className={classes.line}>
            <ColumnsForm rows={rows} columns={columns} onChange={changeColumns} />
          </Card>
        </Section>
      )}
      <Section title="Linhas do extrato">
        <Quiet size="xs" role="status">
          {plural(lines.length, 'linha lida', 'linhas lidas')}
          {unread > 0 && rows === null && `, ${plural(unread, 'sem data ou valor', 'sem data ou valor')}`}
          {balances > 0 &&
            `, ${plural(balances, 'linha de saldo deixada', 'linhas de saldo deixadas')} de fora`}
          {later > 0 &&
            `, ${plural(
              later,
              'linha deixada de fora: o dia ainda não chegou',
              'linhas deixadas de fora: os dias ainda não chegaram',
            )}`}
        </Quiet>
        <SegmentedControl
          fullWidth
          aria-label="Linhas"
          value={kind}
          onChange={setKind}
          data={[
            { value: 'entradas', label: 'Entradas' },
            { value: 'saidas', label: 'Saídas' },
            { value: 'proprias', label: 'Entre contas' },
          ]}
        />
        {kind === 'proprias' && (
          <Quiet size="xs">
            Aplicações, resgates e transferências entre suas contas: não são receita nem despesa.
          </Quiet>
        )}
        <ComparedList
          key={`${kind} ${JSON.stringify(columns)}`}
          name={`${chosen.name} ${kind} ${JSON.stringify(columns)}`}
          lines={shown}
          isAllLater={later > 0 && lines.length === 0}
        />
      </Section>
    </>
  );
}

interface ComparedListProps {
  name: string;
  lines: readonly StatementLine[];
  /** The file was read, but has only days to come. */
  isAllLater: boolean;
}

function ComparedList({ name, lines, isAllLater }: ComparedListProps) {
  const compared = useComparedLines(name, lines);
  return (
    <InfiniteList
      of={compared}
      failure="Erro ao comparar o extrato"
      manual
      empty={
        <Notice icon="wallet" title="Nenhuma linha aqui">
          {!isAllLater && 'Se o arquivo tem lançamentos, confira as colunas escolhidas.'}
        </Notice>
      }
    >
      {(items) => (
        <div className={classes.lines}>
          {items.map((item) => (
            <LineCard key={item.chave} item={item} />
          ))}
        </div>
      )}
    </InfiniteList>
  );
}

interface ColumnsFormProps {
  rows: readonly string[][];
  columns: Columns;
  onChange: (columns: Columns) => void;
}

/** Chooses the columns of the file; each is shown by its title and a sample. */
function ColumnsForm({ rows, columns, onChange }: ColumnsFormProps) {
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
