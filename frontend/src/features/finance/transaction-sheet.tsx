import { Button, Table, TextInput } from '@mantine/core';
import '@mantine/core/styles/Table.layer.css';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  type Transaction,
  transactionReversal,
  type TransactionReversal,
} from '../../../../backend/modules/finance/finance.api.js';
import { categoryNames } from '../../../../backend/modules/finance/money-words.api.js';
import { type Day, formatDay, formatLongDay, type Moment, monthOf, writtenMoment } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { History } from '../../parts/history.js';
import { Why } from '../../parts/why.js';
import { ReceiptSection } from '../../parts/receipt-section.js';
import { Facts } from '../../ui/facts.js';
import { Icon } from '../../ui/icon.js';
import { Money } from '../../ui/money.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Async } from '../../ui/states.js';
import { useBodyForm } from '../../lib/form.js';
import { read } from '../../lib/calls.js';
import { withdraw } from '../../lib/pending.js';
import { UndoPrice } from '../../parts/undo-sheet.js';
import { FormStack, submitting } from '../../ui/form.js';
import { attempt, toast } from '../../ui/toast.js';
import { CorrectForm } from './correct-form.js';
import classes from './finance.module.css';
import { useAllocations, useRecordTransaction, useReverseTransaction } from './finance.queries.js';
import { PendingReversal } from './pending-list.js';
import { DeliveredNote } from './delivery.js';
import { KindTag } from './transactions.js';
import { allocationNames, methods, signedAmount, titleOf } from './words.js';

interface TransactionSheetProps {
  /** The sheet is open while this is set. */
  transaction: Transaction | null;
  /** The past moment as which it is shown: then nothing can be done to it. */
  moment: Moment | null;
  onClose: () => void;
  /** Called with the date of the corrected entry. */
  onCorrected: (day: Day) => void;
}

export function TransactionSheet({ transaction, moment, onClose, onCorrected }: TransactionSheetProps) {
  return (
    <Sheet opened={transaction !== null} onClose={onClose} title="Detalhes da Transação">
      {transaction && (
        <Detail
          key={transaction.id}
          transaction={transaction}
          moment={moment}
          onClose={onClose}
          onCorrected={onCorrected}
        />
      )}
    </Sheet>
  );
}

function Detail({
  transaction,
  moment,
  onClose,
  onCorrected,
}: Pick<TransactionSheetProps, 'moment' | 'onClose' | 'onCorrected'> & {
  transaction: Transaction;
}) {
  const [step, setStep] = useState<'correct' | 'reverse' | null>(null);
  const [isFilling, setFilling] = useState(false);
  const { label, icon } = methods[transaction.metodo_pagamento];
  const today = useToday();
  const back = () => setStep(null);
  if (step === 'correct') {
    return <CorrectForm transaction={transaction} onDone={onCorrected} onBack={back} />;
  }
  if (step === 'reverse') return <ReverseForm transaction={transaction} onDone={onClose} onBack={back} />;
  const final = transaction.estorno_de !== null || transaction.estornada_por !== null;
  return (
    <div className={classes.detail}>
      <div>
        <KindTag {...transaction} />
        <div className={classes.detailAmount}>
          <Money cents={signedAmount(transaction)} signed />
        </div>
        <div>{titleOf(transaction)}</div>
      </div>
      <Facts
        of={[
          [
            'Data',
            <span key="data" title={formatLongDay(transaction.data)}>
              {formatDay(transaction.data, today)}
            </span>,
          ],
          [
            'Meio de pagamento',
            <span key="meio" className={classes.method}>
              <Icon name={icon} size={18} />
              {label}
            </span>,
          ],
          [
            'Aluno',
            transaction.student_id && transaction.aluno && (
              <Link key="aluno" to={`/alunos/${transaction.student_id}`} className={classes.student}>
                {transaction.aluno}
              </Link>
            ),
          ],
          ['Categoria', transaction.categoria && categoryNames[transaction.categoria]],
          ['Situação', transaction.estornada_por && (transaction.corrigida_por ? 'Corrigida' : 'Estornada')],
          ['Motivo', transaction.motivo],
        ]}
      />
      <AllocationTable transactionId={transaction.id} />
      {moment ? (
        <AsItIs {...transaction} moment={moment} />
      ) : (
        <>
          {transaction.tipo === 'receita' && transaction.estorno_de === null && (
            <ReceiptSection
              transactionId={transaction.id}
              reversed={transaction.estornada_por !== null}
              onFilling={setFilling}
            />
          )}
          <Why of={`transaction:${transaction.id}`} />
          <Section title="Histórico">
            <History kind="transaction" id={transaction.id} />
          </Section>
          <PendingReversal id={transaction.id} />
          {transaction.cobranca && !isFilling && (
            <SheetActions>
              <Button
                component={Link}
                to={`/cobrancas?cobranca=${transaction.cobranca.id}`}
                variant="default"
              >
                Abrir a cobrança
              </Button>
            </SheetActions>
          )}
          {!final && !transaction.cobranca && !isFilling && (
            <SheetActions>
              <Button
                variant="default"
                onClick={() => setStep('correct')}
                leftSection={<Icon name="edit" size={18} />}
              >
                Corrigir
              </Button>
              <Button
                variant="light"
                color="red"
                onClick={() => setStep('reverse')}
                leftSection={<Icon name="undo" size={18} />}
              >
                Estornar
              </Button>
            </SheetActions>
          )}
        </>
      )}
    </div>
  );
}

/** Leads from an entry as it was to the entry as it is. */
function AsItIs({ id, data, moment }: Transaction & { moment: Moment }) {
  return (
    <>
      <Quiet>Este lançamento como estava em {writtenMoment(moment)}.</Quiet>
      <SheetActions>
        <Button component={Link} to={`/financeiro?mes=${monthOf(data)}&transacao=${id}`} variant="default">
          Ver como está hoje
        </Button>
      </SheetActions>
    </>
  );
}

function AllocationTable({ transactionId }: { transactionId: string }) {
  return (
    <Section title="Alocações">
      <Async of={useAllocations(transactionId)} skeleton={<Quiet>Carregando alocações...</Quiet>}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Quiet>Nenhuma alocação encontrada para esta transação</Quiet>
          ) : (
            <Table horizontalSpacing={0}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Tipo</Table.Th>
                  <Table.Th className={classes.right}>Valor</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map(({ tipo, valor }) => (
                  <Table.Tr key={tipo}>
                    <Table.Td>{allocationNames[tipo]}</Table.Td>
                    <Table.Td className={classes.right}>
                      <Money cents={valor} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
              <Table.Tfoot>
                <Table.Tr className={classes.total}>
                  <Table.Th>Total alocado</Table.Th>
                  <Table.Th className={classes.right}>
                    <Money cents={total} />
                  </Table.Th>
                </Table.Tr>
              </Table.Tfoot>
            </Table>
          )
        }
      </Async>
    </Section>
  );
}

interface ReverseFormProps {
  transaction: Transaction;
  onDone: () => void;
  onBack: () => void;
}

/** A transaction is never edited: reversing lowers its month, and both entries stay visible. */
function ReverseForm({ transaction, onDone, onBack }: ReverseFormProps) {
  const reverse = useReverseTransaction();
  const record = useRecordTransaction();
  const form = useBodyForm({
    initialValues: { motivo: '' },
    schema: transactionReversal,
    toBody: (values) => values,
  });
  const { tipo, descricao, valor, metodo_pagamento, data, student_id, categoria } = transaction;

  const again = () =>
    attempt(async () => {
      // If the entry is still in the outbox, remove it from there.
      if (await withdraw(transaction.id)) return;
      const body = { tipo, descricao: descricao ?? 'Sem descrição', valor, metodo_pagamento, data };
      await record.mutateAsync({ ...body, student_id, categoria });
    }, 'Erro ao desfazer');

  const save = async ({ motivo }: TransactionReversal) => {
    await reverse.mutateAsync({ ...transaction, motivo });
    onDone();
    toast.success('Lançamento estornado', {
      description: 'O lançamento e o estorno ficam no histórico.',
      undo: again,
      undone: 'Estorno desfeito',
    });
  };

  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao estornar o lançamento' })}>
      <Quiet>O lançamento e o motivo ficam no histórico. O estorno:</Quiet>
      <UndoPrice
        what="Estornar"
        of={transaction.id}
        price={(signal) => read('GET /transactions/:id/reverse/preview', { of: [transaction.id], signal })}
        isBusy={form.submitting}
      />
      <TextInput
        data-autofocus
        label="Motivo do estorno"
        placeholder="Ex.: lançado em dobro"
        autoComplete="off"
        {...form.getInputProps('motivo')}
      />
      <DeliveredNote days={[data]} />
      <SheetActions onBack={onBack}>
        <Button
          type="submit"
          color="red"
          loading={form.submitting}
          leftSection={<Icon name="undo" size={18} />}
        >
          Estornar
        </Button>
      </SheetActions>
    </FormStack>
  );
}
