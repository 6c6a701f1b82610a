import { ActionIcon, Button } from '@mantine/core';
import * as z from 'zod/mini';
import { type Day, type Moment, momentOf, parseDate, parseTime, writtenMoment } from '../lib/dates.js';
import { useBodyForm } from '../lib/form.js';
import { messageOf, ProblemError } from '../lib/problem.js';
import { ASK_PAST } from './ask-past.js';
import { Card } from './card.js';
import { DateField } from './date-field.js';
import { FormStack, submitting } from './form.js';
import { Icon } from './icon.js';
import { Notice } from './notice.js';
import classes from './past.module.css';
import { Sheet, SheetActions } from './sheet.js';
import { TimeField } from './time-field.js';

interface PastProps {
  /** What is shown, at the beginning of a sentence: `Novembro`. */
  what: string;
  moment: Moment | null;
  zone: string;
  today: Day;
  /** Whether the sheet that chooses the moment is open. */
  isAsking: boolean;
  onAsk: (is: boolean) => void;
  /** `em` of the address; null for now. */
  onChoose: (em: string | null) => void;
}

/** In a header: opens the sheet that chooses a moment. */
export const AskPast = ({ onAsk }: Pick<PastProps, 'onAsk'>) => (
  <ActionIcon aria-label={ASK_PAST} title={ASK_PAST} onClick={() => onAsk(true)}>
    <Icon name="clock" />
  </ActionIcon>
);

/** Of a page as it was, says so and leads back to today; with the sheet that chooses the moment. */
export function Past({ what, moment, zone, today, isAsking, onAsk, onChoose }: PastProps) {
  return (
    <>
      {moment && (
        <div className={classes.past} role="status">
          <Icon name="clock" size={20} />
          <p>
            {what} como estava em {writtenMoment(moment)}
          </p>
          <div className={classes.actions}>
            <Button size="sm" variant="default" onClick={() => onAsk(true)}>
              Outro momento
            </Button>
            <Button size="sm" onClick={() => onChoose(null)}>
              Voltar para hoje
            </Button>
          </div>
        </div>
      )}
      <Sheet opened={isAsking} onClose={() => onAsk(false)} title={ASK_PAST} beginsAtField="typed">
        {isAsking && (
          <MomentForm {...{ moment, zone, today }} onBack={() => onAsk(false)} onChoose={onChoose} />
        )}
      </Sheet>
    </>
  );
}

/** Whether the moment is to come, or before the account. */
export const isBeyond = (error: unknown) => error instanceof ProblemError && error.code.startsWith('past.');

/** Says so. */
export const Beyond = ({ error }: { error: unknown }) => (
  <Card>
    <Notice icon="clock" title={messageOf(error)} />
  </Card>
);

const chosen = z.object({ em: z.string() });

interface MomentFormProps extends Pick<PastProps, 'moment' | 'zone' | 'today'> {
  onBack: () => void;
  onChoose: (em: string) => void;
}

function MomentForm({ moment, zone, today, onBack, onChoose }: MomentFormProps) {
  const emOf = ({ dia, hora }: { dia: string; hora: string }) => {
    const [day, time] = [parseDate(dia), parseTime(hora)];
    return `${day ?? ''}${hora.trim() === '' ? '' : `T${time ?? ''}`}`;
  };
  const form = useBodyForm({
    initialValues: { dia: moment?.day ?? '', hora: moment?.time ?? '' },
    schema: chosen,
    toBody: (values) => ({ em: emOf(values) }),
    check: ({ dia, hora }) => {
      const day = parseDate(dia);
      if (dia.trim() === '') return { dia: 'Informe o dia' };
      if (day === null) return { dia: 'Informe o dia como 25/12/2026' };
      if (hora.trim() !== '' && parseTime(hora) === null) return { hora: 'Informe o horário como 15:30' };
      if (day > today) return { dia: 'Escolha um dia que já passou' };
      const found = momentOf(emOf({ dia, hora }), zone);
      if (found!.at <= new Date().toISOString()) return {};
      return {
        hora:
          hora.trim() === '' ? 'Hoje ainda não terminou: informe o horário' : 'Esse horário ainda não chegou',
      };
    },
  });
  return (
    <FormStack form={form} onSubmit={submitting(form, { save: ({ em }) => Promise.resolve(onChoose(em)) })}>
      <p className={classes.quiet}>
        Mostra tudo como você via nesse momento: o que foi registrado, corrigido ou desfeito depois não conta.
      </p>
      <DateField label="Dia" max={today} {...form.getInputProps('dia')} />
      <TimeField
        label="Horário (opcional)"
        description="Em branco, o fim do dia."
        {...form.getInputProps('hora')}
      />
      <SheetActions>
        <Button variant="default" onClick={onBack}>
          Voltar
        </Button>
        <Button type="submit">Ver</Button>
      </SheetActions>
    </FormStack>
  );
}
