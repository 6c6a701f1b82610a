import { Button, TextInput } from '@mantine/core';
import {
  otherCalendarLink,
  type OtherCalendar,
  type OtherCalendarLink,
} from '../../../../backend/modules/other-calendar/other-calendar.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { formatMoment } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, toast } from '../../ui/toast.js';
import {
  useLinkCalendar,
  useOtherCalendar,
  useReadCalendar,
  useRelinkCalendar,
  useUnlinkCalendar,
} from './other-calendar.queries.js';
import classes from './other-calendar.module.css';

type Connected = NonNullable<OtherCalendar['calendario']>;

/** Another calendar, whose events block times in the agenda. */
export function OtherCalendarSection() {
  return (
    <Section title="Outro calendário aqui">
      <Card className={classes.card}>
        <p className={classes.note}>
          Cole o endereço secreto (.ics) do seu outro calendário. O que estiver marcado lá bloqueia o horário
          aqui; só os horários são guardados, nunca os títulos.
        </p>
        <Async of={useOtherCalendar()} skeleton={<Skeletons count={1} height={96} />}>
          {({ calendario }) => (calendario ? <Linked calendar={calendario} /> : <LinkForm />)}
        </Async>
      </Card>
    </Section>
  );
}

function LinkForm() {
  const { mutateAsync } = useLinkCalendar();
  const form = useBodyForm({
    initialValues: { link_ics: '' },
    schema: otherCalendarLink,
    toBody: (values) => values,
  });
  const save = async (link: OtherCalendarLink) => {
    await mutateAsync(link);
    form.discard();
    toast.success('Calendário conectado', { description: 'A primeira leitura leva alguns segundos.' });
  };
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao conectar' })}>
      <TextInput
        label="Endereço do calendário"
        placeholder="https://calendar.google.com/…/basic.ics"
        inputMode="url"
        autoComplete="off"
        {...form.getInputProps('link_ics')}
      />
      <SaveButton busy={form.submitting}>Conectar calendário</SaveButton>
    </FormStack>
  );
}

function Linked({ calendar }: { calendar: Connected }) {
  const zone = useZone();
  const reading = useReadCalendar();
  const removal = useUnlinkCalendar();
  const restoration = useRelinkCalendar();
  const { servidor, lido_em, falha, falha_desde, ocupados } = calendar;
  const read = () =>
    attempt(async () => {
      await reading.mutateAsync(null);
      toast.success('Lendo o calendário de novo');
    }, 'Erro ao ler o calendário');
  const unlink = () =>
    attempt(async () => {
      await removal.mutateAsync(null);
      toast.success('Calendário desconectado', {
        description: 'Os horários dele foram liberados.',
        undo: () => attempt(() => restoration.mutateAsync(null), 'Erro ao desfazer'),
        undone: 'Desconexão desfeita',
      });
    }, 'Erro ao desconectar');
  return (
    <>
      <p className={classes.state}>
        <strong>{servidor}</strong>
        <br />
        {lido_em === null
          ? 'Ainda não foi lido'
          : `${plural(ocupados, 'horário ocupado', 'horários ocupados')} · lido ${formatMoment(lido_em, zone)}`}
      </p>
      {falha && falha_desde && (
        <p className={classes.failed} role="alert">
          Não foi possível ler {servidor} desde {formatMoment(falha_desde, zone)}: {falha}.
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          variant="default"
          loading={reading.isPending}
          onClick={() => void read()}
          leftSection={<Icon name="renew" size={18} />}
        >
          {falha ? 'Tentar de novo' : 'Ler agora'}
        </Button>
        <Button variant="default" loading={removal.isPending} onClick={() => void unlink()}>
          Desconectar
        </Button>
      </div>
    </>
  );
}
