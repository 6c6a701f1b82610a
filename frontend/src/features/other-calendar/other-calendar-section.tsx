import { TextInput } from '@mantine/core';
import {
  otherCalendarLink,
  type OtherCalendar,
  type OtherCalendarLink,
} from '../../../../backend/modules/other-calendar/other-calendar.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useSend } from '../../lib/command.js';
import { formatMoment } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { ConnectionButtons } from '../../ui/connection-buttons.js';
import { FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { takenBack, toast } from '../../ui/toast.js';
import { useOtherCalendar } from './other-calendar.queries.js';
import classes from './other-calendar.module.css';

type Connected = NonNullable<OtherCalendar['calendario']>;

/** Another calendar, whose events block times in the agenda. */
export function OtherCalendarSection() {
  return (
    <Section title="Outro calendário aqui">
      <Card fields>
        <Quiet>
          Cole o endereço secreto (.ics) do seu outro calendário. O que estiver marcado lá bloqueia o horário
          aqui; só os horários são guardados, nunca os títulos.
        </Quiet>
        <Async of={useOtherCalendar()} skeleton={<Skeletons count={1} height={96} />}>
          {({ calendario }) => (calendario ? <Linked calendar={calendario} /> : <LinkForm />)}
        </Async>
      </Card>
    </Section>
  );
}

function LinkForm() {
  const { mutateAsync } = useSend('PUT /other-calendar');
  const removal = useSend('DELETE /other-calendar');
  const form = useBodyForm({
    initialValues: { link_ics: '' },
    schema: otherCalendarLink,
    toBody: (values) => values,
  });
  const save = async (link: OtherCalendarLink) => {
    await mutateAsync(link);
    form.discard();
    toast.success('Calendário conectado', {
      description: 'A primeira leitura leva alguns segundos.',
      ...takenBack(() => removal.mutateAsync(), 'Conexão desfeita'),
    });
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
  const reading = useSend('POST /other-calendar/read');
  const removal = useSend('DELETE /other-calendar');
  const restoration = useSend('POST /other-calendar/restore');
  const { servidor, lido_em, falha, falha_desde, ocupados, ignorados } = calendar;
  return (
    <>
      <p className={classes.state}>
        <strong>{servidor}</strong>
        <br />
        {lido_em === null
          ? 'Ainda não foi lido'
          : `${plural(ocupados, 'horário ocupado', 'horários ocupados')} · lido ${formatMoment(lido_em, zone)}`}
      </p>
      {ignorados > 0 && (
        <Quiet>
          {plural(
            ignorados,
            'evento não pôde ser lido por inteiro: confira se o horário dele',
            'eventos não puderam ser lidos por inteiro: confira se os horários deles',
          )}{' '}
          {ignorados === 1 ? 'está bloqueado' : 'estão bloqueados'} aqui.
        </Quiet>
      )}
      {falha && falha_desde && (
        <p className={classes.failed} role="alert">
          Não foi possível ler {servidor} desde {formatMoment(falha_desde, zone)}: {falha}.
        </p>
      )}
      <ConnectionButtons
        renew={{
          by: reading,
          label: falha ? 'Tentar de novo' : 'Ler agora',
          done: 'Lendo o calendário de novo',
          failure: 'Erro ao ler o calendário',
        }}
        removal={{
          by: removal,
          undoneBy: restoration,
          done: 'Calendário desconectado',
          effect: 'Os horários dele foram liberados.',
        }}
      />
    </>
  );
}
