import { Button } from '@mantine/core';
import { useState } from 'react';
import type { KnownStudent } from '../../../../backend/modules/students/students.api.js';
import { newPause, type NewPause } from '../../../../backend/modules/student-pauses/student-pauses.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { addMonths, type Day, daysBetween, formatDate, formatMonth, monthOf } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useToday } from '../../lib/zone.js';
import { ButtonRow, FormStack, submitting } from '../../ui/form.js';
import { DateTextField } from '../../ui/fields.js';
import { Icon } from '../../ui/icon.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './student-page.module.css';
import { usePauseStudent } from './students.queries.js';

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
      <ButtonRow>
        <Button
          variant="default"
          onClick={() => setOpened(true)}
          leftSection={<Icon name="clock" size={18} />}
        >
          {pausado_ate ? 'Mudar o fim da pausa' : 'Pausar'}
        </Button>
        {pausado_ate && (
          <Button variant="default" loading={pause.isPending} onClick={() => void end()}>
            Retomar agora
          </Button>
        )}
      </ButtonRow>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        title={`${pausado_ate ? 'Pausa de' : 'Pausar'} ${student.nome}`}
        beginsAtField="typed"
        middle
        withoutAddress
      >
        <PauseForm pausedUntil={pausado_ate} save={save} />
      </Sheet>
    </>
  );
}

interface PauseFormProps {
  pausedUntil: Day | null;
  save: (body: NewPause) => Promise<void>;
}

function PauseForm({ pausedUntil, save }: PauseFormProps) {
  const today = useToday();
  const form = useBodyForm({
    initialValues: { ate: pausedUntil ?? '' },
    schema: newPause,
    toBody: (values) => values,
  });
  const { ate } = form.values;
  const isDay = newPause.safeParse({ ate }).success && ate >= today;
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao pausar aluno' })}>
      <DateTextField
        label="Até quando"
        description={pausedUntil ? 'Último dia da pausa.' : 'Último dia da pausa, que começa hoje.'}
        {...form.getInputProps('ate')}
      />
      <div className={classes.paused} role="status">
        <p>
          {isDay && !pausedUntil
            ? `Os créditos com validade ganham ${plural(daysBetween(today, ate) + 1, 'dia', 'dias')}.`
            : 'Os créditos com validade ganham os dias da pausa.'}
        </p>
        <p>{isDay ? unbilled(today, ate) : 'Nenhuma mensalidade é cobrada na pausa.'}</p>
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

/** The months that are not billed: those whose first day is in the pause. */
function unbilled(today: Day, ate: Day): string {
  const months: string[] = [];
  for (let first = `${monthOf(addMonths(today, 1))}-01`; first <= ate; first = addMonths(first, 1))
    months.push(formatMonth(monthOf(first)));
  if (months.length === 0) return 'Nenhuma mensalidade seria cobrada nesses dias.';
  if (months.length > 3) return `Se o aluno paga mensalidade, ${months.length} meses não são cobrados.`;
  const named = new Intl.ListFormat('pt-BR').format(months);
  return `Se o aluno paga mensalidade, ${named} não ${months.length === 1 ? 'é cobrado' : 'são cobrados'}.`;
}
