import { Button, FileButton, SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { useMemo, useState } from 'react';
import { plural } from '../../../../backend/platform/plural.api.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Page, Section } from '../../ui/page.js';
import { toast } from '../../ui/toast.js';
import classes from './bank-lines.module.css';
import { useComparedLines } from './bank-lines.queries.js';
import { ColumnsForm } from './columns-form.js';
import { type Columns, guessColumns, linesOf, readRows } from './csv-file.js';
import { LineCard } from './line-card.js';
import { isOfx, readOfx } from './ofx.js';
import { decode, type StatementLine, UnreadableStatement } from './statement.js';

interface Statement {
  name: string;
  /** Rows of a CSV file, from which lines are read by columns; null for OFX. */
  rows: string[][] | null;
  lines: StatementLine[];
  unread: number;
}

async function read(file: File): Promise<Statement> {
  const text = decode(new Uint8Array(await file.arrayBuffer()));
  // Unique for each reading of a file.
  const name = `${file.name} ${Date.now()}`;
  if (isOfx(text)) return { name, rows: null, ...readOfx(text) };
  const rows = readRows(text);
  const statement = { name, rows, ...linesOf(rows, guessColumns(rows)) };
  const isSheet = rows.length > 0 && rows.some((row) => row.length > 1);
  if (!isSheet) throw new UnreadableStatement('O arquivo não é um extrato OFX nem CSV.');
  return statement;
}

/** Compares a bank statement with charges and transactions. The file is read on the device; nothing is recorded without a tap. */
export default function StatementPage() {
  const [statement, setStatement] = useState<Statement | null>(null);
  const choose = async (file: File | null) => {
    if (!file) return;
    try {
      setStatement(await read(file));
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
        <p className={classes.quiet}>
          Exporte o extrato no aplicativo do banco em OFX ou CSV. O arquivo é lido neste aparelho e nada é
          registrado sem o seu toque. Escolher o mesmo arquivo de novo não repete nada.
        </p>
        <FileButton onChange={(file) => void choose(file)} accept=".ofx,.csv,.txt,text/csv,application/x-ofx">
          {(props) => (
            <Button {...props} leftSection={<Icon name="up" size={18} />}>
              {statement ? 'Escolher outro arquivo' : 'Escolher arquivo OFX ou CSV'}
            </Button>
          )}
        </FileButton>
      </Card>
      {statement && <Lines key={statement.name} statement={statement} />}
    </Page>
  );
}

function Lines({ statement: { name, rows, ...first } }: { statement: Statement }) {
  const [columns, setColumns] = useState<Columns | null>(() => rows && guessColumns(rows));
  const { lines, unread } = useMemo(
    () => (rows && columns ? linesOf(rows, columns) : first),
    [rows, columns, first],
  );
  const [kind, setKind] = useState('entradas');
  const shown = useMemo(
    () =>
      lines
        .filter(({ valor }) => (kind === 'entradas' ? valor > 0 : valor < 0))
        .sort((a, b) => b.data.localeCompare(a.data)),
    [lines, kind],
  );
  return (
    <>
      {rows && columns && (
        <Section title="Colunas do arquivo">
          <Card className={classes.line}>
            <ColumnsForm rows={rows} columns={columns} onChange={setColumns} />
          </Card>
        </Section>
      )}
      <Section title="Linhas do extrato">
        <p className={classes.quiet} role="status">
          {plural(lines.length, 'linha lida', 'linhas lidas')}
          {unread > 0 && rows === null && `, ${plural(unread, 'sem data ou valor', 'sem data ou valor')}`}
        </p>
        <SegmentedControl
          fullWidth
          aria-label="Linhas"
          value={kind}
          onChange={setKind}
          data={[
            { value: 'entradas', label: 'Entradas' },
            { value: 'saidas', label: 'Saídas' },
          ]}
        />
        <ComparedList
          key={`${kind} ${JSON.stringify(columns)}`}
          name={`${name} ${kind} ${JSON.stringify(columns)}`}
          lines={shown}
        />
      </Section>
    </>
  );
}

function ComparedList({ name, lines }: { name: string; lines: readonly StatementLine[] }) {
  const compared = useComparedLines(name, lines);
  return (
    <InfiniteList
      of={compared}
      failure="Erro ao comparar o extrato"
      manual
      empty={
        <Notice icon="wallet" title="Nenhuma linha aqui">
          Se o arquivo tem lançamentos, confira as colunas escolhidas.
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
