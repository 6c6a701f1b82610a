import { Button } from '@mantine/core';
import { useState } from 'react';
import type { KnownStudent } from '../../../../backend/modules/students/students.api.js';
import {
  newPause,
  type NewPause,
  type PausePreview,
} from '../../../../backend/modules/student-pauses/student-pauses.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { type Day, formatDate, formatMonth, monthOf } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useToday } from '../../lib/zone.js';
import { FormStack, submitting } from '../../ui/form.js';
import { DateTextField } from '../../ui/fields.js';
import { IconAction } from '../../ui/icon-actions.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './student-page.module.css';
import { usePausePreview, usePauseStudent } from './students.queries.js';

/** Pauses a student: no credits expire, and no month is billed. During a pause, has a button to end it. */
export function PauseStudent({ student }: { student: KnownStudent }) {
  const { id, pausado_ate } = student;
  const [opened, setOpened] = useState(false);
  const pause = usePauseStudent(id);

  const end = () =>
    attempt(async () => {
      await pause.mutateAsync({ ate: null });
      toast.success('Pausa encerrada', {
        undo: () =>
          attempt(
            () => pause.mutateAsync({ ate: pausado_ate!, se_ainda: { ate: null } }),
            'Erro ao desfazer',
          ),
        undone: 'Aluno pausado de novo',
      });
    }, 'Erro ao encerrar a pausa');
  const save = async ({ ate }: NewPause) => {
    await pause.mutateAsync({ ate });
    setOpened(false);
    toast.success(`Aluno pausado até ${formatDate(ate)}`, {
      undo: () =>
        attempt(() => pause.mutateAsync({ ate: pausado_ate, se_ainda: { ate } }), 'Erro ao desfazer'),
      undone: 'Alteração desfeita',
    });
  };

  return (
    <>
      <IconAction icon="clock" onClick={() => setOpened(true)}>
        {pausado_ate ? 'Mudar pausa' : 'Pausar'}
      </IconAction>
      {pausado_ate && (
        <IconAction icon="renew" onClick={() => void end()}>
          Retomar agora
        </IconAction>
      )}
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        title={`${pausado_ate ? 'Pausa de' : 'Pausar'} ${student.nome}`}
        beginsAtField="typed"
        middle
        withoutAddress
      >
        <PauseForm id={id} pausedUntil={pausado_ate} save={save} />
      </Sheet>
    </>
  );
}

interface PauseFormProps {
  id: string;
  pausedUntil: Day | null;
  save: (body: NewPause) => Promise<void>;
}

function PauseForm({ id, pausedUntil, save }: PauseFormProps) {
  const today = useToday();
  const form = useBodyForm({
    initialValues: { ate: pausedUntil ?? '' },
    schema: newPause,
    toBody: (values) => values,
  });
  const { ate } = form.values;
  const isDay = newPause.safeParse({ ate }).success && ate >= today;
  const { data: announced } = usePausePreview(id, isDay ? ate : null);
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao pausar aluno' })}>
      <DateTextField
        label="Até quando"
        description={pausedUntil ? 'Último dia da pausa.' : 'Último dia da pausa, que começa hoje.'}
        {...form.getInputProps('ate')}
      />
      <div className={classes.paused} role="status">
        <p>{announced ? daysMoved(announced) : 'Os créditos não vencem na pausa.'}</p>
        <p>{announced ? unbilled(announced) : 'Nenhuma mensalidade é cobrada na pausa.'}</p>
        <p>As sessões já agendadas continuam na agenda.</p>
      </div>
      <SheetActions>
        <Button type="submit" loading={form.submitting}>
          {pausedUntil ? 'Salvar' : 'Pausar'}
        </Button>
      </SheetActions>
    </FormStack>
  );
}

function daysMoved({ dias, dias_iguais }: PausePreview): string {
  if (dias === 0) return 'Nenhum crédito ganha dias de validade.';
  const days = `${dias_iguais ? '' : 'até '}${plural(Math.abs(dias), 'dia', 'dias')}`;
  return `Os créditos com validade ${dias > 0 ? 'ganham' : 'perdem'} ${days}.`;
}

function unbilled({ meses }: PausePreview): string {
  if (meses.length === 0) return 'Nenhuma mensalidade deixa de ser cobrada.';
  if (meses.length > 3) return `${meses.length} mensalidades não são cobradas.`;
  const named = new Intl.ListFormat('pt-BR').format(meses.map((first) => formatMonth(monthOf(first))));
  return meses.length === 1
    ? `A mensalidade de ${named} não é cobrada.`
    : `As mensalidades de ${named} não são cobradas.`;
}
