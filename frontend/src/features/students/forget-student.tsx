import { plural } from '../../../../backend/platform/plural.api.js';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Student } from '../../../../backend/modules/students/students.api.js';
import { formatDate } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { Consequences } from '../../ui/consequences.js';
import { FormStack, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import classes from './students.module.css';
import { useForgetPreview, useForgetStudent } from './students.queries.js';

const CONFIRMATION = 'APAGAR';
const confirmation = z.object({ palavra: z.literal(CONFIRMATION) });

/** The consequences, shown before the only action on students that cannot be undone. */
const consequences = [
  [
    'Será apagado',
    'Nome, telefone, e-mail e tudo o que você anotou sobre o aluno, também no histórico e nos backups.',
  ],
  [
    'Será cancelado',
    'As próximas sessões, sem custo: os horários ficam livres. E os contratos que o aluno ainda não assinou.',
  ],
  ['Será mantido', 'Sessões, créditos e valores, sem nome, para as contas fecharem.'],
] as const;
/** Shown if no data of the student is retained, or while that is loading. */
const keptByLaw = [
  'Será mantido',
  'O que a lei manda guardar (recibos e contratos assinados), até o fim do prazo.',
] as const;
const check = [
  'Confira',
  'O que você escreveu em lançamentos, planos, locais e tarefas não muda: veja se há nomes ali.',
] as const;

/** An inconspicuous button to forget a student for good. */
export function ForgetStudent({ student }: { student: Student }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        className={classes.entry}
        size="sm"
        variant="subtle"
        onClick={() => setOpened(true)}
        leftSection={<Icon name="shield" size={18} />}
      >
        Apagar dados do aluno (LGPD)
      </Button>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        title={`Apagar dados de ${student.nome}`}
        withoutAddress
      >
        <Confirmation student={student} onClose={() => setOpened(false)} />
      </Sheet>
    </>
  );
}

function Confirmation({ student, onClose }: { student: Student; onClose: () => void }) {
  const { mutateAsync } = useForgetStudent();
  const preview = useForgetPreview(student.id);
  const told = (preview.data?.permanece ?? []).map(
    ({ o_que, por_que, ate }) => ['Será mantido', `${o_que}, até ${formatDate(ate)}: ${por_que}`] as const,
  );
  const kept = told.length > 0 ? told : [keptByLaw];
  const tasks = preview.data?.tarefas ?? [];
  const naming =
    tasks.length > 0 ? [['Confira', `Tarefas com esse nome: ${tasks.join('; ')}.`] as const] : [];
  const form = useBodyForm({
    initialValues: { palavra: '' },
    schema: confirmation,
    toBody: ({ palavra }) => ({ palavra: palavra.trim().toUpperCase() }),
  });

  const forget = async () => {
    const { sessoes_canceladas } = await mutateAsync(student.id);
    onClose();
    toast.success('Dados do aluno apagados', { description: cancelledInWords(sessoes_canceladas) });
  };

  return (
    <FormStack
      form={form}
      onSubmit={submitting(form, { save: forget, failure: 'Erro ao apagar os dados do aluno' })}
    >
      <Consequences
        warning="Não dá para desfazer: ninguém consegue recuperar os dados."
        items={[...consequences, ...kept, check, ...naming]}
      />
      <TextInput
        label={`Para confirmar, digite ${CONFIRMATION}`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.getInputProps('palavra')}
      />
      <SheetActions onBack={onClose}>
        <Button type="submit" color="red" loading={form.submitting} disabled={!form.isValid()}>
          Apagar para sempre
        </Button>
      </SheetActions>
    </FormStack>
  );
}

function cancelledInWords(sessions: number): string {
  if (sessions === 0) return 'Os dados pessoais foram apagados.';
  const cancelled = `${plural(sessions, 'sessão foi cancelada', 'sessões foram canceladas')}.`;
  return `Os dados pessoais foram apagados e ${cancelled}`;
}
