import { Button, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { plural } from '../../../../backend/platform/plural.api.js';
import {
  creditUse,
  type CreditUse,
  newCreditTransfer,
  type NewCreditTransfer,
} from '../../../../backend/modules/credits/credits.api.js';
import { Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useSend } from '../../lib/command.js';
import { useBodyForm } from '../../lib/form.js';
import { Sheet, SheetForm } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { numberOf } from '../../lib/number.js';
import { StudentField } from '../../parts/student-field.js';
import { AdjustSheet } from './adjust-sheet.js';
import { Balance } from './balance.js';
import { useAdjustCredits, useUndoTransfer } from './credits.queries.js';
import classes from './credits.module.css';
import { ShareSheet } from './share-sheet.js';
import { useCreditStatement } from './statement.queries.js';
import { PendingCredits } from './pending-credits.js';
import { WaitingGrants } from './waiting-grants.js';

interface CreditAccountProps {
  studentId: string;
  /** The renew button, if the student's plan grants credits. */
  renew: ReactNode;
  /** Read-only, for a forgotten student. */
  closed: boolean;
}

/** A student's credits: balance, lots in their order of use, and actions. */
export function CreditAccount({ studentId, renew, closed }: CreditAccountProps) {
  const [sheet, setSheet] = useState<'adjust' | 'consume' | 'transfer' | 'share' | null>(null);
  const account = useCreditStatement(studentId);
  const divisao = account.data?.pages[0]?.divisao;
  return (
    <Section title="Créditos">
      <Async of={account} skeleton={<Skeletons count={1} height={150} />}>
        {({ pages }) => <Balance account={pages[0]} pending={<PendingCredits studentId={studentId} />} />}
      </Async>
      <WaitingGrants studentId={studentId} closed={closed} />
      {!closed && (
        <div className={classes.actions}>
          {renew}
          <Button size="sm" variant="default" onClick={() => setSheet('consume')}>
            Dar baixa em 1 crédito
          </Button>
          <Button size="sm" variant="default" onClick={() => setSheet('adjust')}>
            Ajustar
          </Button>
          <Button size="sm" variant="default" onClick={() => setSheet('transfer')}>
            Transferir
          </Button>
          {divisao && (
            <Button size="sm" variant="default" onClick={() => setSheet('share')}>
              Dividir
            </Button>
          )}
        </div>
      )}
      <AdjustSheet studentId={studentId} opened={sheet === 'adjust'} onClose={() => setSheet(null)} />
      <TransferSheet studentId={studentId} opened={sheet === 'transfer'} onClose={() => setSheet(null)} />
      <ConsumeSheet studentId={studentId} opened={sheet === 'consume'} onClose={() => setSheet(null)} />
      {divisao && (
        <ShareSheet
          studentId={studentId}
          divisao={divisao}
          opened={sheet === 'share'}
          onClose={() => setSheet(null)}
        />
      )}
    </Section>
  );
}

interface ConsumeSheetProps {
  studentId: string;
  opened: boolean;
  onClose: () => void;
}

function ConsumeSheet({ studentId, opened, onClose }: ConsumeSheetProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title="Dar baixa em 1 crédito" beginsAtField withoutAddress>
      <ConsumeForm studentId={studentId} onDone={onClose} />
    </Sheet>
  );
}

function ConsumeForm({ studentId, onDone }: { studentId: string; onDone: () => void }) {
  const consume = useSend('POST /students/:id/credits/consume', studentId);
  const adjust = useAdjustCredits(studentId);
  const form = useBodyForm({
    initialValues: { motivo: '' },
    schema: creditUse,
    toBody: (values) => values,
    draft: `uso.${studentId}`,
  });

  const undo = () =>
    attempt(() => adjust.mutateAsync({ quantidade: 1, motivo: 'Baixa desfeita' }), 'Erro ao desfazer');

  const save = async (body: CreditUse) => {
    const { saldo } = await consume.mutateAsync(body);
    onDone();
    toast.success('Baixa registrada', {
      description: `Saldo: ${plural(saldo, 'crédito', 'créditos')}.`,
      undo,
      undone: 'Baixa desfeita',
    });
  };

  return (
    <SheetForm form={form} save={save} submit="Dar baixa em 1 crédito">
      <TextInput
        data-autofocus
        label="Motivo"
        placeholder="Ex.: sessão fora da agenda"
        description="Para sessões da agenda, marque a sessão como feita: o crédito é descontado na hora."
        {...form.getInputProps('motivo')}
      />
    </SheetForm>
  );
}

interface TransferSheetProps {
  studentId: string;
  opened: boolean;
  onClose: () => void;
}

/** Transfers some of a student's credits to another student. */
export function TransferSheet({ studentId, opened, onClose }: TransferSheetProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title="Transferir créditos" beginsAtField="typed" withoutAddress>
      <TransferForm studentId={studentId} onDone={onClose} />
    </Sheet>
  );
}

interface TransferFormProps {
  studentId: string;
  onDone: () => void;
}

function TransferForm({ studentId, onDone }: TransferFormProps) {
  const { mutateAsync } = useSend('POST /students/:id/credits/transfer', studentId);
  const undo = useUndoTransfer();
  const form = useBodyForm({
    initialValues: { para: null as string | null, quantidade: '1', motivo: '' },
    schema: newCreditTransfer,
    toBody: ({ para, quantidade, motivo }) => ({
      para: para ?? undefined,
      quantidade: numberOf(quantidade),
      motivo,
    }),
    check: ({ para }) => (para === null ? { para: 'Escolha o aluno' } : {}),
  });
  const save = async (body: NewCreditTransfer) => {
    const { id, saldo } = await mutateAsync(body);
    onDone();
    toast.success('Créditos transferidos', {
      description: `Saldo: ${plural(saldo, 'crédito', 'créditos')}.`,
      undo: () => attempt(() => undo.mutateAsync(id), 'Erro ao desfazer a transferência'),
      undone: 'Transferência desfeita',
    });
  };
  return (
    <SheetForm form={form} save={save} failure="Erro ao transferir créditos" submit="Transferir">
      <StudentField label="Para qual aluno" except={[studentId]} {...form.getInputProps('para')} />
      <TextInput label="Quantidade" inputMode="numeric" {...form.getInputProps('quantidade')} />
      <TextInput label="Motivo" placeholder="Ex.: mesma família" {...form.getInputProps('motivo')} />
    </SheetForm>
  );
}
