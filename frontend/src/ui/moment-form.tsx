import { Button } from '@mantine/core';
import * as z from 'zod/mini';
import { type Day, type Moment, momentOf, parseDate, parseTime } from '../lib/dates.js';
import { useBodyForm } from '../lib/form.js';
import { DateField } from './date-field.js';
import { FormStack, submitting } from './form.js';
import { Quiet } from './quiet.js';
import { SheetActions } from './sheet.js';
import { TimeField } from './time-field.js';

const chosen = z.object({ em: z.string() });

interface MomentFormProps {
  moment: Moment | null;
  zone: string;
  today: Day;
  onBack: () => void;
  onChoose: (em: string) => void;
}

/** Chooses a moment that has passed. */
export default function MomentForm({ moment, zone, today, onBack, onChoose }: MomentFormProps) {
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
      <Quiet size="sm">
        Mostra tudo como você via nesse momento: o que foi registrado, corrigido ou desfeito depois não conta.
      </Quiet>
      <DateField label="Dia" max={today} {...form.getInputProps('dia')} />
      <TimeField
        label="Horário (opcional)"
        description="Em branco, o fim do dia."
        {...form.getInputProps('hora')}
      />
      <SheetActions onBack={onBack}>
        <Button type="submit">Ver</Button>
      </SheetActions>
    </FormStack>
  );
}
