import { Table } from '@mantine/core';
import '@mantine/core/styles/Table.layer.css';
import { useMediaQuery } from '@mantine/hooks';
import type { ComponentProps, ReactNode } from 'react';
import type { Transaction } from '../../../../backend/modules/finance/finance.api.js';
import { formatDay, formatLongDay } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { categoryNames } from '../../../../backend/modules/finance/money-words.api.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Row } from '../../ui/row.js';
import { Notice } from '../../ui/notice.js';
import { Tag } from '../../ui/tag.js';
import classes from './finance.module.css';
import { PendingReversal } from './pending-list.js';
import { kindNames, methods, signedAmount, titleOf } from './words.js';

interface TransactionsProps {
  of: ComponentProps<typeof InfiniteList<Transaction>>['of'];
  onOpen: (id: string) => void;
  /** They are shown as they were. */
  isPast: boolean;
}

/** The month's entries: a table on wide screens, a list on the phone. */
export function Transactions({ of, onOpen, isPast }: TransactionsProps) {
  const wide = useMediaQuery('(min-width: 48em)', false, { getInitialValueInEffect: false });
  return (
    <InfiniteList
      of={of}
      failure="Erro ao buscar dados financeiros"
      empty={
        <Card>
          <Notice icon="wallet" title="Nenhuma transação encontrada">
            {!isPast && 'Registre o que entrou e o que saiu e acompanhe o seu lucro e a sua meta.'}
          </Notice>
        </Card>
      }
    >
      {(items) =>
        wide ? (
          <TransactionTable items={items} onOpen={onOpen} />
        ) : (
          <TransactionRows items={items} onOpen={onOpen} />
        )
      }
    </InfiniteList>
  );
}

interface ItemsProps {
  items: Transaction[];
  onOpen: (id: string) => void;
}

export function KindTag({ tipo, estorno_de }: Transaction) {
  if (estorno_de) return <Tag icon="undo">Estorno</Tag>;
  return tipo === 'receita' ? (
    <Tag tone="good" icon="up">
      {kindNames.receita}
    </Tag>
  ) : (
    <Tag tone="bad" icon="drop">
      {kindNames.despesa}
    </Tag>
  );
}

/** Entries grouped by day, newest first. */
function byDay(items: readonly Transaction[]): [day: string, entries: Transaction[]][] {
  const days = [...new Set(items.map(({ data }) => data))];
  return days.map((day) => [day, items.filter(({ data }) => data === day)]);
}

function TransactionRows({ items, onOpen }: ItemsProps) {
  const today = useToday();
  return byDay(items).map(([day, entries]) => (
    <section key={day} aria-label={formatDay(day, today)}>
      <h3 className={classes.day} title={formatLongDay(day)}>
        {formatDay(day, today)}
      </h3>
      <Card flush>
        {entries.map((transaction) => (
          <TransactionRow key={transaction.id} transaction={transaction} onOpen={onOpen} />
        ))}
      </Card>
    </section>
  ));
}

function TransactionRow({ transaction, onOpen }: { transaction: Transaction; onOpen: (id: string) => void }) {
  const { id, tipo, estorno_de, estornada_por, corrigida_por, categoria, metodo_pagamento } = transaction;
  return (
    <Row
      onClick={() => onOpen(id)}
      muted={estornada_por !== null}
      lead={
        <span className={classes.kind} data-kind={estorno_de ? 'reversal' : tipo}>
          <Icon name={estorno_de ? 'undo' : tipo === 'receita' ? 'up' : 'drop'} size={18} />
        </span>
      }
      title={titleOf(transaction)}
      facts={
        <>
          {methods[metodo_pagamento].label}
          {categoria && ` · ${categoryNames[categoria]}`}
          {estornada_por && (corrigida_por ? ' · corrigida' : ' · estornada')}
          <PendingReversal id={id} />
        </>
      }
      trail={<Money cents={signedAmount(transaction)} signed strong />}
    />
  );
}

function TransactionTable({ items, onOpen }: ItemsProps) {
  const today = useToday();
  return (
    <Card flush>
      <Table highlightOnHover verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Data</Table.Th>
            <Table.Th>Tipo</Table.Th>
            <Table.Th>Descrição</Table.Th>
            <Table.Th>Meio</Table.Th>
            <Table.Th className={classes.right}>Valor</Table.Th>
          </Table.Tr>
        </Table.Thead>
        {byDay(items).map(([day, entries]) => (
          <Table.Tbody key={day}>
            {entries.map((transaction, at) => (
              <TransactionLine key={transaction.id} transaction={transaction} onOpen={onOpen}>
                {at === 0 && (
                  <Table.Th
                    rowSpan={entries.length}
                    scope="rowgroup"
                    className={classes.dayCell}
                    title={formatLongDay(day)}
                  >
                    {formatDay(day, today)}
                  </Table.Th>
                )}
              </TransactionLine>
            ))}
          </Table.Tbody>
        ))}
      </Table>
    </Card>
  );
}

interface TransactionLineProps {
  transaction: Transaction;
  onOpen: (id: string) => void;
  /** The day, only in its first row. */
  children: ReactNode;
}

function TransactionLine({ transaction, onOpen, children }: TransactionLineProps) {
  const { label, icon } = methods[transaction.metodo_pagamento];
  return (
    <Table.Tr className={classes.line} onClick={() => onOpen(transaction.id)}>
      {children}
      <Table.Td>
        <KindTag {...transaction} />
      </Table.Td>
      <Table.Td>
        <button
          type="button"
          className={classes.describe}
          data-reversed={transaction.estornada_por !== null || undefined}
          onClick={(event) => {
            event.stopPropagation();
            onOpen(transaction.id);
          }}
        >
          {titleOf(transaction)}
        </button>
        <PendingReversal id={transaction.id} />
      </Table.Td>
      <Table.Td>
        <span className={classes.method}>
          <Icon name={icon} size={18} />
          {label}
        </span>
      </Table.Td>
      <Table.Td className={classes.right}>
        <Money cents={signedAmount(transaction)} signed strong />
      </Table.Td>
    </Table.Tr>
  );
}
